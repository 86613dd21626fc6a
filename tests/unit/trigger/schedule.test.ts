import { describe, expect, it } from "vitest";
import { isoUtc } from "#lib/time.ts";
import { parseSchedule, type Schedule, slotsAfter, slotsUntil } from "#lib/trigger/schedule.ts";

const schedule = (text: string): Schedule => {
  const parsed = parseSchedule(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
};
const until = (text: string, zone: string, at: string, n = 3) =>
  slotsUntil(schedule(text), zone, n, Date.parse(at)).map(isoUtc);
const upcoming = (text: string, zone: string, at: string, n = 1) =>
  slotsAfter(schedule(text), zone, n, Date.parse(at)).map(isoUtc);

describe("slots", () => {
  it("at the very instant count as past, and not as still to come", () => {
    expect(until("0 7 * * *", "UTC", "2026-11-30T07:00:00Z", 2)).toEqual([
      "2026-11-30T07:00:00Z",
      "2026-11-29T07:00:00Z",
    ]);
    expect(until("0 7 * * *", "UTC", "2026-11-30T07:00:00.001Z", 1)).toEqual(["2026-11-30T07:00:00Z"]);
    expect(until("0 7 * * *", "UTC", "2026-11-30T06:59:59.999Z", 1)).toEqual(["2026-11-29T07:00:00Z"]);
    expect(upcoming("0 7 * * *", "UTC", "2026-11-30T07:00:00Z")).toEqual(["2026-12-01T07:00:00Z"]);
  });

  it("stand in their zone, over a change of the clock", () => {
    expect(until("0 7 * * *", "Europe/Zurich", "2026-10-26T12:00:00Z")).toEqual([
      "2026-10-26T06:00:00Z",
      "2026-10-25T06:00:00Z",
      "2026-10-24T05:00:00Z",
    ]);
    expect(upcoming("15 0 * * *", "Asia/Kathmandu", "2026-11-30T00:00:00Z")).toEqual([
      "2026-11-30T18:30:00Z",
    ]);
  });

  it.each([
    // Times, however they are listed: once where the hour is repeated, and right after it where it is left out.
    ["15 1,2 * * *", ["05:15", "07:15"], ["06:15", "07:00"]],
    ["15,45 1-2 * * 0", ["05:15", "05:45", "07:15", "07:45"], ["06:15", "06:45", "07:00"]],
    ["30 1 * * *", ["05:30"], ["06:30"]],
    // As often as: on through the day.
    ["0 * * * *", ["05:00", "06:00", "07:00"], ["06:00", "07:00"]],
    ["30 */1 * * *", ["05:30", "06:30", "07:30"], ["06:30", "07:30"]],
  ])("of %s on the days that New York changes its clocks", (text, fall, spring) => {
    const zone = "America/New_York";
    const between = (from: string, to: string) => {
      const slots = upcoming(text, zone, from, 9).filter((at) => at < to);
      const back = until(text, zone, to, 9).filter((at) => at > from && at < to);
      expect(back.reverse()).toEqual(slots);
      return slots.map((at) => at.slice(11, 16));
    };
    expect(between("2026-11-01T04:59:59Z", "2026-11-01T08:00:00Z")).toEqual(fall);
    expect(between("2026-03-08T05:59:59Z", "2026-03-08T08:00:00Z")).toEqual(spring);
  });

  it.each([
    ["@hourly", "2026-11-30T10:00:00Z"],
    ["@daily", "2026-11-30T00:00:00Z"],
    ["@midnight", "2026-11-30T00:00:00Z"],
    ["@weekly", "2026-11-29T00:00:00Z"],
    ["@monthly", "2026-11-01T00:00:00Z"],
    ["@yearly", "2026-01-01T00:00:00Z"],
    ["@annually", "2026-01-01T00:00:00Z"],
    ["*/20 * * * 1-5", "2026-11-30T10:20:00Z"],
    ["0 0 * * 0", "2026-11-29T00:00:00Z"],
    ["0 0 * * 7", "2026-11-29T00:00:00Z"],
    // With both a day of the month and one of the week, cron takes either.
    ["0 0 13 * fri", "2026-11-27T00:00:00Z"],
  ])("%s", (text, last) => {
    expect(until(text, "UTC", "2026-11-30T10:30:00Z", 1)).toEqual([last]);
  });

  it("are none for a day that never comes", () => {
    expect(until("0 0 30 2 *", "UTC", "2026-11-30T10:30:00Z")).toEqual([]);
    expect(upcoming("0 0 30 2 *", "UTC", "2026-11-30T10:30:00Z")).toEqual([]);
  });
});
