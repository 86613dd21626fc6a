import type { StopCause } from "#lib/transcript/record.ts";
import type { Provenance, RunRow, SessionHead, SourceKind } from "#lib/transcript/run-row.ts";

/** One session as `sessions list` shows it. */
export type SessionRow = {
  source: SourceKind;
  provenance: Provenance;
  id: string;
  /** RFC 3339, UTC. */
  started_at: string;
  provider: string;
  /** Of the header. */
  model: string;
  /** Of the runs, in order of first appearance. */
  models: string[];
  title: string | null;
  workspace: string;
  path: string;
  bytes: number;
  subagent: boolean;
  parent_id: string | null;
  runs: number;
  tool_calls: number;
  tool_errors: number;
  tool_denied: number;
  /** Of the last run; null when there is no run, or it was not recorded. */
  stop_cause: StopCause | null;
  /** Of the last run; null when there is none. */
  ended_on_failed_call: boolean | null;
  /** Sum over the runs that have a price; null when none has. */
  cost_usd: number | null;
};

/** Puts a session's header and its runs together. */
export function sessionRow(head: SessionHead, runs: readonly RunRow[]): SessionRow {
  const { created_at, ...rest } = head;
  const last = runs.at(-1);
  const priced = runs.flatMap(({ cost_usd }) => (cost_usd === null ? [] : [cost_usd]));
  return {
    ...rest,
    started_at: created_at,
    models: [...new Set(runs.map(({ model }) => model))],
    runs: runs.length,
    tool_calls: total(runs, "tool_calls"),
    tool_errors: total(runs, "tool_errors"),
    tool_denied: total(runs, "tool_denied"),
    stop_cause: last?.stop_cause ?? null,
    ended_on_failed_call: last?.ended_on_failed_call ?? null,
    cost_usd: priced.length === 0 ? null : priced.reduce((sum, cost) => sum + cost, 0),
  };
}

function total(runs: readonly RunRow[], key: "tool_calls" | "tool_errors" | "tool_denied"): number {
  return runs.reduce((sum, run) => sum + run[key], 0);
}
