import { expect, test } from "vitest";
import type { CardSummary, ReportFile } from "#lib/eval/list-reports.io.ts";
import { estimate, lastCardOf } from "#lib/queue/estimate.ts";
import { aReport, aRun } from "#tests/unit/eval/cards.ts";

const USAGE = {
  input_tokens: 900,
  output_tokens: 60,
  cache_creation_input_tokens: 10,
  cache_read_input_tokens: 30,
};

function aFile(name: string, parts: Partial<CardSummary> = {}): ReportFile {
  const runs = ["a", "b", "c", "d"].map((id) => aRun({ id }));
  const report = aReport(runs);
  const card: CardSummary = {
    model: "qwen3-moe",
    provider: "local",
    head: { ...report.head, total: 4, runs_per_case: 1, total_usage: USAGE },
    recomputed: true,
    meta: { ...report.meta, cost_usd: 0.4 },
    wall_clock_ms: null,
    coverage: { scored: 3, errored: 1, not_scored: 5, total: 9 },
    doubts: null,
    ...parts,
  };
  return { name, folder: "/r", bytes: 1, modified_ms: 1, kind: "scorecard", problem: null, card };
}

test("as many mean runs of the card as there will be", () => {
  const made = estimate({ cases: 10, runsPerCase: 3 }, aFile("last.json"));
  expect(made).toEqual({ runs: 60, tokens: 15_000, costUsd: expect.closeTo(6), basedOn: "last.json" });
});

test("what the card does not tell is unknown, not nothing", () => {
  const { head, meta } = aFile("x").card as CardSummary;
  const silent = aFile("x", { head: { ...head, total_usage: null }, meta: { ...meta, cost_usd: null } });
  const unknown = { runs: 20, tokens: null, costUsd: null };
  expect(estimate({ cases: 10, runsPerCase: 1 }, silent)).toEqual({ ...unknown, basedOn: "x" });
  expect(estimate({ cases: 10, runsPerCase: 1 }, null)).toEqual({ ...unknown, basedOn: null });
  const empty = aFile("x", { coverage: { scored: 0, errored: 0, not_scored: 4, total: 4 } });
  expect(estimate({ cases: 10, runsPerCase: 1 }, empty)).toEqual({ ...unknown, basedOn: null });
});

test("the newest card of that model which tells its tokens", () => {
  const { head } = aFile("x").card as CardSummary;
  const files = [
    { ...aFile("broken"), card: null },
    aFile("other", { model: "gpt-oss-120b" }),
    aFile("silent", { head: { ...head, total_usage: null } }),
    aFile("elsewhere", { provider: "hosted" }),
    aFile("newest"),
    aFile("older"),
  ];
  expect(lastCardOf(files, { provider: "local", model: "qwen3-moe" })?.name).toBe("newest");
  expect(lastCardOf(files, { provider: null, model: "qwen3-moe" })?.name).toBe("elsewhere");
  expect(lastCardOf(files, { provider: null, model: "none" })).toBeNull();
});
