import { describe, expect, test } from "vitest";
import { armGuard, callDigest, UNARMED, watchTurn } from "#lib/agent/loop-guard.ts";
import { countCalls, endedOnFailedCall, foldOutcomes, outcomeOf } from "#lib/agent/outcome.ts";
import type { TraceEntry } from "#lib/agent/trace.ts";
import { costOf, usableUsage } from "#lib/agent/usage.ts";
import { CUT_SHORT, type Outcome, STOP_CAUSES, type StopCause } from "#lib/transcript/record.ts";
import { usage } from "#tests/support/a-loop.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

type Flags = Omit<TraceEntry, "input">;
type Vectors = {
  run_counters: {
    name: string;
    trace: Flags[];
    stop_cause: StopCause;
    counters: Record<string, number>;
    ended_on_failed_call: boolean;
  }[];
  loop_guard: {
    vectors: { name: string; events: ("compact" | string[])[]; fires_at_event_index: number | null }[];
  };
  stop_causes: { value: StopCause; cut_short: boolean; is_early: boolean }[];
};

const vectors = readVectors<Vectors>({ run_counters: [], loop_guard: { vectors: [] }, stop_causes: [] });

describe.skipIf(sharedDir === null)(sharedDir === null ? sharedMissing : "the known vectors", () => {
  test.each(vectors.run_counters)("counters: $name", (vector) => {
    const trace = vector.trace.map((flags) => ({ ...flags, input: {} }));
    expect(countCalls(trace)).toEqual(vector.counters);
    expect(endedOnFailedCall(trace, vector.stop_cause)).toBe(vector.ended_on_failed_call);
  });

  test.each(vectors.loop_guard.vectors)("loop guard: $name", ({ events, fires_at_event_index }) => {
    expect(firesAt(events)).toBe(fires_at_event_index);
  });

  test("stop causes are those and in that order, and the same ones cut a run short", () => {
    expect(vectors.stop_causes.map(({ value }) => value)).toEqual([...STOP_CAUSES]);
    for (const { value, cut_short, is_early } of vectors.stop_causes) {
      expect([value, CUT_SHORT.has(value)]).toEqual([value, cut_short]);
      expect([value, value !== "completed"]).toEqual([value, is_early]);
    }
  });
});

function firesAt(events: readonly ("compact" | string[])[]): number | null {
  let guard = UNARMED;
  for (const [index, event] of events.entries()) {
    if (event === "compact") guard = armGuard(guard);
    else {
      const seen = watchTurn(guard, event);
      if (seen.fires) return index;
      guard = seen.guard;
    }
  }
  return null;
}

describe("the loop guard", () => {
  test("goes on over a second summary: it has not forgotten what came after the first", () => {
    expect(firesAt(["compact", ["A"], "compact", ["A"]])).toBe(3);
  });

  test("takes calls for equal whatever the order of their arguments, and only with an equal result", () => {
    const digest = callDigest("t", { a: 1, b: { c: 2, d: 3 } }, "r");
    expect(callDigest("t", { b: { d: 3, c: 2 }, a: 1 }, "r")).toBe(digest);
    expect(callDigest("t", { a: 1, b: { c: 2, d: 3 } }, "r2")).not.toBe(digest);
    expect(callDigest("u", { a: 1, b: { c: 2, d: 3 } }, "r")).not.toBe(digest);
  });
});

const entry: TraceEntry = {
  name: "t",
  input: {},
  is_error: false,
  denied: false,
  unknown: false,
  staged: false,
};

function anOutcome(cause: StopCause | null, over: Partial<Outcome> = {}): Outcome {
  const counts = {
    turns: 2,
    usage: usage(10, 5),
    cost_usd: 0.5,
    usage_complete: true,
    stop_cause: cause,
    malformed_tool_args: 1,
    blocked_sends: 2,
    compactions: 3,
    taint: { private: true, untrusted: false },
  };
  return { ...outcomeOf(counts, [entry, { ...entry, is_error: true }]), ...over };
}

describe("an outcome", () => {
  test("is exhausted by budgets alone", () => {
    const exhausted = STOP_CAUSES.filter((cause) => anOutcome(cause).exhausted);
    expect(exhausted).toEqual(["max_turns", "output_token_budget", "cost_budget"]);
    expect(anOutcome(null).exhausted).toBe(false);
  });

  test("counts an unknown tool as an error by that alone", () => {
    expect(countCalls([{ ...entry, unknown: true }]).tool_errors).toBe(1);
    expect(endedOnFailedCall([{ ...entry, unknown: true }], "completed")).toBe(true);
  });

  test("ends on a failed call only where the model stopped of its own accord", () => {
    expect(STOP_CAUSES.filter((cause) => anOutcome(cause).ended_on_failed_call)).toEqual(["completed"]);
  });

  test("costs what its four kinds of tokens cost", () => {
    const spent = {
      input_tokens: 1_000_000,
      output_tokens: 2_000_000,
      cache_creation_input_tokens: 4_000_000,
      cache_read_input_tokens: 10_000_000,
    };
    expect(costOf(spent, { inputPerMtok: 3, outputPerMtok: 15 })).toBeCloseTo(3 + 30 + 15 + 3, 9);
    expect(costOf(spent, null)).toBeNull();
  });

  test.each([Number.NaN, -1, 1.5, Number.POSITIVE_INFINITY, 2 ** 60, 1e12 + 1])(
    "a count of %d is none",
    (count) => {
      expect(usableUsage(usage(count, 1))).toBeNull();
      expect(usableUsage(usage(1, count))).toBeNull();
    },
  );
});

describe("several runs as one row", () => {
  test("add up, and end as the last one ended", () => {
    const first = anOutcome("max_turns", { taint: { private: false, untrusted: true } });
    const last = anOutcome("completed", { turns: 5, usage_complete: false });
    expect(foldOutcomes([first, last])).toEqual({
      turns: 7,
      usage: usage(20, 10),
      cost_usd: 1,
      usage_complete: false,
      stop_cause: "completed",
      exhausted: false,
      ended_on_failed_call: true,
      tool_calls: 4,
      tool_errors: 2,
      tool_denied: 0,
      tool_staged: 0,
      malformed_tool_args: 2,
      blocked_sends: 4,
      compactions: 6,
      taint: { private: true, untrusted: true },
    });
    expect(foldOutcomes([last, first])).toMatchObject({ stop_cause: "max_turns", exhausted: true });
  });

  test("one is itself; a run without a price leaves the sum without one; none are nothing", () => {
    const one = anOutcome("completed");
    expect(foldOutcomes([one])).toEqual(one);
    expect(foldOutcomes([one, anOutcome("completed", { cost_usd: null })]).cost_usd).toBeNull();
    expect(foldOutcomes([])).toMatchObject({ turns: 0, cost_usd: null, stop_cause: null });
  });
});
