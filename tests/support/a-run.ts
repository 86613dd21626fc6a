import type { RunRow } from "#lib/transcript/run-row.ts";

/** A finished run of a recorded session in which nothing happened; the test says what did. */
export function aRun(what: Partial<RunRow> = {}): RunRow {
  return {
    source: "mecha",
    provenance: "recorded",
    session_id: "20261101T090000-00000001",
    run: 1,
    started_at: "2026-11-01T09:00:00Z",
    provider: "local",
    model: "m",
    subagent: false,
    turns: 0,
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    usage_complete: false,
    cost_usd: null,
    stop_cause: null,
    exhausted: false,
    ended_on_failed_call: false,
    tool_calls: 0,
    tool_errors: 0,
    tool_denied: 0,
    tool_cancelled: null,
    tool_staged: 0,
    malformed_tool_args: 0,
    blocked_sends: 0,
    compactions: 0,
    taint: { private: false, untrusted: false },
    config: null,
    ...what,
  };
}
