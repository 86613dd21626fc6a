import type { FoldResult } from "#lib/sources/adapter.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { deriveRuns } from "./derive.ts";
import type { DerivedRun, Outcome, State, Thread } from "./state.ts";

/**
 * The rows of one file: those of the session first, then those of its inline sub-agents. A row is numbered as its run
 * stands in the file, so that a run that has not finished yet keeps its number when it does.
 */
export function rowsOf(state: State): FoldResult {
  const result: Result = {
    runs: [],
    unfinished: [],
    provider_errors: [],
    marks: { runs: [], unfinished: [], provider_errors: [] },
  };
  addThread(result, state, state.main, state.subagent);
  for (const side of state.sides.values()) addThread(result, state, side, true);
  return result;
}

type Result = Required<FoldResult>;

function addThread(result: Result, state: State, thread: Thread, subagent: boolean): void {
  const { runs, unfinished, provider_errors, marks } = result;
  for (const [index, run] of deriveRuns(thread).entries()) {
    const outcome = outcomeOf(run);
    const id = sessionOf(state, thread, run);
    const mark = run.mark ?? id;
    if (outcome === "unfinished") {
      unfinished.push(run.started);
      marks.unfinished.push(mark);
    } else if (outcome === "provider_error") {
      provider_errors.push(run.started);
      marks.provider_errors.push(mark);
    } else {
      runs.push(rowOf(run, outcome, { id, number: index + 1, subagent }));
      marks.runs.push(mark);
    }
  }
}

/**
 * The session a run happened in. Resumed and forked files start with a copy of another session's records: those runs
 * keep their session, so that they are recognised when that session's own file is read too.
 */
function sessionOf(state: State, thread: Thread, run: DerivedRun): string {
  if (thread.id !== null) return thread.id;
  return state.subagent ? state.id : (run.session ?? state.id);
}

/** A person who refused a call and left it there ended the run; a limit or a refusal ends it with what was written. */
function outcomeOf(run: DerivedRun): Outcome {
  switch (run.stop) {
    case "completed":
      return "completed";
    case "token_limit":
    case "refusal":
      return run.spoke ? "completed" : "no_output";
    case "interrupted":
    case "denied":
      return "interrupted";
    case "api_error":
      return "provider_error";
    case "unfinished":
      return "unfinished";
    default:
      return run.stop satisfies never;
  }
}

type Place = { id: string; number: number; subagent: boolean };

function rowOf(
  run: DerivedRun,
  stop: Exclude<Outcome, "provider_error" | "unfinished">,
  place: Place,
): RunRow {
  const { results } = run;
  return {
    source: "claude-code",
    provenance: "derived",
    session_id: place.id,
    run: place.number,
    started_at: run.started,
    provider: "anthropic",
    model: run.model ?? "",
    subagent: place.subagent,
    turns: run.turns,
    usage: run.usage,
    usage_complete: run.usageComplete,
    cost_usd: null,
    stop_cause: stop,
    exhausted: false,
    ended_on_failed_call: run.endedOnFailedCall && stop === "completed",
    tool_calls: run.calls,
    // A result whose call is not in the file counts too, but never beyond the calls: the rate has to stay a share.
    tool_errors: Math.min(results.error + results.schema_error, run.calls),
    tool_denied: Math.min(results.denied_user + results.denied_policy + results.denied_unknown, run.calls),
    tool_cancelled: Math.min(results.cancelled, run.calls),
    tool_staged: null,
    malformed_tool_args: null,
    blocked_sends: null,
    compactions: run.compactions,
    taint: null,
    config: Object.keys(run.config).length === 0 ? null : run.config,
  };
}
