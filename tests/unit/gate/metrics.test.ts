import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { COST_METRICS, CUT_SHORT_CAUSES, costOf, meanCost, type RunCounters } from "#lib/gate/metrics.ts";
import { outcomeOf } from "#lib/gate/tally.ts";
import { CUT_SHORT } from "#lib/transcript/record.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";

const quiet: RunCounters = {
  turns: 0,
  stop_cause: null,
  ended_on_failed_call: false,
  tool_calls: 0,
  tool_errors: 0,
  malformed_tool_args: 0,
  compactions: 0,
};

describe("costs: lower is better for every metric, so that no comparison can turn round", () => {
  const worse: Record<(typeof COST_METRICS)[number], Partial<RunCounters>> = {
    ended_on_failed_call: { ended_on_failed_call: true },
    tool_error_rate: { tool_errors: 1 },
    cut_short: { stop_cause: "loop" },
    compactions: { compactions: 1 },
    turns: { turns: 1 },
    malformed_args: { malformed_tool_args: 1 },
  };
  it.each(COST_METRICS)("%s rises when a run goes worse", (metric) => {
    const calm = { ...quiet, tool_calls: 4 };
    const before = costOf(calm, metric);
    const after = costOf({ ...calm, ...worse[metric] }, metric);
    expect(before).toBe(0);
    expect(after).toBeGreaterThan(0);
  });

  it("without calls the error rate says nothing, and is not perfect", () => {
    expect(costOf(quiet, "tool_error_rate")).toBeNull();
    expect(outcomeOf(0.4, null)).toBe("tie");
    expect(outcomeOf(null, 0.4)).toBe("tie");
    expect(outcomeOf(null, null)).toBe("tie");
  });

  it("what a source cannot say is no cost of zero", () => {
    const silent: RunCounters = {
      turns: null,
      stop_cause: null,
      ended_on_failed_call: null,
      tool_calls: null,
      tool_errors: null,
      malformed_tool_args: null,
      compactions: null,
    };
    expect(COST_METRICS.map((metric) => costOf(silent, metric))).toEqual([null, null, 0, null, null, null]);
  });

  it("counts the same stop causes as cut short as the transcripts do", () => {
    expect(new Set(CUT_SHORT_CAUSES)).toEqual(CUT_SHORT);
  });
});

describe("several runs of one episode", () => {
  it("cost their mean, over the runs that have a cost", () => {
    expect(meanCost([1, 0, 0, 1])).toBe(0.5);
    expect(meanCost([0.5, null])).toBe(0.5);
    expect(meanCost([null, null])).toBeNull();
    expect(meanCost([])).toBeNull();
  });

  it("do not win by rounding", () => {
    // Both are 0.2 on paper; as doubles they differ in the last bit.
    const a = (0.1 + 0.2 + 0.3) / 3;
    const b = (0.3 + 0.2 + 0.1) / 3;
    expect(a).not.toBe(b);
    expect(outcomeOf(a, b)).toBe("tie");
    expect(meanCost([0.1, 0.2, 0.3])).toBe(meanCost([0.3, 0.2, 0.1]));
    expect(outcomeOf(0.2, 0.2 + 1e-9)).toBe("loss");
  });
});

describe.skipIf(!sharedDir)(`the shared metric vectors${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  it("agree, but that a run without calls has no error rate", () => {
    const file = path.join(sharedDir ?? "", "spec/vectors.json");
    const { metric_values: vectors } = JSON.parse(readFileSync(file, "utf8")) as {
      metric_values: { stats: Partial<RunCounters>; values: Record<string, number> }[];
    };
    expect(vectors.length).toBeGreaterThan(5);
    for (const { stats, values } of vectors) {
      const run = { ...quiet, ...stats };
      for (const metric of COST_METRICS) {
        const neutral = metric === "tool_error_rate" && run.tool_calls === 0;
        expect(costOf(run, metric), metric).toBe(neutral ? null : values[metric]);
      }
    }
  });
});
