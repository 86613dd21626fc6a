import { type Rate, ratio } from "#lib/rate.ts";
import type { LedgerRow } from "#lib/trigger/ledger.ts";
import { slotsAfter, slotsUntil } from "#lib/trigger/schedule.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";

/** Runs that the checks look at, and rows that a page marks. */
export const WINDOW = 5;
const CALLS_FLOOR = 10;
export const ERROR_RATE = 1 / 3;
/** So many slots may pass unaccounted before it is said; one or two are a laptop that was closed. */
export const SLOTS_MISSED = 3;

/** A trigger with its own ledger rows, in file order, and the zone its schedule is read in when it names none. */
export type TriggerHistory = { trigger: Trigger; rows: readonly LedgerRow[]; zone: string };

/** The history as of an instant: without the rows that started later. */
export function historyAt(history: TriggerHistory, as_of_ms: number): TriggerHistory {
  return { ...history, rows: history.rows.filter(({ started_ms }) => started_ms <= as_of_ms) };
}

/** IANA zone that a trigger's schedule is read in. */
export function zoneOf({ trigger, zone }: TriggerHistory): string {
  return trigger.timezone ?? zone;
}

/** Runs in file order; a skipped slot is not a run, a manual run is one. */
export function runsOf(rows: readonly LedgerRow[]): LedgerRow[] {
  return rows.filter(({ status }) => status === "ok" || status === "error");
}

/** The last five runs in file order. */
export function runWindow(rows: readonly LedgerRow[]): LedgerRow[] {
  return runsOf(rows).slice(-WINDOW);
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

/** Failed calls of all calls. */
export function callsOf(rows: readonly LedgerRow[]): Rate {
  return rows.reduce((sum, row) => ({ hits: sum.hits + row.tool_errors, of: sum.of + row.tool_calls }), {
    hits: 0,
    of: 0,
  });
}

/**
 * The slot since which a trigger counts as stuck, in ms: the third after its newest accounted slot (or, before any, its
 * creation), once that has come. Null while it is not, and for a trigger that does not catch up on every slot.
 */
export function stuckSince(history: TriggerHistory, as_of_ms: number): number | null {
  const { trigger, rows } = history;
  if (trigger.catch_up !== "always") return null;
  const anchor = anchorOf(trigger, rows);
  if (anchor === null) return null;
  const zone = zoneOf(history);
  const third = slotsUntil(trigger.schedule, zone, SLOTS_MISSED, as_of_ms)[SLOTS_MISSED - 1];
  if (third === undefined || third <= anchor) return null;
  return slotsAfter(trigger.schedule, zone, SLOTS_MISSED, anchor)[SLOTS_MISSED - 1] ?? third;
}

/** Up to when the slots are accounted for, in ms; null when nothing tells. */
export function anchorOf(trigger: Trigger, rows: readonly LedgerRow[]): number | null {
  const newest = rows.reduce(
    (latest, { slot_ms }) => Math.max(latest, slot_ms ?? latest),
    Number.NEGATIVE_INFINITY,
  );
  if (Number.isFinite(newest)) return newest;
  return trigger.created_at === null ? null : Date.parse(trigger.created_at);
}
