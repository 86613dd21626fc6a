import { Cron } from "croner";
import { messageOf, type Parsed } from "#lib/errors.ts";

const ALIASES = ["@hourly", "@daily", "@midnight", "@weekly", "@monthly", "@yearly", "@annually"];

/** A checked schedule: a five-field cron pattern or one of the aliases. */
export type Schedule = { pattern: string };

/** Reads a schedule. Fields mean what cron means by them; seconds, years and fixed dates are not taken. */
export function parseSchedule(text: string): Parsed<Schedule> {
  const pattern = text.trim();
  const alias = pattern.startsWith("@");
  if (alias && !ALIASES.includes(pattern)) {
    return {
      ok: false,
      problem: `${JSON.stringify(text)} is not a schedule; known names: ${ALIASES.join(", ")}`,
    };
  }
  if (!alias && pattern.split(/\s+/).length !== 5) {
    return {
      ok: false,
      problem: `${JSON.stringify(text)} is not a schedule; write five fields, such as "0 7 * * *"`,
    };
  }
  try {
    cronOf({ pattern }, "UTC");
    return { ok: true, value: { pattern } };
  } catch (error) {
    return {
      ok: false,
      problem: `${JSON.stringify(text)} is not a schedule: ${messageOf(error).replace(/^CronPattern: /, "")}`,
    };
  }
}

/** The last `n` slots at or before an instant, newest first; fewer when the schedule never had as many. All in ms. */
export function slotsUntil(schedule: Schedule, zone: string, n: number, at_ms: number): number[] {
  // The library looks strictly before its reference, and in whole seconds.
  const after = new Date(Math.floor(at_ms / 1000) * 1000 + 1000);
  return cronOf(schedule, zone)
    .previousRuns(n, after)
    .map((slot) => slot.getTime());
}

/** The `n` slots after an instant, oldest first. */
export function slotsAfter(schedule: Schedule, zone: string, n: number, at_ms: number): number[] {
  return cronOf(schedule, zone)
    .nextRuns(n, new Date(at_ms))
    .map((slot) => slot.getTime());
}

function cronOf({ pattern }: Schedule, timezone: string): Cron {
  // Lists and ranges of times are times too, as cron has it: without this, those in a repeated hour would come twice.
  return new Cron(pattern, { mode: "5-part", timezone, paused: true, fixedTimeRule: "no-wildcard" });
}
