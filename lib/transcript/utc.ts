const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt ](\d{2}):(\d{2}):(\d{2})(?:\.(\d+))?(?:([Zz])|([+-])(\d{2}):(\d{2}))$/;

/**
 * An RFC 3339 time as UTC with `Z` and 0, 3, 6 or 9 digits of a second; null when `text` is none or names a day or an
 * hour that does not exist. Times are kept as text: milliseconds would lose digits.
 */
export function utcText(text: string): string | null {
  return plain(text) ?? fromParts(text);
}

/** As a program writes its times, which is nearly all there are; null for everything else. */
function plain(text: string): string | null {
  const whole = text.length === 20 ? `${text.slice(0, 19)}.000Z` : text;
  if (whole.length !== 24 || !text.endsWith("Z")) return null;
  const ms = Date.parse(whole);
  // A day that does not exist comes back as another one.
  if (Number.isNaN(ms) || new Date(ms).toISOString() !== whole) return null;
  return whole.endsWith(".000Z") ? `${whole.slice(0, 19)}Z` : whole;
}

function fromParts(text: string): string | null {
  const match = RFC3339.exec(text);
  if (!match) return null;
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as Six;
  const offset = match[8] ? 0 : offsetMinutes(match[9], Number(match[10]), Number(match[11]));
  if (offset === null || hour > 23 || minute > 59 || second > 60) return null;
  if (month < 1 || month > 12 || day < 1 || day > daysIn(year, month)) return null;
  const date = new Date(0);
  // Date.UTC would read the years 0 to 99 as 19xx.
  date.setUTCFullYear(year, month - 1, day);
  date.setUTCHours(hour, minute - offset, second, 0);
  const iso = date.toISOString();
  // An offset can push the first or last day out of the four-digit years.
  if (iso.length !== 24) return null;
  return `${iso.slice(0, 19)}${fraction(match[7])}Z`;
}

type Six = [number, number, number, number, number, number];

function offsetMinutes(sign: string | undefined, hours: number, minutes: number): number | null {
  if (hours > 23 || minutes > 59) return null;
  return (sign === "-" ? -1 : 1) * (hours * 60 + minutes);
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

function fraction(digits: string | undefined): string {
  const kept = (digits ?? "").slice(0, 9).padEnd(9, "0");
  if (kept === "000000000") return "";
  if (kept.endsWith("000000")) return `.${kept.slice(0, 3)}`;
  return kept.endsWith("000") ? `.${kept.slice(0, 6)}` : `.${kept}`;
}
