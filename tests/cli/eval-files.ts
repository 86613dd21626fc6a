import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { CaseRun, Report } from "#lib/eval/scorecard.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { aReport, aRun } from "#tests/unit/eval/cards.ts";

/** A character that a terminal would act on. */
export const ACTS = /(?!\n)\p{Cc}|\u202e/u;

/** Twenty-four cases: fifteen on the selection slice, nine held out. */
export const IDS = Array.from({ length: 24 }, (_, n) => `case-${n}`);

/** The text of a card in which each case ran once, as `runOf` says. */
export function cardText(
  runOf: (id: string, n: number) => Partial<CaseRun> = () => ({}),
  parts: Partial<Report> = {},
): string {
  return writeReport(
    aReport(
      IDS.map((id, n) => aRun({ id, ...runOf(id, n) })),
      parts,
    ),
  );
}

/** Case `n` passes from `first` on. */
export function passingFrom(first: number, parts: Partial<Report> = {}): string {
  return cardText((_, n) => ({ passed: n >= first }), parts);
}

/** Writes files below a folder, making the folders between. */
export function put(home: string, files: Record<string, string | Uint8Array>): void {
  for (const [name, content] of Object.entries(files)) {
    const place = path.join(home, name);
    mkdirSync(path.dirname(place), { recursive: true });
    writeFileSync(place, content);
  }
}
