import type { CaseRun } from "#lib/eval/scorecard.ts";
import { isObject } from "#lib/json-text.ts";
import type { NewJob } from "./queue.ts";

/** The run of a job that never came to an end of its own: it errored, and fails its case. Nothing is known of what it did. */
export function erroredRun({ caseId, run, payload }: NewJob, error: string): CaseRun {
  return {
    id: caseId,
    run,
    passed: false,
    tags: tagsIn(payload),
    checks: [],
    turns: null,
    elapsed_ms: null,
    malformed_tool_args: null,
    unknown_tools: null,
    tool_errors: null,
    tool_denied: null,
    tools_called: null,
    tool_calls: null,
    usage: null,
    cost_usd: null,
    error,
    text: "",
    stats: null,
    transcript: null,
  };
}

function tagsIn(payload: unknown): string[] {
  const tags = isObject(payload) ? payload.tags : null;
  return Array.isArray(tags) ? tags.filter((tag) => typeof tag === "string") : [];
}
