import { doctorJson } from "#lib/doctor/text.ts";
import type { TriggerView } from "#lib/doctor/trigger-view.ts";
import { isoUtc } from "#lib/time.ts";
import type { LedgerRow } from "#lib/trigger/ledger.ts";
import type { NewRow } from "#lib/trigger/ledger-line.ts";
import { durationText, type Trigger } from "#lib/trigger/trigger.ts";
import type { Triggers } from "./trigger-store.ts";

/** The object behind `trigger show --json`: settings and ledger rows under the keys that they have on disk. */
export function triggerJson(view: TriggerView, file: string, { store, as_of_ms, zone }: Triggers): object {
  const as_of = isoUtc(as_of_ms);
  return {
    schema_version: 1,
    as_of,
    zone,
    file,
    trigger: settingsOf(view.trigger),
    schedule_zone: view.schedule_zone,
    next: view.next,
    rows: view.rows.map(({ row, outcome }) => ({ ...rowJson(withoutMs(row)), outcome })),
    rows_older: view.rows_older,
    findings: doctorJson({ as_of, findings: view.findings, notices: [], triggers: [] }),
    ledger: store.ledger.coverage,
  };
}

function settingsOf({ schedule, timeout_ms, catch_up, notify, ...rest }: Trigger): object {
  return {
    ...rest,
    schedule: schedule.pattern,
    timeout: durationText(timeout_ms),
    catch_up: typeof catch_up === "number" ? durationText(catch_up) : catch_up,
    notify: plainValue(notify),
  };
}

/** A row as it was read, as one to be written. */
export function withoutMs({ started_ms: _, ...row }: LedgerRow): NewRow {
  return row;
}

/** A row of the ledger under the keys it has on disk; what a row leaves out there is null here. */
export function rowJson({ slot_ms, ...row }: NewRow): object {
  const { trigger, ...rest } = row;
  return { trigger, slot: slot_ms === null ? null : isoUtc(slot_ms), ...rest };
}

/** A TOML value as JSON has it. Whole numbers come as BigInt; one that a double cannot hold stays exact as text. */
export function plainValue(value: unknown): unknown {
  if (typeof value === "bigint")
    return Number.isSafeInteger(Number(value)) ? Number(value) : value.toString();
  if (Array.isArray(value)) return value.map(plainValue);
  if (typeof value !== "object" || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plainValue(inner)]));
}
