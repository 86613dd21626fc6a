import type { RunRow, SessionHead } from "#lib/transcript/run-row.ts";

/** A clean run; what matters to a test is given. */
export function aRun(over: Partial<RunRow> = {}): RunRow {
  return {
    source: "mecha",
    provenance: "recorded",
    session_id: "s1",
    run: 1,
    started_at: "2026-11-20T08:00:00Z",
    provider: "local",
    model: "alpha",
    subagent: false,
    turns: 2,
    usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    usage_complete: true,
    cost_usd: null,
    stop_cause: "completed",
    exhausted: false,
    ended_on_failed_call: false,
    tool_calls: 5,
    tool_errors: 0,
    tool_denied: 0,
    tool_cancelled: null,
    tool_staged: 0,
    malformed_tool_args: 0,
    blocked_sends: 0,
    compactions: 0,
    taint: null,
    config: null,
    ...over,
  };
}

/** A session of one model. */
export function aHead(over: Partial<SessionHead> = {}): SessionHead {
  return {
    source: "mecha",
    provenance: "recorded",
    id: "s1",
    path: "/store/s1.jsonl",
    created_at: "2026-11-20T08:00:00Z",
    provider: "local",
    model: "alpha",
    workspace: "/home/u/proj",
    title: "Tidy the notes",
    subagent: false,
    parent_id: null,
    bytes: 100,
    ...over,
  };
}
