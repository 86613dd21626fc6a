import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  bucketKey,
  bucketRange,
  bucketsBetween,
  isoUtc,
  isZone,
  PERS,
  parseInstant,
  parseTime,
  stampMs,
} from "#lib/time.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";

const at = (text: string) => Date.parse(text);

/** The local calendar day as Intl itself writes it. */
function intlDay(ms: number, zone: string): string {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone: zone,
    year: "numeric",
    month: "2-digit",
    day: "2-digit",
  }).formatToParts(ms);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? "";
  return `${part("year").padStart(4, "0")}-${part("month")}-${part("day")}`;
}

/** ISO week of a calendar day, by walking days: slow and plain. */
function slowWeek(day: string): string {
  const thursday = new Date(`${day}T00:00:00Z`);
  while (thursday.getUTCDay() !== 1) thursday.setUTCDate(thursday.getUTCDate() - 1);
  thursday.setUTCDate(thursday.getUTCDate() + 3);
  const year = thursday.getUTCFullYear();
  let week = 0;
  const walk = new Date(thursday);
  for (; walk.getUTCFullYear() === year; walk.setUTCDate(walk.getUTCDate() - 7)) week += 1;
  return `${String(year).padStart(4, "0")}-W${String(week).padStart(2, "0")}`;
}

const ZONES = [
  "UTC",
  "Europe/Zurich",
  "America/New_York",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Australia/Lord_Howe",
  "America/St_Johns",
  "Pacific/Apia",
  "Pacific/Kiritimati",
  "Pacific/Chatham",
  "Africa/Monrovia",
  "Africa/Casablanca",
  "America/Sao_Paulo",
  "Asia/Beirut",
  "Asia/Manila",
  "Europe/Amsterdam",
];

describe("bucketKey", () => {
  it.each([
    ["2026-11-30T10:00:00Z", "UTC", "2026-11-30", "2026-W49", "2026-11"],
    ["2026-11-29T23:30:00Z", "Europe/Zurich", "2026-11-30", "2026-W49", "2026-11"],
    ["2026-11-29T18:14:59Z", "Asia/Kathmandu", "2026-11-29", "2026-W48", "2026-11"],
    ["2026-11-29T18:15:00Z", "Asia/Kathmandu", "2026-11-30", "2026-W49", "2026-11"],
    ["2021-01-03T12:00:00Z", "UTC", "2021-01-03", "2020-W53", "2021-01"],
    ["2024-12-30T12:00:00Z", "UTC", "2024-12-30", "2025-W01", "2024-12"],
    ["2027-01-01T04:59:59Z", "America/New_York", "2026-12-31", "2026-W53", "2026-12"],
    ["1969-12-31T23:59:59Z", "UTC", "1969-12-31", "1970-W01", "1969-12"],
    ["1900-01-01T00:00:00Z", "UTC", "1900-01-01", "1900-W01", "1900-01"],
    // Newfoundland set its clocks back at one minute past midnight, so that a day began twice.
    ["2006-10-29T02:30:59Z", "America/St_Johns", "2006-10-29", "2006-W43", "2006-10"],
    ["2006-10-29T02:31:00Z", "America/St_Johns", "2006-10-28", "2006-W43", "2006-10"],
    ["0000-01-01T00:00:00Z", "UTC", "0000-01-01", "-000001-W52", "0000-01"],
    ["9999-12-31T23:59:59Z", "UTC", "9999-12-31", "9999-W52", "9999-12"],
  ])("%s in %s", (time, zone, day, week, month) => {
    expect(PERS.map((per) => bucketKey(at(time), zone, per))).toEqual([day, week, month]);
  });

  it("agrees with Intl in every zone, over daylight saving, odd offsets and dates before 1970", () => {
    const instants = fc.oneof(
      fc.integer({ min: at("1850-01-01T00:00:00Z"), max: at("2150-01-01T00:00:00Z") }),
      // Around the changes of this year in several zones, to the second.
      fc
        .tuple(
          fc.constantFrom(
            "2026-03-29T01:00:00Z",
            "2026-10-25T01:00:00Z",
            "2026-03-08T07:00:00Z",
            "2026-04-04T15:00:00Z",
          ),
          fc.integer({ min: -90_000, max: 90_000 }),
        )
        .map(([text, seconds]) => at(text) + seconds * 1000),
      // Samoa skips a day; Liberia leaves its offset of 44 minutes 30 seconds.
      fc
        .tuple(
          fc.constantFrom("2011-12-30T10:00:00Z", "1972-01-07T00:44:30Z"),
          fc.integer({ min: -90_000, max: 90_000 }),
        )
        .map(([text, seconds]) => at(text) + seconds * 1000),
    );
    fc.assert(
      fc.property(instants, fc.constantFrom(...ZONES), (ms, zone) => {
        const day = intlDay(ms, zone);
        expect(bucketKey(ms, zone, "day")).toBe(day);
        expect(bucketKey(ms, zone, "month")).toBe(day.slice(0, 7));
        expect(bucketKey(ms, zone, "week")).toBe(slowWeek(day));
      }),
      { numRuns: 4000 },
    );
  });

  it("sorts fifty thousand rows of a quarter without asking Intl about each", () => {
    const took = cpuTimer();
    for (let i = 0; i < 50_000; i += 1) bucketKey(1.79e12 - i * 155_520, "America/Chicago", "week");
    expect(took()).toBeLessThan(1000);
  });
});

