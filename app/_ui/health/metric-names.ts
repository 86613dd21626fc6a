import type { Metric } from "#lib/health/tally.ts";

/** The rates in words, and what stands above the line. */
export const METRIC_NAME: Record<Metric, string> = {
  ended_on_failed_call: "Ended on a failed call",
  tool_error_rate: "Tool errors",
  cut_short: "Cut short",
};
