import type { Outcome, Usage } from "#lib/transcript/record.ts";

/** One thing a run was checked for. `detail` says why it failed; empty otherwise. */
export type Check = { name: string; passed: boolean; detail: string };

/** One run of one case. A null count is one that the file does not tell: never a zero. */
export type CaseRun = {
  id: string;
  /** 1-based within the case. */
  run: number;
  passed: boolean;
  tags: string[];
  checks: Check[];
  turns: number | null;
  elapsed_ms: number | null;
  malformed_tool_args: number | null;
  unknown_tools: number | null;
  tool_errors: number | null;
  /** Refusals, apart from errors; null in cards whose grader counted them among the errors. */
  tool_denied: number | null;
  /** Names of the attempted calls, in order. */
  tools_called: string[] | null;
  /** Attempted calls where only their number is known. */
  tool_calls: number | null;
  usage: Usage | null;
  cost_usd: number | null;
  /** Why the run could not finish; such a run fails its case. */
  error: string | null;
  text: string;
  /** The run's outcome row, as its transcript would hold it. */
  stats: Outcome | null;
  /** Path of the transcript beside the report. */
  transcript: string | null;
};

export type TagRow = { tag: string; passed: number; total: number; passed_any: number | null };

/**
 * The headline of a report. `passed` counts the cases that passed all their runs, `passed_any` those that passed one;
 * it is null on a card whose every case ran once. Other nulls: the file does not tell.
 */
export type Head = {
  total: number;
  passed: number;
  passed_any: number | null;
  runs_per_case: number;
  check_pass_rate: number | null;
  malformed_tool_args: number | null;
  unknown_tools: number | null;
  tool_errors: number | null;
  runs_errored: number | null;
  mean_turns: number | null;
  median_latency_ms: number | null;
  total_usage: Usage | null;
  by_tag: TagRow[] | null;
};

/** What a card was made with, as far as it tells; two cards that differ in it may not measure the same thing. */
export type CardMeta = {
  case_set_sha256: string | null;
  fixture_sha256: string | null;
  judge: { provider: string; model: string } | null;
  concurrency: number | null;
  grader_version: string | null;
  seed: number | null;
  sandbox: string | null;
  /** RFC 3339. */
  created_at: string | null;
  /** True: the pass was broken off; what is here is not all of it. */
  partial: boolean | null;
  cost_usd: number | null;
  /** What the judge took, apart from what the model under test took. */
  judge_usage: Usage | null;
  judge_cost_usd: number | null;
  /** Cases that were not run, and why. */
  not_scored: { id: string; reason: string }[];
};

/** A report as it stands in its file. */
export type Report = {
  model: string;
  provider: string;
  /** As written. What the cases themselves give: `headOf` in head.ts. */
  head: Head;
  wall_clock_ms: number | null;
  meta: CardMeta;
  runs: CaseRun[];
};

/** A report under the name it is shown by: its path relative to the results folder. */
export type Card = { name: string; report: Report };

/** Attempted calls of one run; null when the file does not tell. */
export function callsOf(run: CaseRun): number | null {
  return run.stats?.tool_calls ?? run.tool_calls ?? run.tools_called?.length ?? null;
}
