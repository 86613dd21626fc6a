import type { RunResult } from "#lib/agent/parts.ts";
import { isoUtc } from "#lib/time.ts";
import type { Outcome } from "#lib/transcript/record.ts";
import type { NewRow } from "#lib/trigger/ledger-line.ts";
import { durationText, type Trigger } from "#lib/trigger/trigger.ts";
import type { Dropped } from "./due.ts";

/** A run of a trigger, under way. */
export type Attempt = {
  trigger: string;
  /** Null: a person started it. */
  slot_ms: number | null;
  started_at: string;
  session_id: string | null;
};

const SUMMARY_MAX = 300;
const ERROR_MAX = 500;

/** The row of a run that came to an end of its own: `error` only where no outcome was written. */
export function finishedRow(
  trigger: Trigger,
  attempt: Attempt,
  result: Pick<RunResult, "failure" | "outcome" | "text">,
  finished_at: string,
): NewRow {
  const failed = result.failure !== null;
  return {
    ...plainRow(attempt),
    finished_at,
    status: failed ? "error" : "ok",
    ...countsOf(result.outcome),
    stop_cause: failed ? null : result.outcome.stop_cause,
    summary: firstLine(result.text, SUMMARY_MAX),
    error: result.failure === null ? null : firstLine(result.failure, ERROR_MAX),
    notify_error: unheard(trigger),
  };
}

/** The row of a run that could not be started, or whose transcript could not be written. */
export function failedRow(trigger: Trigger, attempt: Attempt, problem: string, finished_at: string): NewRow {
  return {
    ...plainRow(attempt),
    finished_at,
    status: "error",
    error: firstLine(problem, ERROR_MAX),
    notify_error: unheard(trigger),
  };
}

/** The row of a run whose process was killed: it could not write one itself. Nobody knows when it ended. */
export function lostRow(attempt: Attempt): NewRow {
  return {
    ...plainRow(attempt),
    status: "error",
    error: "its process ended without a word: it was killed, or the machine went down",
  };
}

/** One row for slots that nobody will run; the newest of them accounts for all. */
export function staleRow(
  trigger: Trigger,
  dropped: Dropped,
  { now, run_ms }: { now: string; run_ms: number | null },
): NewRow {
  const { slots, more, first_ms, last_ms } = dropped;
  const which =
    slots === 1
      ? `the slot of ${isoUtc(last_ms)} was missed`
      : `${more ? "more than " : ""}${slots} slots were missed, the first of them ${isoUtc(first_ms)}`;
  const why =
    run_ms === null
      ? `too late to run: catch_up is ${typeof trigger.catch_up === "number" ? durationText(trigger.catch_up) : trigger.catch_up}`
      : `the run of ${isoUtc(run_ms)} makes up for it`;
  const attempt = { trigger: trigger.name, slot_ms: last_ms, started_at: now, session_id: null };
  return { ...plainRow(attempt), status: "skipped-stale", error: `${which}; ${why}` };
}

/** The row of a slot that came while the run before it was still going. */
export function overlapRow(trigger: string, slot_ms: number, now: string, running_since: string): NewRow {
  const attempt = { trigger, slot_ms, started_at: now, session_id: null };
  return {
    ...plainRow(attempt),
    status: "skipped-overlap",
    error: `the run that began at ${running_since} was still going`,
  };
}

function plainRow({ trigger, slot_ms, started_at, session_id }: Attempt): NewRow {
  return {
    ...{ trigger, slot_ms, started_at, finished_at: null, status: "ok", session_id },
    ...{ turns: 0, cost_usd: null, blocked_sends: 0, staged: 0 },
    taint: { private: false, untrusted: false },
    ...{ tool_calls: 0, tool_errors: 0, ended_on_failed_call: false, stop_cause: null },
    ...{ summary: "", error: null, notify_error: null },
    // A row without a slot is one of a run that a person started; a skipped slot has one.
    manual: slot_ms === null,
  };
}

function countsOf(outcome: Outcome) {
  const { turns, cost_usd, blocked_sends, taint, tool_calls, tool_errors, ended_on_failed_call } = outcome;
  const staged = outcome.tool_staged;
  return { turns, cost_usd, blocked_sends, staged, taint, tool_calls, tool_errors, ended_on_failed_call };
}

/** A file may ask that somebody be told. Not doing so must not look like having done it. */
function unheard({ notify }: Trigger): string | null {
  return notify === null ? null : "this version of mecha sends nothing to anybody";
}

/** The first line that says something, without the space around it. */
function firstLine(text: string, lengthMax: number): string {
  const line = text
    .split(/\r?\n/)
    .map((one) => one.trim())
    .find((one) => one !== "");
  if (line === undefined) return "";
  const letters = [...line];
  return letters.length <= lengthMax ? line : `${letters.slice(0, lengthMax - 1).join("")}…`;
}
