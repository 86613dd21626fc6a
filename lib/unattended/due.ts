import type { Ledger, LedgerRow } from "#lib/trigger/ledger.ts";
import { slotsAfter, slotsUntil } from "#lib/trigger/schedule.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";

/** So late a slot is still on time: whoever fires triggers looks once a minute. */
export const ON_TIME_MS = 90_000;

/** Slots that are dropped, told as one: how many there are, at most `COUNTED_MAX`, and the first and last of them. */
export type Dropped = { slots: number; more: boolean; first_ms: number; last_ms: number };

/** What a trigger owes at an instant. All times in ms. */
export type Due = {
  /** The slot to run now; null: none. */
  run_ms: number | null;
  /** Slots that are not run any more, the newest of which accounts for all; null: none. */
  dropped: Dropped | null;
};

export const COUNTED_MAX = 100;
const NOTHING: Due = { run_ms: null, dropped: null };

/**
 * What is due of a trigger. Its slots count from its newest accounted one on, by whatever row, or else from its creation.
 * Of several
 * that were missed only the newest is run, for one run makes up for all; where even that one is later than
 * `catch_up` lets it be, none is. `created_ms` stands in where the file does not tell when it was created. Before
 * `read_from_ms` all was accounted for, by rows that are not among these.
 */
export function due(
  trigger: Trigger,
  rows: readonly LedgerRow[],
  {
    now_ms,
    zone,
    created_ms,
    read_from_ms = null,
  }: { now_ms: number; zone: string; created_ms: number; read_from_ms?: number | null },
): Due {
  if (!trigger.enabled) return NOTHING;
  const anchor =
    accountedUntil(trigger, rows, now_ms) ??
    Math.max(createdAt(trigger, created_ms), read_from_ms ?? Number.NEGATIVE_INFINITY);
  const inZone = trigger.timezone ?? zone;
  const newest = slotsUntil(trigger.schedule, inZone, 1, now_ms)[0];
  if (newest === undefined || newest <= anchor) return NOTHING;
  const runs = now_ms - newest <= latestMs(trigger);
  return {
    run_ms: runs ? newest : null,
    dropped: droppedSlots(trigger, inZone, anchor, runs ? newest - 1 : newest),
  };
}

/**
 * From when on the rows of a ledger are known, in ms; null: all of them are. Of a very large one only the end is read, and
 * a trigger that fires once a year may have its last row before that: its slot must not run again.
 */
export function readFrom({ rows, coverage }: Pick<Ledger, "rows" | "coverage">): number | null {
  return coverage.bytes_left_out > 0 ? (rows[0]?.started_ms ?? null) : null;
}

/** A slot that has not come yet was accounted by a clock that was wrong; it must not silence the trigger until then. */
function accountedUntil({ name }: Trigger, rows: readonly LedgerRow[], now_ms: number): number | null {
  let newest: number | null = null;
  for (const { trigger, slot_ms } of rows)
    if (trigger === name && slot_ms !== null && slot_ms <= now_ms && (newest === null || slot_ms > newest))
      newest = slot_ms;
  return newest;
}

function createdAt({ created_at }: Trigger, created_ms: number): number {
  return created_at === null ? created_ms : Date.parse(created_at);
}

/** How late a slot may still be run, in ms. */
export function latestMs({ catch_up }: Trigger): number {
  switch (catch_up) {
    case "always":
      return Number.POSITIVE_INFINITY;
    case "never":
      return ON_TIME_MS;
    default:
      return Math.max(catch_up, ON_TIME_MS);
  }
}

/** The slots after `anchor` up to and with `until`. A minutely trigger on a machine that was off has a million. */
function droppedSlots(trigger: Trigger, zone: string, anchor: number, until: number): Dropped | null {
  const last = slotsUntil(trigger.schedule, zone, 1, until)[0];
  if (last === undefined || last <= anchor) return null;
  const counted = slotsAfter(trigger.schedule, zone, COUNTED_MAX + 1, anchor).filter((slot) => slot <= until);
  return {
    slots: Math.min(counted.length, COUNTED_MAX),
    more: counted.length > COUNTED_MAX,
    first_ms: counted[0] ?? last,
    last_ms: last,
  };
}
