import type { Rate } from "#lib/rate.ts";
import type { StopCause, Usage } from "#lib/transcript/record.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";

/** The rates mecha states about runs; all are costs, so lower is better. */
export const METRICS = ["ended_on_failed_call", "tool_error_rate", "cut_short"] as const;
export type Metric = (typeof METRICS)[number];

/** Counts over a set of runs. A `number | null` is null when no run of the set could say. */
export type Tally = {
  runs: number;
  /** Sessions that hold at least one of the runs. */
  sessions: number;
  stop_causes: Partial<Record<StopCause | "unrecorded", number>>;
  cut_short: number;
  ended_on_failed_call: number;
  turns: number;
  tool_calls: number;
  tool_errors: number;
  tool_denied: number;
  tool_cancelled: number | null;
  tool_staged: number | null;
  malformed_tool_args: number | null;
  blocked_sends: number | null;
  compactions: number;
  usage: Usage;
  /** Runs whose usage is a measurement; of the rest it is a lower bound. */
  usage_complete_runs: number;
  /** Sum over the priced runs; a lower bound when `runs_priced` < `runs`. */
  cost_usd: number;
  runs_priced: number;
};

/** A tally of one model. Two provenances of one model are two slices: a rate never mixes them. */
export type ModelSlice = { provenance: Provenance; model: string; tally: Tally };

/** The pair behind a metric: runs for the first and last, calls for `tool_error_rate`. */
export function rateOf(tally: Tally, metric: Metric): Rate {
  switch (metric) {
    case "ended_on_failed_call":
      return { hits: tally.ended_on_failed_call, of: tally.runs };
    case "tool_error_rate":
      return { hits: tally.tool_errors, of: tally.tool_calls };
    case "cut_short":
      return { hits: tally.cut_short, of: tally.runs };
    default:
      return metric satisfies never;
  }
}
