import { isoUtc } from "#lib/time.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import type { Finding } from "./finding.ts";
import { type TriggerHistory, zoneOf } from "./trigger-checks.ts";
import { type JudgedRow, lastRows, nextSlots, triggerFindings } from "./triggers.ts";

/** One trigger read by itself: what its file says, when it fires next, how it went, and what is wrong with it. */
export type TriggerView = {
  trigger: Trigger;
  /** IANA zone that its schedule is read in. */
  schedule_zone: string;
  /** Its next slots, RFC 3339, soonest first; empty when it is disabled or never fires. */
  next: string[];
  /** Its last ledger rows in the order of the ledger, the newest last. */
  rows: JudgedRow[];
  /** Older rows that are not among them. */
  rows_older: number;
  findings: Finding[];
};

/** A trigger as of an instant, with at most so many slots and ledger rows. */
export function triggerView(
  history: TriggerHistory,
  as_of_ms: number,
  { slots, rows }: { slots: number; rows: number },
): TriggerView {
  const last = lastRows(history, as_of_ms, rows);
  return {
    trigger: history.trigger,
    schedule_zone: zoneOf(history),
    next: nextSlots(history, as_of_ms, slots).map(isoUtc),
    rows: last.rows,
    rows_older: last.older,
    findings: triggerFindings(history, as_of_ms),
  };
}
