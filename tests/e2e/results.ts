import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "@playwright/test";
import { openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import type { Card } from "#lib/eval/scorecard.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { assemble } from "#lib/verdict/assemble.ts";
import type { RawVerdict, VerdictDocument } from "#lib/verdict/document.ts";
import { saveVerdict } from "#lib/verdict/store.io.ts";
import { hydrated, listening as keysHeard, withStore } from "./dashboard.ts";

/** The two folders that the pages of scorecards and verdicts read. */
export type Places = { results: string; data: string };

/** Gives the tests of a file a results folder and a data folder of their own. */
export function withResults(fill: (places: Places) => void): void {
  withStore((home) => {
    const places = { results: path.join(home, "results"), data: path.join(home, "data") };
    for (const folder of Object.values(places)) mkdirSync(folder, { recursive: true });
    fill(places);
    return { MECHA_RESULTS_DIR: places.results, MECHA_DATA_DIR: places.data, MECHA_ZONE: "UTC" };
  });
}

/** Writes a card under its name, as mecha writes it; `edit` changes the text to something that it would not write. */
export function writeCard(
  { results }: Places,
  { name, report }: Card,
  edit: (text: string) => string = (text) => text,
): void {
  writeText(results, name, edit(writeReport(report)));
}

export function writeText(folder: string, name: string, text: string): void {
  const place = path.join(folder, name);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, text);
}

/** Stores verdicts as `mecha gate` does. */
export function storeVerdicts({ data }: Places, raws: readonly RawVerdict[]): VerdictDocument[] {
  const { db, close } = openDb(path.join(data, DB_FILE));
  const documents = raws.map(assemble);
  for (const document of documents) saveVerdict(db, document, Date.parse(document.created_at));
  close();
  return documents;
}

/** React holds a part that it took over back for up to 300 ms, so that parts do not appear one by one. */
const REVEAL_MS = 350;

/**
 * Waits until the page hears keys and changed fields: what comes before that is lost, other than a click. `parts`: how
 * many parts of it listen to keys, the frame of all pages being one and a list another.
 */
export async function listening(page: Page, parts = 2): Promise<void> {
  await hydrated(page);
  await keysHeard(page, parts);
  await page.waitForTimeout(REVEAL_MS);
}
