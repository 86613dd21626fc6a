import { isoUtc } from "#lib/time.ts";
import type { LedgerRow } from "#lib/trigger/ledger.ts";
import { slotsAfter } from "#lib/trigger/schedule.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import type { Finding, TriggerMark } from "./finding.ts";
import type { TriggerHistory } from "./trigger-checks.ts";
import { rowOutcomes, triggerFindings } from "./triggers.ts";

/** One trigger read by itself: what its file says, when it fires next, how it went, and what is wrong with it. */
export type TriggerView = {
  trigger: Trigger;
  /** IANA zone that its schedule is read in. */
  schedule_zone: string;
  /** Its next slots, RFC 3339, soonest first; empty when it is disabled or never fires. */
  next: string[];
  /** Its last ledger rows in the order of the ledger, the newest last. */
  rows: { row: LedgerRow; outcome: TriggerMark["outcome"] }[];
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
  const { trigger, zone } = history;
  const schedule_zone = trigger.timezone ?? zone;
  const all = history.rows.filter(({ started_ms }) => started_ms <= as_of_ms);
  const outcomes = rowOutcomes(all);
  const first = Math.max(0, all.length - rows);
  const next = trigger.enabled ? slotsAfter(trigger.schedule, schedule_zone, slots, as_of_ms) : [];
  return {
    trigger,
    schedule_zone,
    next: next.map(isoUtc),
    rows: all.slice(first).map((row, i) => ({ row, outcome: outcomes[first + i] ?? "skipped" })),
    rows_older: first,
    findings: triggerFindings(history, as_of_ms),
  };
}
