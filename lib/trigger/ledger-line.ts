import { isoUtc } from "#lib/time.ts";
import { mendedTexts } from "#lib/utf8.ts";
import { type LedgerRow, parseRow } from "./ledger.ts";

/** A row to be written: what its reader would take out of it. */
export type NewRow = Omit<LedgerRow, "started_ms">;

/**
 * A row as its line in the ledger, newline included: keys in the order in which their readers list them, and without
 * those that say the usual. Throws for a row that no reader would take.
 */
export function ledgerLine(row: NewRow): Buffer {
  const text = JSON.stringify(written(row), mendedTexts);
  if (parseRow(JSON.parse(text)) === null) throw new Error(`a row that its readers would drop: ${text}`);
  return Buffer.from(`${text}\n`);
}

function written(row: NewRow): object {
  const { slot_ms, stop_cause, taint } = row;
  return {
    trigger: row.trigger,
    ...(slot_ms === null ? {} : { slot: isoUtc(slot_ms) }),
    started_at: row.started_at,
    ...given("finished_at", row.finished_at),
    status: row.status,
    ...given("session_id", row.session_id),
    turns: row.turns,
    ...given("cost_usd", row.cost_usd),
    blocked_sends: row.blocked_sends,
    staged: row.staged,
    taint: { private: taint.private, untrusted: taint.untrusted },
    tool_calls: row.tool_calls,
    tool_errors: row.tool_errors,
    ended_on_failed_call: row.ended_on_failed_call,
    ...(stop_cause === "completed" ? {} : given("stop_cause", stop_cause)),
    summary: row.summary,
    ...given("error", row.error),
    ...given("notify_error", row.notify_error),
    ...(row.manual ? { manual: true } : {}),
  };
}

function given(key: string, value: unknown): object {
  return value === null ? {} : { [key]: value };
}
