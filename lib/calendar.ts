/**
 * The Gregorian calendar on whole days, each a count of days since 1970-01-01, and the buckets it is cut into. Nothing
 * here knows of zones or of times of the day.
 */

/** How wide a bucket is. */
export type Per = "day" | "week" | "month";

const DAY = 86_400_000;

/** The key of the bucket that holds a day: `2026-11-30`, `2026-W48`, `2026-11`. */
export function keyOf(day: number, per: Per): string {
  switch (per) {
    case "day": {
      const { year, month, date } = civil(day);
      return `${yearText(year)}-${two(month)}-${two(date)}`;
    }
    case "week": {
      // ISO 8601: a week belongs to the year of its Thursday.
      const thursday = startDay(day, "week") + 3;
      const { year } = civil(thursday);
      const january1 = dayFrom(year, 1, 1);
      return `${yearText(year)}-W${two(Math.floor((thursday - january1) / 7) + 1)}`;
    }
    case "month": {
      const { year, month } = civil(day);
      return `${yearText(year)}-${two(month)}`;
    }
    default:
      return per satisfies never;
  }
}

/** First day and width of the bucket that a key names; null when it names none. */
export function parseKey(key: string): { day: number; per: Per } | null {
  const match = /^(\d{4})-(?:W(\d\d)|(\d\d)(?:-(\d\d))?)$/.exec(key);
  if (match === null) return null;
  const [, year, week, month, date] = match;
  if (week !== undefined) {
    const day = startDay(dayFrom(Number(year), 1, 4), "week") + (Number(week) - 1) * 7;
    return keyOf(day, "week") === key ? { day, per: "week" } : null;
  }
  const day = dayOf(Number(year), Number(month), Number(date ?? "1"));
  return day === null ? null : { day, per: date === undefined ? "month" : "day" };
}

/** First day of the bucket that holds a day. */
export function startDay(day: number, per: Per): number {
  if (per === "day") return day;
  // 1970-01-01 was a Thursday; ISO weeks start on Monday.
  if (per === "week") return day - modulo(day + 3, 7);
  const { year, month } = civil(day);
  return dayFrom(year, month, 1);
}

/** First day of the bucket after the one that starts on a day. */
export function nextStart(start: number, per: Per): number {
  if (per === "day") return start + 1;
  return per === "week" ? start + 7 : startDay(start + 31, "month");
}

/** First day of the bucket before it. */
export function previousStart(start: number, per: Per): number {
  if (per === "day") return start - 1;
  return per === "week" ? start - 7 : startDay(start - 1, "month");
}

/** How many buckets start from one first day to another, both included. */
export function bucketCount(first: number, last: number, per: Per): number {
  if (per === "day") return last - first + 1;
  if (per === "week") return (last - first) / 7 + 1;
  const from = civil(first);
  const to = civil(last);
  return (to.year - from.year) * 12 + to.month - from.month + 1;
}

function civil(day: number): { year: number; month: number; date: number } {
  const utc = new Date(day * DAY);
  return { year: utc.getUTCFullYear(), month: utc.getUTCMonth() + 1, date: utc.getUTCDate() };
}

function dayFrom(year: number, month: number, date: number): number {
  const utc = new Date(0);
  utc.setUTCFullYear(year, month - 1, date);
  return utc.getTime() / DAY;
}

/** A date as a day; null when there is no such date. */
export function dayOf(year: number, month: number, date: number): number | null {
  const day = dayFrom(year, month, date);
  const back = civil(day);
  return back.year === year && back.month === month && back.date === date ? day : null;
}

function yearText(year: number): string {
  if (year >= 0 && year <= 9999) return String(year).padStart(4, "0");
  return `${year < 0 ? "-" : "+"}${String(Math.abs(year)).padStart(6, "0")}`;
}

const two = (n: number) => String(n).padStart(2, "0");
const modulo = (n: number, by: number) => ((n % by) + by) % by;
