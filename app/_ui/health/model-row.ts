import type { Rate } from "#lib/rate.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";
import type { CauseCount } from "../stop-causes.tsx";

/** One model of one provenance as the table shows it. */
export type ModelRow = {
  provenance: Provenance;
  model: string;
  runs: number;
  sessions: number;
  ended_on_failed_call: Rate;
  tool_error_rate: Rate;
  cut_short: Rate;
  causes: CauseCount[];
  cost: Cost;
  /** Pages about this model alone: its chart, and its sessions. */
  chartHref: string;
  sessionsHref: string;
};

/** Money over the priced runs; `lowerBound` when something is missing from it; null when nothing was priced. */
export type Cost = { usd: number | null; lowerBound: boolean; priced: number; runs: number };
