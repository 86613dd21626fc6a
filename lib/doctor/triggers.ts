import { percent } from "#lib/format.ts";
import { ratio } from "#lib/rate.ts";
import { isoUtc } from "#lib/time.ts";
import type { LedgerRow } from "#lib/trigger/ledger.ts";
import { slotsAfter, slotsUntil } from "#lib/trigger/schedule.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import type { Finding, TriggerMark, TriggerStatus } from "./finding.ts";

const WINDOW = 5;
const CALLS_FLOOR = 10;
const ERROR_RATE = 1 / 3;
/** So many slots may pass unaccounted before it is said; one or two are a laptop that was closed. */
export const SLOTS_MISSED = 3;

/** A trigger with its own ledger rows, in file order, and the zone its schedule is read in when it names none. */
export type TriggerHistory = { trigger: Trigger; rows: readonly LedgerRow[]; zone: string };

/** What is wrong with one trigger as of an instant, in a fixed order. Disabled triggers are not examined. */
export function triggerFindings(history: TriggerHistory, as_of_ms: number): Finding[] {
  if (!history.trigger.enabled) return [];
  const rows = history.rows.filter((row) => row.started_ms <= as_of_ms);
  const missed = missedFinding({ ...history, rows }, as_of_ms);
  return [...windowFindings(history.trigger.name, runWindow(rows)), ...(missed === null ? [] : [missed])];
}

/** What its last runs say about a trigger. */
export function windowFindings(name: string, window: readonly LedgerRow[]): Finding[] {
  return [
    lastRunFailed(window) ? failedFinding(name, window) : null,
    failsItsCalls(window) ? callsFinding(name, window) : null,
    didNoWork(window) ? noWorkFinding(name, window) : null,
  ].filter((finding) => finding !== null);
}

/** The last five runs in file order; a skipped slot is not a run, a manual run is one. */
export function runWindow(rows: readonly LedgerRow[]): LedgerRow[] {
  return rows.filter(({ status }) => status === "ok" || status === "error").slice(-WINDOW);
}

export function lastRunFailed(window: readonly LedgerRow[]): boolean {
  return window.at(-1)?.status === "error";
}

/** A third of the calls over the window; under ten calls a rate is noise. */
export function failsItsCalls(window: readonly LedgerRow[]): boolean {
  const rate = callsOf(window);
  return rate.of >= CALLS_FLOOR && (ratio(rate) ?? 0) >= ERROR_RATE;
}

/**
 * The newest run succeeded without a call although the runs before it worked: against the trigger's own habit, never an
 * absolute floor, for a prompt may need no tools. When the newest run failed, that is the finding.
 */
export function didNoWork(window: readonly LedgerRow[]): boolean {
  const newest = window.at(-1);
  if (newest === undefined || newest.status !== "ok" || newest.tool_calls > 0) return false;
  return callsOf(window.slice(0, -1)).of >= CALLS_FLOOR;
}

function callsOf(rows: readonly LedgerRow[]) {
  return rows.reduce((sum, row) => ({ hits: sum.hits + row.tool_errors, of: sum.of + row.tool_calls }), {
    hits: 0,
    of: 0,
  });
}

/**
 * The slot since which a trigger counts as stuck, in ms: the third after its newest accounted slot (or, before any, its
 * creation), once that has come. Null while it is not, and for a trigger that does not catch up on every slot.
 */
export function stuckSince({ trigger, rows, zone }: TriggerHistory, as_of_ms: number): number | null {
  if (trigger.catch_up !== "always") return null;
  const anchor = anchorOf(trigger, rows);
  if (anchor === null) return null;
  const third = slotsUntil(trigger.schedule, trigger.timezone ?? zone, SLOTS_MISSED, as_of_ms)[
    SLOTS_MISSED - 1
  ];
  if (third === undefined || third <= anchor) return null;
  return (
    slotsAfter(trigger.schedule, trigger.timezone ?? zone, SLOTS_MISSED, anchor)[SLOTS_MISSED - 1] ?? third
  );
}

function anchorOf(trigger: Trigger, rows: readonly LedgerRow[]): number | null {
  const newest = rows.reduce(
    (latest, { slot_ms }) => Math.max(latest, slot_ms ?? latest),
    Number.NEGATIVE_INFINITY,
  );
  if (Number.isFinite(newest)) return newest;
  return trigger.created_at === null ? null : Date.parse(trigger.created_at);
}