describe("bucketRange", () => {
  it("is a day of 23 or 25 hours where the clock changes", () => {
    const hours = (key: string) => {
      const range = bucketRange(key, "Europe/Zurich");
      return range === null ? null : (range.to_ms - range.from_ms) / 3_600_000;
    };
    expect(["2026-03-29", "2026-10-25", "2026-11-30", "2026-W13", "2026-03"].map(hours)).toEqual([
      23, 25, 24, 167, 743,
    ]);
  });

  it("starts where the clock jumped when there is no midnight", () => {
    expect(isoUtc(bucketRange("2018-11-04", "America/Sao_Paulo")?.from_ms ?? 0)).toBe("2018-11-04T03:00:00Z");
  });

  it("is empty for the day that Samoa skipped", () => {
    const skipped = bucketRange("2011-12-30", "Pacific/Apia");
    expect(skipped?.from_ms).toBe(skipped?.to_ms);
    const days = bucketsBetween(
      at("2011-12-29T00:00:00Z"),
      at("2012-01-01T00:00:00Z"),
      "Pacific/Apia",
      "day",
      9,
    );
    expect(days.buckets.map(({ key }) => key)).toEqual([
      "2011-12-28",
      "2011-12-29",
      "2011-12-31",
      "2012-01-01",
    ]);
  });

  it.each(["2026-13", "2026-02-30", "2026-W54", "2025-W53", "2026-W00", "today", ""])("refuses %j", (key) => {
    expect(bucketRange(key, "UTC")).toBeNull();
  });

  it("holds exactly the instants that have its key", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: at("1995-01-01T00:00:00Z"), max: at("2037-01-01T00:00:00Z") }),
        // St John's set its clocks back over midnight until 2011, so that a local day came in two pieces.
        fc.constantFrom(...ZONES.filter((zone) => zone !== "America/St_Johns")),
        fc.constantFrom(...PERS),
        (ms, zone, per) => {
          const range = bucketRange(bucketKey(ms, zone, per), zone);
          expect(range).not.toBeNull();
          if (range === null) return;
          expect(range.from_ms).toBeLessThanOrEqual(ms);
          expect(range.to_ms).toBeGreaterThan(ms);
          expect(bucketKey(range.from_ms, zone, per)).toBe(bucketKey(ms, zone, per));
          expect(bucketKey(range.from_ms - 1, zone, per)).not.toBe(bucketKey(ms, zone, per));
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe("bucketsBetween", () => {
  it("gives every bucket, without a hole, the newest when there are too many", () => {
    const all = bucketsBetween(
      at("2026-01-15T00:00:00Z"),
      at("2026-11-30T00:00:00Z"),
      "Europe/Zurich",
      "month",
      99,
    );
    expect(all.left_out).toBe(0);
    expect(all.buckets.map(({ key }) => key)).toEqual(
      Array.from({ length: 11 }, (_, i) => `2026-${String(i + 1).padStart(2, "0")}`),
    );
    const few = bucketsBetween(
      at("2026-01-15T00:00:00Z"),
      at("2026-11-30T00:00:00Z"),
      "Europe/Zurich",
      "month",
      3,
    );
    expect([few.buckets[0]?.key, few.buckets.length, few.left_out]).toEqual(["2026-09", 3, 8]);
    for (const per of PERS) {
      const { buckets } = bucketsBetween(
        at("2026-01-01T00:00:00Z"),
        at("2027-01-01T00:00:00Z"),
        "UTC",
        per,
        400,
      );
      buckets.slice(1).forEach((bucket, i) => {
        expect(bucket.from_ms).toBe(buckets[i]?.to_ms);
      });
    }
  });

  it("is empty for an empty window", () => {
    expect(bucketsBetween(5, 5, "UTC", "day", 9)).toEqual({ buckets: [], left_out: 0 });
    expect(bucketsBetween(Number.NaN, 5, "UTC", "day", 9)).toEqual({ buckets: [], left_out: 0 });
  });
});

describe("zones and times", () => {
  it("knows a zone from what is none", () => {
    expect(["UTC", "Europe/Zurich", "Etc/GMT+5", "America/Argentina/Buenos_Aires"].map(isZone)).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(["", "Mars/Olympus", "Europe/Zurich\n", "../etc", "x".repeat(100), "+01:00"].map(isZone)).toEqual(
      Array.from({ length: 6 }, () => false),
    );
  });

  it.each([
    ["2026-11-30T18:00:00Z", "2026-11-30T18:00:00Z"],
    ["2026-11-30t18:00:00.123456+05:45", "2026-11-30T12:15:00.123Z"],
    ["2026-11-30 18:00:00-00:30", "2026-11-30T18:30:00Z"],
    ["1969-07-20T20:17:40Z", "1969-07-20T20:17:40Z"],
    ["0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z"],
    // A date is the whole of that day, in the zone asked for.
    ["2026-11-30", "2026-11-30T18:14:59.999Z"],
  ])("reads %s", (text, utc) => {
    const parsed = parseTime(text, "Asia/Kathmandu");
    expect(parsed.ok && isoUtc(parsed.value)).toBe(utc);
  });

  it.each([
    "",
    "now",
    "2026-02-30",
    "2026-02-30T00:00:00Z",
    "2026-11-30T24:00:00Z",
    "2026-11-30T10:00Z",
    "2026-11-30T10:00:00",
    "30.11.2026",
    "2026-11-30T10:00:00+25:00",
  ])("refuses %j", (text) => {
    expect(parseTime(text, "UTC").ok).toBe(false);
  });

  it("reads a stamp as Date.parse does, only faster", () => {
    const near = fc
      .tuple(
        fc.integer({ min: -62_135_596_800_000, max: 253_402_300_799_999 }),
        fc.boolean(),
        fc.nat(23),
        fc.string({ maxLength: 1 }),
      )
      .map(([ms, short, at, char]) => {
        const text = short ? isoUtc(ms - (((ms % 1000) + 1000) % 1000)) : new Date(ms).toISOString();
        return char === "" ? text : text.slice(0, at) + char + text.slice(at + 1);
      });
    fc.assert(
      fc.property(fc.oneof(near, fc.string()), (text) => {
        expect(stampMs(text)).toBe(Date.parse(text));
      }),
      { numRuns: 5000 },
    );
    for (const text of [
      "2024-02-29T00:00:00Z",
      "2023-02-29T00:00:00Z",
      "2026-11-30T24:00:00Z",
      "2026-01-01T00:00:00.12Z",
    ]) {
      expect(stampMs(text)).toBe(Date.parse(text));
    }
  });

  it("reads back every time it writes", () => {
    fc.assert(
      fc.property(
        fc.date({
          min: new Date("0000-01-01T00:00:00Z"),
          max: new Date("9999-12-31T23:59:59Z"),
          noInvalidDate: true,
        }),
        (date) => {
          expect(parseInstant(isoUtc(date.getTime()))).toBe(date.getTime());
        },
      ),
    );
  });
});
