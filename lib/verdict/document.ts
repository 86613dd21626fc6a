import type { Judgement } from "#lib/gate/judge.ts";
import type { CostMetric } from "#lib/gate/metrics.ts";
import type { ChangeClass, RunCoverage } from "#lib/gate/rules.ts";
import type { Slice } from "#lib/gate/split.ts";
import type { Outcome } from "#lib/gate/tally.ts";

export const VERDICT_SCHEMA = "mecha.verdict/1";

/** What was measured of one episode in one arm: nothing in it follows from anything else in the document. */
export type RawCell = {
  /** Runs made, those that ended in an error included. */
  runs: number;
  errored: number;
  /** Runs that passed; null where passes were not graded. */
  passed: number | null;
  /** The judged counter of each finished run, null = neutral; null as a whole where case passes are judged. */
  values: (number | null)[] | null;
  /** Tool calls attempted, over all runs (over the finished ones where a counter is judged); null = not told. */
  work: number | null;
};

/** Where an arm's numbers come from, as far as that was recorded; null = not recorded. */
export type ArmSource = {
  /** What a person calls the arm. */
  label: string;
  /** The report or file it was read from: a card's name, or a path as it was given. */
  name: string | null;
  /** SHA-256 of that file's bytes. */
  sha256: string | null;
  model: string | null;
  provider: string | null;
  runs_per_case: number | null;
  case_set_sha256: string | null;
  fixture_sha256: string | null;
  judge: { provider: string; model: string } | null;
  grader_version: string | null;
  sandbox: string | null;
  seed: number | null;
  concurrency: number | null;
  /** RFC 3339. */
  created_at: string | null;
  partial: boolean | null;
  /** Runs that were never made, and so are in no episode. */
  not_scored: number;
};

export type Prediction = {
  change_class: ChangeClass;
  /** What was changed: `max_turns=40`; null where nobody said. */
  change: string | null;
  /** The cost that was said to fall; null where nothing was predicted. */
  metric: CostMetric | null;
  rationale: string | null;
  /** RFC 3339: when it was written down, which has to be before the measurement. */
  made_at: string | null;
};

/** What a verdict is made from. Everything else in a document is worked out of this. */
export type RawVerdict = {
  /** RFC 3339. */
  created_at: string;
  /** Program and version: `mecha 0.1.0`. */
  made_by: string;
  currency: "case_passes" | CostMetric;
  holdout_in: number;
  prediction: Prediction;
  arms: { baseline: ArmSource; candidate: ArmSource };
  /** Each id once. */
  episodes: { episode: string; baseline: RawCell | null; candidate: RawCell | null }[];
};

/** Why an episode is listed and not scored. */
export type LeftOut = "baseline_only" | "candidate_only" | "unequal_runs" | "errored";

export type Cell = RawCell & { cost: number | null };

export type EpisodeRow = {
  episode: string;
  slice: Slice;
  baseline: Cell | null;
  candidate: Cell | null;
  /** From the candidate's side; null where it is left out. */
  outcome: Outcome | null;
  left_out: LeftOut | null;
  /** Whether the case passes now and did not before, or the other way round; null where passes are not known. */
  case_change: "improved" | "regressed" | "same" | null;
};

export type ArmSummary = ArmSource & {
  coverage: RunCoverage & { total: number };
  /** Cases that passed all their runs, of all it ran; null where passes were not graded. */
  cases: { passed: number; total: number } | null;
};

/** The verdict as it is stored, hashed, exported and drawn. */
export type VerdictDocument = {
  schema: typeof VERDICT_SCHEMA;
  /** SHA-256, hex, of the canonical JSON of everything else. */
  id: string;
  created_at: string;
  made_by: string;
  currency: RawVerdict["currency"];
  split: { hash: "fnv1a64"; holdout_in: number };
  prediction: Prediction;
  case_set: { episodes: number; paired: number; sha256: string };
  arms: { baseline: ArmSummary; candidate: ArmSummary };
  /** By id, in code-unit order. */
  episodes: EpisodeRow[];
  judgement: Judgement;
};
