import { type CostMetric, costOf } from "#lib/gate/metrics.ts";
import type { CaseRun } from "./scorecard.ts";

/** The cost of a run on a metric; `known: false` where its card does not tell. A known null is neutral. */
export type RunCost = { known: true; cost: number | null } | { known: false };

/**
 * From the run's own outcome row, where its card has one. Cards without tell the turns and the malformed arguments;
 * their tool errors count denials, and so give no error rate, unless the calls stand beside them (imported rows).
 */
export function runCost(run: CaseRun, metric: CostMetric): RunCost {
  if (run.stats !== null) return { known: true, cost: costOf(run.stats, metric) };
  switch (metric) {
    case "turns":
      return told(run.turns);
    case "malformed_args":
      return told(run.malformed_tool_args);
    case "tool_error_rate": {
      const { tool_calls, tool_errors } = run;
      if (tool_calls === null || tool_errors === null) return { known: false };
      return { known: true, cost: tool_calls === 0 ? null : tool_errors / tool_calls };
    }
    case "ended_on_failed_call":
    case "cut_short":
    case "compactions":
      return { known: false };
    default:
      return metric satisfies never;
  }
}

function told(cost: number | null): RunCost {
  return cost === null ? { known: false } : { known: true, cost };
}
