import { describe, expect, it } from "vitest";
import { costIsLowerBound, emptyTally, rateOf, tallyByModel, tallyRuns } from "#lib/health/tally.ts";
import { CUT_SHORT, STOP_CAUSES, type StopCause } from "#lib/transcript/record.ts";
import { aRun } from "#tests/support/a-run.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

describe("a tally", () => {
  it("sums what the runs say", () => {
    const tally = tallyRuns([
      aRun({
        tool_calls: 10,
        tool_errors: 3,
        tool_denied: 2,
        stop_cause: "completed",
        turns: 4,
        compactions: 1,
      }),
      aRun({
        run: 2,
        tool_calls: 5,
        stop_cause: "loop",
        ended_on_failed_call: true,
        cost_usd: 0.25,
        usage_complete: true,
      }),
      aRun({
        session_id: "other",
        stop_cause: null,
        tool_staged: 2,
        blocked_sends: 1,
        malformed_tool_args: 3,
      }),
    ]);
    expect(tally).toMatchObject({
      runs: 3,
      sessions: 2,
      stop_causes: { completed: 1, loop: 1, unrecorded: 1 },
      cut_short: 1,
      ended_on_failed_call: 1,
      turns: 4,
      tool_calls: 15,
      tool_errors: 3,
      tool_denied: 2,
      tool_cancelled: null,
      tool_staged: 2,
      malformed_tool_args: 3,
      blocked_sends: 1,
      compactions: 1,
      usage_complete_runs: 1,
      cost_usd: 0.25,
      runs_priced: 1,
    });
    expect(rateOf(tally, "tool_error_rate")).toEqual({ hits: 3, of: 15 });
    expect(rateOf(tally, "cut_short")).toEqual({ hits: 1, of: 3 });
    expect(rateOf(tally, "ended_on_failed_call")).toEqual({ hits: 1, of: 3 });
  });

  it("keeps unknown apart from zero", () => {
    expect(tallyRuns([aRun({ tool_staged: null }), aRun({ tool_staged: null })]).tool_staged).toBeNull();
    expect(tallyRuns([aRun({ tool_staged: null }), aRun({ tool_staged: 0 })]).tool_staged).toBe(0);
    expect(tallyRuns([])).toEqual(emptyTally());
  });

  it("counts a denial, a cancellation and a staged call as no failure", () => {
    const tally = tallyRuns([aRun({ tool_calls: 9, tool_denied: 4, tool_cancelled: 3, tool_staged: 2 })]);
    expect(rateOf(tally, "tool_error_rate")).toEqual({ hits: 0, of: 9 });
  });

  it("knows when a cost leaves something out", () => {
    const measured = { usage_complete: true, cost_usd: 1 };
    expect(costIsLowerBound(tallyRuns([aRun(measured)]))).toBe(false);
    expect(costIsLowerBound(tallyRuns([aRun(measured), aRun({ usage_complete: true })]))).toBe(true);
    expect(costIsLowerBound(tallyRuns([aRun({ ...measured, usage_complete: false })]))).toBe(true);
  });

  it("splits by provenance and model: recorded first, models in byte order", () => {
    const slices = tallyByModel([
      aRun({ model: "b" }),
      aRun({ model: "a", provenance: "derived", source: "claude-code" }),
      aRun({ model: "\u{1f600}" }),
      aRun({ model: "\uff5e" }),
      aRun({ model: "A" }),
      aRun({ model: "b" }),
    ]);
    expect(slices.map(({ provenance, model, tally }) => [provenance, model, tally.runs])).toEqual([
      ["recorded", "A", 1],
      ["recorded", "b", 2],
      ["recorded", "\uff5e", 1],
      ["recorded", "\u{1f600}", 1],
      ["derived", "a", 1],
    ]);
  });
});

describe.skipIf(sharedDir === null)(
  `stop cause vectors${sharedDir === null ? ` (${sharedMissing})` : ""}`,
  () => {
    const { stop_causes } = readVectors({ stop_causes: [] as { value: StopCause; cut_short: boolean }[] });
    it("are the causes we know, in our order", () => {
      expect(stop_causes.map(({ value }) => value)).toEqual([...STOP_CAUSES]);
    });
    it.each(stop_causes)("$value", ({ value, cut_short }) => {
      expect(CUT_SHORT.has(value)).toBe(cut_short);
      expect(tallyRuns([aRun({ stop_cause: value })]).cut_short).toBe(cut_short ? 1 : 0);
    });
  },
);
