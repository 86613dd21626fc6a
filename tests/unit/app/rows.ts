import type { RunRow, SessionHead } from "#lib/transcript/run-row.ts";
import { aRun as anIdleRun } from "#tests/support/a-run.ts";

/** A clean run; what matters to a test is given. */
export function aRun(over: Partial<RunRow> = {}): RunRow {
  return anIdleRun({
    session_id: "s1",
    started_at: "2026-11-20T08:00:00Z",
    model: "alpha",
    turns: 2,
    usage: { input_tokens: 1, output_tokens: 1, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    usage_complete: true,
    stop_cause: "completed",
    tool_calls: 5,
    taint: null,
    ...over,
  });
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
