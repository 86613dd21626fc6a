const formats = new Map<string, Intl.DateTimeFormat>();
const FORMATS_MAX = 64;

/** Whether a text that others wrote is an instant; a date parser takes far more than that for one. */
export function isStamp(text: string): boolean {
  return /^\d{4}-\d\d-\d\dT/.test(text) && !Number.isNaN(Date.parse(text));
}

/** `2026-11-30 14:03` in `zone`; the same text on every machine. */
export function dateTime(instant: string | number, zone: string): string {
  const { year, month, day, hour, minute } = partsOf(instant, zone);
  return `${year}-${month}-${day} ${hour}:${minute}`;
}

/** A sentence with the stamps in it, which are in UTC, as `dateTime` has them. */
export function withDateTimes(text: string, zone: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, (stamp) =>
    isStamp(stamp) ? dateTime(stamp, zone) : stamp,
  );
}

/** `2026-11-30` in `zone`. */
export function dateOnly(instant: string | number, zone: string): string {
  const { year, month, day } = partsOf(instant, zone);
  return `${year}-${month}-${day}`;
}

/** `14:03:22` in `zone`. */
export function clockTime(instant: string | number, zone: string): string {
  const { hour, minute, second } = partsOf(instant, zone);
  return `${hour}:${minute}:${second}`;
}

const AGES = [
  { ms: 86_400_000, one: "day", many: "days" },
  { ms: 3_600_000, one: "hour", many: "hours" },
  { ms: 60_000, one: "minute", many: "minutes" },
] as const;

/** How long before `now` an instant was, in its largest unit: `3 days ago`, `just now`, `in 2 hours`. */
export function relative(instant: string | number, now: number): string {
  const length = lengthOf(now - new Date(instant).getTime());
  const past = now >= new Date(instant).getTime();
  if (length === null) return past ? "just now" : "in a moment";
  return past ? `${length} ago` : `in ${length}`;
}

/** How long something has lasted, in its largest unit: `3 days`. */
export function age(since: string | number, now: number): string {
  return lengthOf(now - new Date(since).getTime()) ?? "a moment";
}

function lengthOf(ms: number): string | null {
  const unit = AGES.find((one) => Math.abs(ms) >= one.ms);
  if (unit === undefined) return null;
  const n = Math.floor(Math.abs(ms) / unit.ms);
  return `${n} ${n === 1 ? unit.one : unit.many}`;
}

type Parts = Record<"year" | "month" | "day" | "hour" | "minute" | "second", string>;

function partsOf(instant: string | number, zone: string): Parts {
  const date = new Date(instant);
  const parts: Parts = { year: "????", month: "??", day: "??", hour: "??", minute: "??", second: "??" };
  if (Number.isNaN(date.getTime())) return parts;
  for (const { type, value } of formatFor(zone).formatToParts(date))
    if (type in parts) parts[type as keyof Parts] = value;
  return parts;
}

function formatFor(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const two = "2-digit";
  const format = new Intl.DateTimeFormat("en-GB", {
    timeZone: zone,
    hourCycle: "h23",
    year: "numeric",
    month: two,
    day: two,
    hour: two,
    minute: two,
    second: two,
  });
  // Zones come from URLs; what is remembered of them stays small.
  if (formats.size >= FORMATS_MAX) formats.clear();
  formats.set(zone, format);
  return format;
}
