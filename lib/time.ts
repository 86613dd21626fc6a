import {
  bucketCount,
  dayOf,
  keyOf,
  nextStart,
  type Per,
  parseKey,
  previousStart,
  startDay,
} from "#lib/calendar.ts";
import type { Parsed } from "#lib/errors.ts";
import { clockOf, localDay, startOfDay } from "#lib/zone-clock.ts";

export type { Per } from "#lib/calendar.ts";

/** How wide a bucket can be. */
export const PERS = ["day", "week", "month"] as const satisfies readonly Per[];

/** One bucket: [`from_ms`, `to_ms`) in ms since the epoch, cut at local midnights. */
export type Bucket = { key: string; from_ms: number; to_ms: number };

/** A day of the clock; of a calendar they differ by an hour where a zone changes its clock. */
export const DAY_MS = 86_400_000;
const KEYS_MAX = 50_000;
const keys: Record<Per, Map<number, string>> = { day: new Map(), week: new Map(), month: new Map() };

/** True for an IANA zone name that this runtime knows. */
export function isZone(zone: string): boolean {
  if (zone.length > 64 || !/^[A-Za-z][A-Za-z0-9_+/-]*$/.test(zone)) return false;
  try {
    new Intl.DateTimeFormat("en-US", { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/** The bucket that an instant falls in: day `2026-11-30`, ISO week `2026-W48`, month `2026-11`. */
export function bucketKey(ms: number, zone: string, per: Per): string {
  const day = localDay(ms, clockOf(zone));
  const known = keys[per].get(day);
  if (known !== undefined) return known;
  const key = keyOf(day, per);
  if (keys[per].size >= KEYS_MAX) keys[per].clear();
  keys[per].set(day, key);
  return key;
}

/**
 * First instant of a bucket and of the one after it. A day that a zone skipped (Samoa, 30 December 2011) is empty:
 * both are the same instant. Null for a key that names no bucket.
 */
export function bucketRange(key: string, zone: string): { from_ms: number; to_ms: number } | null {
  const parsed = parseKey(key);
  if (parsed === null) return null;
  const clock = clockOf(zone);
  return {
    from_ms: startOfDay(parsed.day, clock),
    to_ms: startOfDay(nextStart(parsed.day, parsed.per), clock),
  };
}

/**
 * Every bucket that shares an instant with [`fromMs`, `toMs`), oldest first, the empty ones included: a gap in the
 * data is a fact. Of more than `max`, the newest are kept and the number left out is said.
 */
export function bucketsBetween(
  fromMs: number,
  toMs: number,
  zone: string,
  per: Per,
  max: number,
): { buckets: Bucket[]; left_out: number } {
  if (!(fromMs < toMs)) return { buckets: [], left_out: 0 };
  const clock = clockOf(zone);
  const first = startDay(localDay(fromMs, clock), per);
  const last = startDay(localDay(toMs - 1, clock), per);
  const buckets: Bucket[] = [];
  let day = last;
  for (; day >= first && buckets.length < max; day = previousStart(day, per)) {
    const range = { from_ms: startOfDay(day, clock), to_ms: startOfDay(nextStart(day, per), clock) };
    if (range.from_ms < range.to_ms) buckets.push({ key: keyOf(day, per), ...range });
  }
  return { buckets: buckets.reverse(), left_out: day < first ? 0 : bucketCount(first, day, per) };
}

/** RFC 3339, UTC, with milliseconds only where there are any. Throws RangeError outside what a Date can hold. */
export function isoUtc(ms: number): string {
  return new Date(ms).toISOString().replace(".000Z", "Z");
}

/**
 * The instant of a row's or a header's stamp in ms; NaN for what is none. For the stamps this program writes it takes a
 * tenth of the time of Date.parse, and a page asks for tens of thousands of them.
 */
export function stampMs(stamp: string): number {
  if (stamp.length === 20 || stamp.length === 24) {
    const ms = canonicalMs(stamp);
    if (ms !== null) return ms;
  }
  return Date.parse(stamp);
}

/** `2026-11-30T18:00:00Z` or `2026-11-30T18:00:00.123Z` by arithmetic; null for anything else. */
function canonicalMs(stamp: string): number | null {
  const long = stamp.length === 24;
  if (stamp[4] !== "-" || stamp[7] !== "-" || stamp[10] !== "T" || stamp[13] !== ":" || stamp[16] !== ":")
    return null;
  if (stamp[stamp.length - 1] !== "Z" || (long && stamp[19] !== ".")) return null;
  const year = digits(stamp, 0, 4);
  const month = digits(stamp, 5, 7);
  const date = digits(stamp, 8, 10);
  const seconds = (digits(stamp, 11, 13) * 60 + digits(stamp, 14, 16)) * 60 + digits(stamp, 17, 19);
  const ms = seconds * 1000 + (long ? digits(stamp, 20, 23) : 0);
  // Days 29 to 31 are left to the slower way, which knows which months have them, and so are times out of range.
  if (!(month >= 1 && month <= 12 && date >= 1 && date <= 28 && ms < DAY_MS && year >= 1)) return null;
  if (digits(stamp, 11, 13) > 23 || digits(stamp, 14, 16) > 59 || digits(stamp, 17, 19) > 59) return null;
  return civilDay(year, month, date) * DAY_MS + ms;
}

/** NaN when any of the characters is no digit. */
function digits(text: string, from: number, to: number): number {
  let n = 0;
  for (let i = from; i < to; i += 1) {
    const digit = text.charCodeAt(i) - 48;
    n = digit >= 0 && digit <= 9 ? n * 10 + digit : Number.NaN;
  }
  return n;
}

/** Days since 1970-01-01 of a Gregorian date, counting years from March so that the leap day comes last. */
function civilDay(year: number, month: number, date: number): number {
  const y = month <= 2 ? year - 1 : year;
  const m = month <= 2 ? month + 9 : month - 3;
  const leaps = Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400);
  return y * 365 + leaps + Math.floor((153 * m + 2) / 5) + date - 1 - 719_468;
}

const DATE = /^(\d{4})-(\d\d)-(\d\d)$/;
const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):(\d\d):(\d\d)(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

/**
 * An instant in ms: an RFC 3339 time, or a date, which means the last millisecond of that day in `zone`: who asks
 * how things stood on a day wants that day in it.
 */
export function parseTime(text: string, zone: string): Parsed<number> {
  const written = text.trim();
  const day = parseDay(written);
  const ms = day === null ? parseInstant(written) : startOfDay(day + 1, clockOf(zone)) - 1;
  if (ms !== null) return { ok: true, value: ms };
  const real = DATE.test(written.slice(0, 10)) && parseDay(written.slice(0, 10)) === null;
  const why = real
    ? "names a day that does not exist"
    : "is not a time; write 2026-11-30 or 2026-11-30T18:00:00Z";
  return { ok: false, problem: `${JSON.stringify(text)} ${why}` };
}

/** An RFC 3339 time in ms, fractions of a millisecond cut off; null for anything else, and for a leap second. */
export function parseInstant(text: string): number | null {
  const match = INSTANT.exec(text);
  if (match === null) return null;
  const [, date = "", hour, minute, second, fraction, offset = ""] = match;
  const day = parseDay(date);
  const shift = offsetOf(offset);
  if (day === null || shift === null || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59)
    return null;
  const ms = ((Number(hour) * 60 + Number(minute)) * 60 + Number(second)) * 1000;
  return day * DAY_MS + ms + Number((fraction ?? "").slice(1, 4).padEnd(3, "0")) - shift;
}

function parseDay(text: string): number | null {
  const match = DATE.exec(text);
  return match === null ? null : dayOf(Number(match[1]), Number(match[2]), Number(match[3]));
}

function offsetOf(text: string): number | null {
  if (/^z$/i.test(text)) return 0;
  const hours = Number(text.slice(1, 3));
  const minutes = Number(text.slice(4, 6));
  if (hours > 23 || minutes > 59) return null;
  return (text.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
}
