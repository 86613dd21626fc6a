import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { coverageOf, headOf } from "#lib/eval/head.ts";
import { doubtsOf, hasDoubts } from "#lib/eval/head-check.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aCard, aReport, aRun, noMeta } from "./cards.ts";

describe("a headline from its runs", () => {
  it("counts a case as passed only when all its runs passed", () => {
    const { report } = aCard("x", { a: "✓✓✓", b: "✓✗✓", c: "✗✗✗" });
    expect(headOf(report.runs)).toMatchObject({ total: 3, passed: 1, passed_any: 2, runs_per_case: 3 });
  });

  it("has no any-run count where every case ran once", () => {
    expect(headOf(aCard("x", { a: "✓", b: "✗" }).report.runs).passed_any).toBeNull();
  });

  it("takes the upper middle as the median, and the mean over the runs that tell their turns", () => {
    const runs = [5, 7, 9, 11].map((elapsed_ms, i) => aRun({ id: `${i}`, elapsed_ms, turns: i || null }));
    expect(headOf(runs)).toMatchObject({ median_latency_ms: 9, mean_turns: 2 });
  });

  it("is unknown, not zero, where no run tells a number", () => {
    const runs = [aRun({ turns: null, elapsed_ms: null, tool_errors: null, usage: null })];
    expect(headOf(runs)).toMatchObject({
      mean_turns: null,
      median_latency_ms: null,
      tool_errors: null,
      total_usage: null,
    });
  });

  it("lists tags in the order in which they are first seen", () => {
    const runs = [aRun({ tags: ["z", "a"] }), aRun({ id: "b", tags: ["a"], passed: false })];
    expect(headOf(runs).by_tag).toEqual([
      { tag: "z", passed: 1, total: 1, passed_any: null },
      { tag: "a", passed: 1, total: 2, passed_any: null },
    ]);
  });

  it("takes ids that are names of object properties for ids", () => {
    const runs = ["__proto__", "constructor", "toString"].map((id) => aRun({ id, tags: [id] }));
    expect(headOf(runs)).toMatchObject({ total: 3, passed: 3 });
  });
});

describe("coverage", () => {
  it("keeps the three kinds of runs apart", () => {
    const { report } = aCard("x", { a: "✓✗", b: "✓!", c: "!" });
    const meta = { ...noMeta, not_scored: [{ id: "d", reason: "no python" }] };
    // c lacks its second run, d both.
    expect(coverageOf({ ...report, meta })).toEqual({ scored: 3, errored: 2, not_scored: 3, total: 8 });
  });
});

describe("doubts about a card", () => {
  it("names a headline that its cases do not give", () => {
    const report = aReport([aRun()]);
    const wrong = { ...report, head: { ...report.head, passed: 0, mean_turns: 2.5 } };
    expect(doubtsOf(wrong).head).toEqual([
      { key: "passed", written: "0", recomputed: "1" },
      { key: "mean_turns", written: "2.5", recomputed: "2" },
    ]);
    expect(hasDoubts(doubtsOf(report))).toBe(false);
  });

  it("does not compare what an old card lacks", () => {
    const report = aReport([aRun()]);
    const old = { ...report, head: { ...report.head, runs_errored: null, by_tag: null } };
    expect(doubtsOf(old).head).toEqual([]);
  });

  it("names runs whose grade contradicts their checks or their error", () => {
    const failed = [{ name: "x", passed: false, detail: "" }];
    const runs = [
      aRun({ id: "passed-but-failed", checks: failed }),
      aRun({ id: "failed-but-passed", passed: false, checks: [{ name: "x", passed: true, detail: "" }] }),
      aRun({ id: "passed-with-error", error: "boom" }),
      aRun({ id: "nothing-checked", passed: false, checks: [] }),
      aRun({ id: "errored", passed: false, checks: [], error: "boom" }),
    ];
    expect(doubtsOf(aReport(runs)).contradictions).toEqual([
      "passed-but-failed (run 1)",
      "failed-but-passed (run 1)",
      "passed-with-error (run 1)",
    ]);
  });

  it("names ids that stand twice in a card of single runs", () => {
    const report = aReport([aRun(), aRun({ run: 2 }), aRun({ id: "b" })]);
    const doubts = doubtsOf({ ...report, head: { ...report.head, runs_per_case: 1 } });
    expect(doubts.doubled).toEqual(["a"]);
    expect(doubts.head.map((one) => one.key)).toEqual(["runs_per_case"]);
  });
});

type Graded = {
  id: string;
  run: number;
  passed: boolean;
  tags: string[];
  turns: number;
  elapsed_ms: number;
  tool_errors: number;
  error?: string;
  checks_passed: number;
  checks_total: number;
};

describe.skipIf(!sharedDir)(`the shared scorecard vectors${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  it("give the same headline", () => {
    const file = path.join(sharedDir ?? "", "spec/vectors.json");
    const { scorecard } = JSON.parse(readFileSync(file, "utf8")) as {
      scorecard: { name: string; graded: Graded[]; card: Record<string, unknown> }[];
    };
    expect(scorecard.length).toBeGreaterThan(4);
    for (const { name, graded, card } of scorecard) {
      const runs = graded.map(({ checks_passed, checks_total, error, ...one }) =>
        aRun({
          ...one,
          error: error ?? null,
          checks: Array.from({ length: checks_total }, (_, i) => ({
            name: `${i}`,
            passed: i < checks_passed,
            detail: "",
          })),
          usage: {
            input_tokens: 1,
            output_tokens: 1,
            cache_creation_input_tokens: 0,
            cache_read_input_tokens: 0,
          },
        }),
      );
      const told = JSON.parse(JSON.stringify(headOf(runs), (_, value) => value ?? undefined));
      expect(told, name).toEqual(card);
    }
  });
});
