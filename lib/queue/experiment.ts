import type { CostMetric } from "#lib/gate/metrics.ts";
import type { ChangeClass } from "#lib/gate/rules.ts";

/** What a person asks to be measured. Paths are absolute; every part was read by the parsers of the command line. */
export type ExperimentRequest = {
  /** `KEY=VALUE`, at least one. */
  overrides: string[];
  changeClass: ChangeClass;
  /** The counter that is predicted to fall; null: case passes are judged. */
  metric: CostMetric | null;
  rationale: string | null;
  holdoutIn: number;
  proposalId: string | null;
  /** Null: the configuration's own. */
  provider: string | null;
  model: string | null;
  casesFile: string;
  tags: string[];
  runsPerCase: number;
  /** Case runs in flight at most, over all workers. */
  concurrency: number;
  judge: { provider: string | null; model: string | null };
  /** Null: the set needs no servers. */
  mcpFile: string | null;
};

export type ExperimentState = "queued" | "running" | "done" | "failed" | "cancelled";

/** One arm, in case runs. Nothing is divided here. */
export type ArmProgress = {
  total: number;
  done: number;
  /** Of the finished ones: graded and not passed. Those that errored are not among them. */
  failing: number;
  errored: number;
};

/** An experiment as its page and the list show it. Times are ms since the epoch. */
export type ExperimentView = {
  id: string;
  createdAt: number;
  createdBy: string | null;
  startedAt: number | null;
  finishedAt: number | null;
  state: ExperimentState;
  request: ExperimentRequest;
  /** Null until a worker has prepared it. */
  arms: { a: ArmProgress; b: ArmProgress } | null;
  /** About so long, from the runs that are finished; null when nobody can say. */
  msLeft: number | null;
  problem: string | null;
  /** Ended so long ago that its jobs were removed: nothing of it can be run again. */
  swept: boolean;
  verdictId: string | null;
};