/** The trigger as a page lists it: its next slot and its last five ledger rows, oldest first. */
export function triggerStatus(
  history: TriggerHistory,
  as_of_ms: number,
  findings: readonly Finding[],
): TriggerStatus {
  const { trigger, zone } = history;
  const rows = history.rows.filter((row) => row.started_ms <= as_of_ms);
  const next = trigger.enabled
    ? slotsAfter(trigger.schedule, trigger.timezone ?? zone, 1, as_of_ms)[0]
    : undefined;
  const first = Math.max(0, rows.length - WINDOW);
  return {
    name: trigger.name,
    enabled: trigger.enabled,
    schedule: trigger.schedule.pattern,
    timezone: trigger.timezone,
    description: trigger.description,
    next_at: next === undefined ? null : isoUtc(next),
    marks: rows.slice(first).map((row, i) => markOf(row, rows.slice(0, first + i + 1))),
    finding_ids: findings.map(({ id }) => id),
  };
}

function markOf(row: LedgerRow, until: readonly LedgerRow[]): TriggerMark {
  const { started_at, tool_calls, tool_errors, session_id } = row;
  return { outcome: outcomeOf(row, until), started_at, tool_calls, tool_errors, session_id };
}

function outcomeOf({ status }: LedgerRow, until: readonly LedgerRow[]): TriggerMark["outcome"] {
  switch (status) {
    case "ok":
      return didNoWork(runWindow(until)) ? "did_nothing" : "ok";
    case "error":
      return "error";
    case "skipped-overlap":
    case "skipped-stale":
      return "skipped";
    default:
      return status satisfies never;
  }
}

// ---- findings ---------------------------------------------------------------------------------------------------
// No text of a run (its answer, its error) enters a finding: findings are read by a model later on, and must hold
// nothing but what this program counted.

function failedFinding(name: string, window: readonly LedgerRow[]): Finding {
  const newest = window.at(-1);
  const failed = window.filter(({ status }) => status === "error").length;
  return {
    ...frame(name, "last_run_failed", ["mecha", "trigger", "run", name], "run it once more and watch"),
    summary: `trigger ${name}: its most recent run failed`,
    detail: `the run of ${newest?.started_at ?? ""} ended in an error; ${failed} of its last ${window.length} run(s) did`,
    evidence: {
      trigger: name,
      started_at: newest?.started_at ?? null,
      failed_runs: failed,
      runs: window.length,
    },
  };
}

function callsFinding(name: string, window: readonly LedgerRow[]): Finding {
  const rate = callsOf(window);
  const ended = window.at(-1)?.ended_on_failed_call === true;
  return {
    ...frame(name, "tool_error_rate", ["mecha", "trigger", "show", name], "read its recent runs"),
    summary: `trigger ${name} fails its tool calls: ${percent(rate, 0)}`,
    detail: `${rate.hits} of ${rate.of} tool calls over its last ${window.length} run(s) failed${ended ? ", and the most recent run ended on a failed call" : ""}`,
    evidence: {
      trigger: name,
      hits: rate.hits,
      of: rate.of,
      rate: ratio(rate),
      threshold: ERROR_RATE,
      runs: window.length,
      ended_on_failed_call: ended ? 1 : 0,
    },
  };
}

function noWorkFinding(name: string, window: readonly LedgerRow[]): Finding {
  const newest = window.at(-1);
  const earlier = callsOf(window.slice(0, -1)).of;
  return {
    ...frame(name, "did_no_work", ["mecha", "trigger", "show", name], "read its recent runs"),
    summary: `trigger ${name}: its most recent run succeeded without doing anything`,
    detail: `the run of ${newest?.started_at ?? ""} made no tool call; the ${window.length - 1} run(s) before it made ${earlier}`,
    evidence: {
      trigger: name,
      started_at: newest?.started_at ?? null,
      earlier_calls: earlier,
      earlier_runs: window.length - 1,
    },
  };
}

function missedFinding(history: TriggerHistory, as_of_ms: number): Finding | null {
  const since = stuckSince(history, as_of_ms);
  if (since === null) return null;
  const { name, schedule } = history.trigger;
  const anchor = anchorOf(history.trigger, history.rows);
  return {
    id: `triggers/missed_slots/${name}`,
    component: "triggers",
    severity: "attention",
    summary: `trigger ${name} has missed at least ${SLOTS_MISSED} slots`,
    detail: `nothing is accounted after ${anchor === null ? "" : isoUtc(anchor)}, and its schedule is ${schedule.pattern}; is the process that fires triggers running?`,
    evidence: {
      trigger: name,
      accounted_until: anchor === null ? null : isoUtc(anchor),
      third_missed_slot: isoUtc(since),
    },
  };
}

function frame(name: string, check: string, argv: string[], description: string) {
  return {
    id: `triggers/${check}/${name}`,
    component: "triggers" as const,
    severity: "attention" as const,
    remedy: { description, argv, needs_terminal: false },
  };
}
