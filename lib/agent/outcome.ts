import type { Outcome, StopCause, Taint, Usage } from "#lib/transcript/record.ts";
import type { TraceEntry } from "./trace.ts";
import { addUsage, NO_USAGE } from "./usage.ts";

/** What a run counted beside its calls. `cost_usd` is null without prices; `stop_cause` after a failed provider. */
export type RunCounts = Pick<
  Outcome,
  | "turns"
  | "usage"
  | "cost_usd"
  | "usage_complete"
  | "stop_cause"
  | "malformed_tool_args"
  | "blocked_sends"
  | "compactions"
  | "taint"
>;

/** The row of one run. Every number is a count of what happened; none is read out of what a tool said. */
export function outcomeOf(counts: RunCounts, trace: readonly TraceEntry[]): Outcome {
  return {
    turns: counts.turns,
    usage: counts.usage,
    cost_usd: counts.cost_usd,
    usage_complete: counts.usage_complete,
    stop_cause: counts.stop_cause,
    exhausted: counts.stop_cause !== null && BUDGETS.has(counts.stop_cause),
    ended_on_failed_call: endedOnFailedCall(trace, counts.stop_cause),
    ...countCalls(trace),
    malformed_tool_args: counts.malformed_tool_args,
    blocked_sends: counts.blocked_sends,
    compactions: counts.compactions,
    taint: counts.taint,
  };
}

const BUDGETS: ReadonlySet<StopCause> = new Set<StopCause>([
  "max_turns",
  "output_token_budget",
  "cost_budget",
]);

/** A denial is the harness at work and no error; a call of a tool that does not exist is one. */
export function countCalls(
  trace: readonly TraceEntry[],
): Pick<Outcome, "tool_calls" | "tool_errors" | "tool_denied" | "tool_staged"> {
  const count = (holds: (entry: TraceEntry) => boolean) => trace.filter(holds).length;
  return {
    tool_calls: trace.length,
    tool_errors: count((entry) => entry.unknown || (entry.is_error && !entry.denied)),
    tool_denied: count((entry) => entry.denied),
    tool_staged: count((entry) => entry.staged),
  };
}

/**
 * Did the model end the run itself, and was its last call a failed one? Calls that were denied or staged say nothing about
 * that, so the last of the others decides; without one, or when something else ended the run, the answer is no.
 */
export function endedOnFailedCall(trace: readonly TraceEntry[], cause: StopCause | null): boolean {
  if (cause !== "completed") return false;
  const last = trace.findLast((entry) => !entry.denied && !entry.staged);
  return last !== undefined && (last.is_error || last.unknown);
}

/**
 * Several runs of one conversation as one row: counts, usage and cost add up, what had entered the conversation stays,
 * and how it ended is how the last run ended. The cost is unknown when that of any run is.
 */
export function foldOutcomes(outcomes: readonly Outcome[]): Outcome {
  const last = outcomes.at(-1);
  const sum = (key: CountKey) => outcomes.reduce((total, outcome) => total + outcome[key], 0);
  const costs = outcomes.map((outcome) => outcome.cost_usd);
  return {
    turns: sum("turns"),
    usage: outcomes.reduce<Usage>((total, outcome) => addUsage(total, outcome.usage), NO_USAGE),
    cost_usd: costs.includes(null) || last === undefined ? null : costs.reduce<number>(plus, 0),
    usage_complete: outcomes.every((outcome) => outcome.usage_complete),
    stop_cause: last?.stop_cause ?? null,
    exhausted: last?.exhausted ?? false,
    ended_on_failed_call: last?.ended_on_failed_call ?? false,
    tool_calls: sum("tool_calls"),
    tool_errors: sum("tool_errors"),
    tool_denied: sum("tool_denied"),
    tool_staged: sum("tool_staged"),
    malformed_tool_args: sum("malformed_tool_args"),
    blocked_sends: sum("blocked_sends"),
    compactions: sum("compactions"),
    taint: outcomes.map((outcome) => outcome.taint).reduce(joinTaint, { private: false, untrusted: false }),
  };
}

type CountKey = {
  [Key in keyof Outcome]: Outcome[Key] extends number ? Key : never;
}[keyof Outcome];

function plus(total: number, cost: number | null): number {
  return total + (cost ?? 0);
}

/** Taint is never taken away. */
export function joinTaint(a: Taint, b: Taint): Taint {
  return { private: a.private || b.private, untrusted: a.untrusted || b.untrusted };
}
