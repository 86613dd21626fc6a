/** What a run can cost. Lower is better for every one of them: two directions in one comparison is how it turns round unseen. */
export const COST_METRICS = [
  "ended_on_failed_call",
  "tool_error_rate",
  "cut_short",
  "compactions",
  "turns",
  "malformed_args",
] as const;
export type CostMetric = (typeof COST_METRICS)[number];

/** The counters of one run that the metrics read; keys as in the outcome record. null = the source cannot say. */
export type RunCounters = {
  turns: number | null;
  stop_cause: string | null;
  ended_on_failed_call: boolean | null;
  tool_calls: number | null;
  tool_errors: number | null;
  malformed_tool_args: number | null;
  compactions: number | null;
};

/** The causes by which the harness, not the model, ended a run. A person's interruption is not one. */
export const CUT_SHORT_CAUSES: readonly string[] = [
  "max_turns",
  "output_token_budget",
  "cost_budget",
  "loop",
  "no_output",
];

/**
 * The cost of one run: a count, a 0/1, or a share between 0 and 1. null is neutral and ties with everything:
 * a run that made no calls has no error rate, so that attempting nothing never looks perfect.
 */
export function costOf(run: RunCounters, metric: CostMetric): number | null {
  switch (metric) {
    case "ended_on_failed_call":
      return run.ended_on_failed_call === null ? null : Number(run.ended_on_failed_call);
    case "tool_error_rate":
      return run.tool_calls === null || run.tool_errors === null || run.tool_calls === 0
        ? null
        : run.tool_errors / run.tool_calls;
    case "cut_short":
      return run.stop_cause === null ? 0 : Number(CUT_SHORT_CAUSES.includes(run.stop_cause));
    case "compactions":
      return run.compactions;
    case "turns":
      return run.turns;
    case "malformed_args":
      return run.malformed_tool_args;
    default:
      return metric satisfies never;
  }
}

/** The cost of an episode that ran several times: the mean over the runs that have one; null where none has. */
export function meanCost(costs: readonly (number | null)[]): number | null {
  // Sorted, so that the order of the runs cannot move the last bit of the sum.
  const known = costs.filter((cost) => cost !== null).sort((a, b) => a - b);
  return known.length === 0 ? null : known.reduce((sum, cost) => sum + cost, 0) / known.length;
}
