const DAY = 86_400_000;

/** A zone's offsets, remembered: Intl takes microseconds for each, and a window asks for tens of thousands. */
export type Clock = {
  format: Intl.DateTimeFormat;
  days: Map<number, number | null>;
  quarters: Map<number, number | null>;
};

const QUARTER = 900_000;
const REMEMBERED_MAX = 50_000;
const LAST_MS = 8.64e15;
const clocks = new Map<string, Clock>();

/** The clock of a zone, kept for the life of the process. */
export function clockOf(zone: string): Clock {
  const known = clocks.get(zone);
  if (known !== undefined) return known;
  const format = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    timeZoneName: "longOffset",
    year: "numeric",
  });
  const clock: Clock = { format, days: new Map(), quarters: new Map() };
  clocks.set(zone, clock);
  return clock;
}

/** The local calendar day of an instant. */
export function localDay(ms: number, clock: Clock): number {
  return Math.floor((ms + offsetAt(ms, clock)) / DAY);
}

/**
 * Offset of local time from UTC in ms. One answer serves a whole UTC day when it is the same at both ends: no zone of
 * the tz database changes twice within a day (the shortest spell is four days). On a day of change the same holds for
 * a quarter of an hour; inside the quarter of the change, which need not fall on its edge, each instant is asked for.
 */
function offsetAt(ms: number, clock: Clock): number {
  return (
    steadyOffset(ms, DAY, clock.days, clock) ??
    steadyOffset(ms, QUARTER, clock.quarters, clock) ??
    askOffset(ms, clock)
  );
}

function steadyOffset(
  ms: number,
  span: number,
  known: Map<number, number | null>,
  clock: Clock,
): number | null {
  const at = Math.floor(ms / span);
  const remembered = known.get(at);
  if (remembered !== undefined) return remembered;
  const offset = askOffset(at * span, clock);
  const steady = offset === askOffset((at + 1) * span, clock) ? offset : null;
  // A bound, not a policy: fifty thousand days are more than a century.
  if (known.size >= REMEMBERED_MAX) known.clear();
  known.set(at, steady);
  return steady;
}

/** Reads the offset out of a text such as `1970, GMT-00:44:30`. */
function askOffset(ms: number, clock: Clock): number {
  const text = clock.format.format(Math.min(Math.max(ms, -LAST_MS), LAST_MS));
  const match = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(text);
  if (match === null) return 0;
  const seconds = (Number(match[2]) * 60 + Number(match[3])) * 60 + Number(match[4] ?? 0);
  return (match[1] === "-" ? -1 : 1) * seconds * 1000;
}

/** The first instant of a local day: its midnight, or, where the clock jumped over midnight, the instant of the jump. */
export function startOfDay(day: number, clock: Clock): number {
  const midnight = day * DAY;
  const before = askOffset(midnight - 1.5 * DAY, clock);
  const after = askOffset(midnight + 1.5 * DAY, clock);
  const early = midnight - Math.max(before, after);
  const late = midnight - Math.min(before, after);
  if (askOffset(early, clock) === midnight - early) return early;
  if (askOffset(late, clock) === midnight - late) return late;
  return firstAfterJump(early, late, midnight, clock);
}

function firstAfterJump(early: number, late: number, midnight: number, clock: Clock): number {
  let low = early;
  let high = late;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle + askOffset(middle, clock) >= midnight) high = middle;
    else low = middle;
  }
  return high;
}
