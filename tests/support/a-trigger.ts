import type { LedgerRow } from "#lib/trigger/ledger.ts";
import { emptyLedger } from "#lib/trigger/ledger.ts";
import type { TriggerStore } from "#lib/trigger/store.ts";
import { parseTrigger, type Trigger } from "#lib/trigger/trigger.ts";

/** A trigger at seven every morning, in UTC, created in August; with what the test cares about. */
export function aTrigger(what: Partial<Trigger> = {}): Trigger {
  const text =
    'schedule = "0 7 * * *"\nprompt = "p"\ntimezone = "UTC"\ncreated_at = "2026-08-01T00:00:00Z"\n';
  const parsed = parseTrigger("morning", text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return { ...parsed.value, ...what };
}

/** A row of its ledger: an ok run without a call. `started_at` sets `started_ms` too. */
export function aLedgerRow(what: Partial<LedgerRow> = {}): LedgerRow {
  const started_at = what.started_at ?? "2026-11-30T07:00:01Z";
  return {
    trigger: "morning",
    slot_ms: null,
    started_ms: Date.parse(started_at),
    finished_at: null,
    status: "ok",
    session_id: null,
    turns: 0,
    cost_usd: null,
    blocked_sends: 0,
    staged: 0,
    taint: { private: false, untrusted: false },
    tool_calls: 0,
    tool_errors: 0,
    ended_on_failed_call: false,
    stop_cause: null,
    summary: "",
    error: null,
    notify_error: null,
    manual: false,
    ...what,
    started_at,
  };
}

/** A triggers folder with these in it. */
export function aTriggerStore(triggers: Trigger[] = [], rows: LedgerRow[] = []): TriggerStore {
  const ledger = emptyLedger();
  const coverage = { ...ledger.coverage, rows: rows.length };
  return { place: "/home/ada/.mecha/triggers", triggers, problems: [], ledger: { rows, coverage } };
}
