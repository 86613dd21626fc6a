import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compareCards } from "#lib/eval/compare.ts";
import { compareText } from "#lib/eval/compare-text.ts";
import { importRows } from "#lib/eval/import-rows.ts";
import { matrixOf } from "#lib/eval/matrix.ts";
import { parseReport } from "#lib/eval/parse-report.ts";
import { reliabilityOf } from "#lib/eval/reliability.ts";
import { scorecardText } from "#lib/eval/scorecard-text.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { parseAbFile } from "#lib/verdict/ab-file.ts";
import { parseDocument } from "#lib/verdict/parse-document.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";
import { aCard } from "./cards.ts";

const SOUND = writeReport(aCard("x", { a: "✓✗!", "b/c <b>": "✓✓✓", __proto__: "✗" }).report);
const options = { model: null, provider: null, pass_at: 1, created_at: null };

/** A sound report with some of its values replaced by anything at all. */
const mutated = fc
  .array(
    fc.tuple(fc.nat(), fc.oneof(fc.jsonValue(), fc.constantFrom(-1, 1e308, 0.5, "", "\ud800", [], {}))),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  .map((edits) => {
    const value: unknown = JSON.parse(SOUND);
    for (const [at, put] of edits) replaceAt(value, at, put);
    return value;
  });

describe("whatever a file holds", () => {
  it("a report is read or refused in one line, and what was read can be shown", () => {
    fc.assert(
      fc.property(mutated, (value) => {
        const parsed = parseReport(value);
        if (!parsed.ok) {
          expect(parsed.problem).not.toContain("\n");
          return;
        }
        const cards = [{ name: "x", report: parsed.value }, aCard("y", { a: "✓" })];
        compareText(compareCards(cards));
        scorecardText(parsed.value, { failures: true });
        reliabilityOf(cards);
        matrixOf(cards, 0);
        expect(parseReport(JSON.parse(writeReport(parsed.value))).ok).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("no reader throws at any JSON", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        parseReport(value);
        parseAbFile(value);
        parseDocument(value);
        importRows(JSON.stringify(value), options);
      }),
    );
  });

  it("rows are imported or refused in one line, whatever the text", () => {
    const text = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom('"', ",", "\n", "\r", "a", "1", ";", "id,reward\n") }),
      fc
        .array(
          fc.dictionary(fc.constantFrom("id", "run", "reward", "passed", "turns", "error"), fc.jsonValue()),
        )
        .map((rows) => rows.map((row) => JSON.stringify(row)).join("\n")),
    );
    fc.assert(
      fc.property(text, (one) => {
        const result = importRows(one, options);
        if (result.ok) expect(parseReport(JSON.parse(writeReport(result.value.report))).ok).toBe(true);
      }),
      { numRuns: 2000 },
    );
  });

  it("the same case a hundred thousand times is counted within a few seconds", () => {
    const [head, run] = [JSON.parse(SOUND).scorecard, JSON.parse(SOUND).cases[0]];
    const took = cpuTimer();
    const parsed = parseReport({
      scorecard: head,
      cases: Array(100_000)
        .fill(run)
        .map((one) => ({ ...one })),
    });
    expect(parsed.ok && compareCards([{ name: "x", report: parsed.value }])[0]?.runs_per_case).toBe(100_000);
    expect(took()).toBeLessThan(20_000);
  });
});

/** Replaces the value at the n-th place of a depth-first walk. */
function replaceAt(value: unknown, n: number, put: unknown): void {
  const places: [Record<string, unknown>, string][] = [];
  const walk = (one: unknown) => {
    if (typeof one !== "object" || one === null) return;
    for (const key of Object.keys(one)) {
      places.push([one as Record<string, unknown>, key]);
      walk((one as Record<string, unknown>)[key]);
    }
  };
  walk(value);
  const place = places[n % Math.max(1, places.length)];
  if (place) place[0][place[1]] = structuredClone(put);
}
