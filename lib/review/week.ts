import { keyOf, parseKey, previousStart } from "#lib/calendar.ts";
import { type Bucket, bucketKey, bucketRange, bucketsBetween, isoUtc } from "#lib/time.ts";

/** Weeks that a week is held against. */
export const WEEKS_BEFORE = 8;

/** An ISO week in a zone as somebody looks at it, with the weeks before it. */
export type Week = {
  key: string;
  zone: string;
  /** [`from_ms`, `to_ms`): the whole week, from local midnight to local midnight. */
  from_ms: number;
  to_ms: number;
  /** Last instant that is looked at: the week's own last, or, while it lasts, the instant of looking. */
  until_ms: number;
  complete: boolean;
  /** The eight weeks before and this one, oldest first. */
  buckets: Bucket[];
  /** Keys of the weeks beside it; `next` is null while that one has not begun. */
  previous: string;
  next: string | null;
};

/** Why there is no review: the text names no week, or the week has not begun. */
export type NoWeek = { why: "unknown" | "future"; problem: string };
export type WeekRead = { ok: true; week: Week } | ({ ok: false } & NoWeek);

const FIRST_YEAR = 1970;

/** The week that holds an instant: `2026-W48`. */
export function weekKeyAt(ms: number, zone: string): string {
  return bucketKey(ms, zone, "week");
}

/** Reads `2026-W48` (or `2026-w48`) as of an instant. */
export function readWeek(text: string, zone: string, as_of_ms: number): WeekRead {
  const key = text.toUpperCase();
  const parsed = parseKey(key);
  const range = parsed?.per === "week" ? bucketRange(key, zone) : null;
  if (parsed === null || range === null || Number(key.slice(0, 4)) < FIRST_YEAR)
    return unknown(text, weekKeyAt(as_of_ms, zone));
  if (range.from_ms > as_of_ms) return future(key, zone, range.from_ms, as_of_ms);
  const complete = range.to_ms - 1 <= as_of_ms;
  let first = parsed.day;
  for (let n = 0; n < WEEKS_BEFORE; n += 1) first = previousStart(first, "week");
  const from = bucketRange(keyOf(first, "week"), zone)?.from_ms ?? range.from_ms;
  const next = keyOf(parsed.day + 7, "week");
  return {
    ok: true,
    week: {
      key,
      zone,
      ...range,
      until_ms: complete ? range.to_ms - 1 : as_of_ms,
      complete,
      buckets: bucketsBetween(from, range.to_ms, zone, "week", WEEKS_BEFORE + 1).buckets,
      previous: keyOf(previousStart(parsed.day, "week"), "week"),
      next: range.to_ms <= as_of_ms ? next : null,
    },
  };
}

function unknown(text: string, current: string): WeekRead {
  const problem = `${JSON.stringify(text.slice(0, 40))} names no ISO week; write one such as ${current}`;
  return { ok: false, why: "unknown", problem };
}

function future(key: string, zone: string, from_ms: number, as_of_ms: number): WeekRead {
  const problem = `the week ${key} begins at ${isoUtc(from_ms)} (${zone}); as of ${isoUtc(as_of_ms)} it has not begun`;
  return { ok: false, why: "future", problem };
}
