import { describe, expect, it } from "vitest";
import { readWeek, weekKeyAt } from "#lib/review/week.ts";
import { isoUtc } from "#lib/time.ts";
import { aWeek } from "./known.ts";

const span = (week: ReturnType<typeof aWeek>) => [isoUtc(week.from_ms), isoUtc(week.to_ms)];
const HOUR = 3_600_000;

describe("a week", () => {
  it("goes from Monday to Monday, with the eight before it", () => {
    const week = aWeek();
    expect(span(week)).toEqual(["2026-11-23T00:00:00Z", "2026-11-30T00:00:00Z"]);
    expect(isoUtc(week.until_ms)).toBe("2026-11-29T23:59:59.999Z");
    expect(week.buckets.map(({ key }) => key)).toEqual(
      [40, 41, 42, 43, 44, 45, 46, 47, 48].map((n) => `2026-W${n}`),
    );
    expect(week).toMatchObject({ complete: true, previous: "2026-W47", next: "2026-W49" });
  });

  it("is an hour longer where the clock goes back, and an hour shorter where it goes forward", () => {
    const back = aWeek("2026-W43", "Europe/Zurich");
    expect(span(back)).toEqual(["2026-10-18T22:00:00Z", "2026-10-25T23:00:00Z"]);
    expect(back.to_ms - back.from_ms).toBe(169 * HOUR);
    const forward = aWeek("2026-W13", "Europe/Zurich");
    expect(forward.to_ms - forward.from_ms).toBe(167 * HOUR);
  });

  it("knows the turn of the year, and which years have 53 weeks", () => {
    const week = aWeek("2026-W01");
    expect(span(week)).toEqual(["2025-12-29T00:00:00Z", "2026-01-05T00:00:00Z"]);
    expect(week.previous).toBe("2025-W52");
    expect(week.buckets[0]?.key).toBe("2025-W45");
    expect(aWeek("2020-W53").next).toBe("2021-W01");
    expect(readWeek("2025-W53", "UTC", Date.now()).ok).toBe(false);
  });

  it("that lasts ends at the moment of looking", () => {
    const week = aWeek("2026-W48", "UTC", "2026-11-25T08:30:00Z");
    expect(week).toMatchObject({ complete: false, next: null });
    expect(isoUtc(week.until_ms)).toBe("2026-11-25T08:30:00Z");
  });

  it("is complete with its last millisecond, and the next one is there with its first", () => {
    expect(aWeek("2026-W48", "UTC", "2026-11-29T23:59:59.999Z")).toMatchObject({
      complete: true,
      next: null,
    });
    expect(aWeek("2026-W48", "UTC", "2026-11-30T00:00:00Z").next).toBe("2026-W49");
  });

  it("is the one of the zone: at the same moment it is another week elsewhere", () => {
    const at = Date.parse("2026-11-29T23:30:00Z");
    expect([weekKeyAt(at, "UTC"), weekKeyAt(at, "Asia/Tokyo")]).toEqual(["2026-W48", "2026-W49"]);
  });

  it.each([
    "2026-W54",
    "2026-W00",
    "2026-W5",
    "2026-11-23",
    "2026-11",
    "W48",
    "",
    "1969-W40",
    "2026-W48 ",
    "../x",
  ])("%j names none", (text) => {
    const read = readWeek(text, "UTC", Date.parse("2026-11-30T10:00:00Z"));
    expect(read).toMatchObject({ ok: false, why: "unknown" });
    if (!read.ok) expect(read.problem).toContain("write one such as 2026-W49");
  });

  it("may be written with a small w", () => {
    expect(aWeek("2026-w48").key).toBe("2026-W48");
  });

  it("has no review before it begins", () => {
    const read = readWeek("2026-W49", "UTC", Date.parse("2026-11-29T12:00:00Z"));
    expect(read).toMatchObject({ ok: false, why: "future" });
    if (!read.ok) expect(read.problem).toContain("begins at 2026-11-30T00:00:00Z");
  });
});
