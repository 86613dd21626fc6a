import { describe, expect, it } from "vitest";
import { CASE_LIMITS, caseDetail, type DetailLimits } from "#lib/eval/case-detail.ts";
import { aReport, aRun, noMeta } from "./cards.ts";

const limits: DetailLimits = {
  ...CASE_LIMITS,
  runs_max: 2,
  checks_max: 1,
  tools_max: 2,
  text_max: 5,
  detail_max: 4,
  name_max: 3,
};
const check = (name: string, passed: boolean) => ({ name, passed, detail: passed ? "" : "a detail" });
const report = aReport(
  [3, 1, 2].map((run) =>
    aRun({
      id: "a",
      run,
      passed: false,
      checks: [check("first", false), check("second", false), check("third", true), check("fourth", true)],
      tools_called: ["one-tool", "two", "three"],
      text: "abcd😀e",
      error: run === 3 ? "provider: 503" : null,
    }),
  ),
  { meta: { ...noMeta, not_scored: [{ id: "gone", reason: "over budget" }] } },
);

describe("one case of a card", () => {
  it("holds no more than it may, and counts what it left out", () => {
    const { total, runs } = caseDetail(report, "a", 0, limits);
    expect(total).toBe(3);
    expect(runs.map((run) => run.run)).toEqual([1, 2]);
    expect(runs[0]).toMatchObject({
      mark: "fail",
      failed: [{ name: { text: "fir", full_length: 5 }, detail: { text: "a de", full_length: 8 } }],
      failed_more: 1,
      passed: [{ text: "thi", full_length: 5 }],
      passed_more: 1,
      tools: ["one", "two"],
      tools_more: 1,
      tool_calls: 3,
      // Not cut between the halves of a character.
      answer: { text: "abcd", full_length: 7 },
    });
  });

  it("goes on from a later run", () => {
    const { from, runs } = caseDetail(report, "a", 2, limits);
    expect([from, runs.length, runs[0]?.mark, runs[0]?.error?.text]).toEqual([2, 1, "error", "provi"]);
    expect(caseDetail(report, "a", 99, limits).runs).toEqual([]);
  });

  it("tells a case that was not run from one that was not scored", () => {
    expect(caseDetail(report, "gone", 0, limits)).toEqual({
      total: 0,
      from: 0,
      runs: [],
      not_scored: "over budget",
    });
    expect(caseDetail(report, "__proto__", 0, limits)).toEqual({
      total: 0,
      from: 0,
      runs: [],
      not_scored: null,
    });
  });
});
