import { describe, expect, it } from "vitest";
import { displayWidth } from "#lib/display-width.ts";
import { healthReport, type Window } from "#lib/health/report.ts";
import { statsJson, statsReport, statsText } from "#lib/health/stats.ts";
import type { Scan } from "#lib/sources/source.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aScan } from "#tests/support/a-scan.ts";

const window: Window = {
  days: 7,
  since: "2026-11-23T10:00:00Z",
  limit: null,
  zone: "UTC",
  as_of: "2026-11-30T10:00:00Z",
};
const stats = (scans: Scan[]) => statsReport(healthReport(scans, window));
const usage = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 3,
  cache_read_input_tokens: 4,
};

const scans = () => [
  aScan([
    aRun({ model: "b", usage, usage_complete: true, cost_usd: 1.5 }),
    aRun({ model: "a", usage, usage_complete: false }),
  ]),
  aScan([
    aRun({
      source: "claude-code",
      provenance: "derived",
      model: "c",
      usage,
      usage_complete: true,
      cost_usd: 2,
    }),
    aRun({
      source: "claude-code",
      provenance: "derived",
      model: "c",
      subagent: true,
      usage,
      usage_complete: true,
      cost_usd: 3,
    }),
  ]),
];

describe("stats", () => {
  it("put cost and tokens in columns, provenances apart, sub-agents in their own rows and in the total", () => {
    expect(statsText(stats(scans())).split("\n")).toEqual([
      "cost and tokens across 2 sessions, last 7 days",
      "",
      "  recorded  runs     cost  priced  input  output  cache write  cache read",
      "  a            1        —       0  ≥ 100    ≥ 20          ≥ 3         ≥ 4",
      "  b            1    $1.50       1    100      20            3           4",
      "  total        2  ≥ $1.50       1  ≥ 200    ≥ 40          ≥ 6         ≥ 8",
      "",
      "  derived         runs   cost  priced  input  output  cache write  cache read",
      "  c                  1  $2.00       1    100      20            3           4",
      "  c (sub-agents)     1  $3.00       1    100      20            3           4",
      "  total              2  $5.00       2    200      40            6           8",
      "",
      "  ≥ marks a lower bound: runs without a price, or whose usage was cut off, are not in it",
    ]);
  });

  it("keep their columns under a name that takes two columns a character", () => {
    const text = statsText(
      stats([aScan([aRun({ model: "日本-14b", usage }), aRun({ model: "ascii-14b", usage })])]),
    );
    const rows = text.split("\n").slice(2, 6);
    expect(new Set(rows.map(displayWidth)).size).toBe(1);
    expect(rows[2]).toMatch(/^ {2}日本-14b {6}1 /);
  });

  it("say the same as JSON, with null for a cost nobody knows", () => {
    expect(statsJson(stats(scans()))).toMatchObject({
      schema_version: 1,
      window,
      by_model: [
        {
          provenance: "recorded",
          model: "a",
          subagent: false,
          cost_usd: null,
          cost_is_lower_bound: true,
          usage_is_lower_bound: true,
        },
        {
          provenance: "recorded",
          model: "b",
          cost_usd: 1.5,
          runs_priced: 1,
          cost_is_lower_bound: false,
          usage,
        },
        { provenance: "derived", model: "c", subagent: false, cost_usd: 2 },
        { provenance: "derived", model: "c", subagent: true, cost_usd: 3 },
      ],
      totals: [
        { provenance: "recorded", runs: 2, cost_usd: 1.5, cost_is_lower_bound: true },
        { provenance: "derived", runs: 2, cost_usd: 5, cost_is_lower_bound: false },
      ],
    });
  });

  it("say that there is nothing", () => {
    expect(statsText(stats([aScan([])]))).toContain("nothing to count");
  });
});
