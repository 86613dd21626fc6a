import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isoUtc } from "#lib/time.ts";
import { emptyLedger, type LedgerRow } from "#lib/trigger/ledger.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import { COUNTED_MAX, due, ON_TIME_MS, readFrom } from "#lib/unattended/due.ts";
import { aLedgerRow, aTrigger } from "#tests/support/a-trigger.ts";

const at = (time: string) => Date.parse(`2026-08-${time}`);
const accounted = (time: string, what: Partial<LedgerRow> = {}) => aLedgerRow({ slot_ms: at(time), ...what });

function dueAt(now: string, rows: LedgerRow[] = [], what: Partial<Trigger> = {}) {
  const owed = due(aTrigger(what), rows, { now_ms: at(now), zone: "UTC", created_ms: at("01T00:00:00Z") });
  const { run_ms, dropped } = owed;
  return {
    run: run_ms === null ? null : isoUtc(run_ms),
    dropped: dropped === null ? null : [dropped.slots, isoUtc(dropped.first_ms), isoUtc(dropped.last_ms)],
  };
}
const nothing = { run: null, dropped: null };
const run = (time: string) => ({ run: `2026-08-${time}`, dropped: null });

describe("a daily trigger at seven", () => {
  test.each([
    ["before its first slot", "01T06:59:59.999Z", [], nothing],
    ["at its first slot", "01T07:00:00Z", [], run("01T07:00:00Z")],
    ["a minute later", "01T07:01:00Z", [], run("01T07:00:00Z")],
    ["once it ran", "01T07:01:00Z", [accounted("01T07:00:00Z")], nothing],
    ["the next day", "02T07:00:10Z", [accounted("01T07:00:00Z")], run("02T07:00:00Z")],
    ["rows out of order", "02T07:00:10Z", [accounted("02T07:00:00Z"), accounted("01T07:00:00Z")], nothing],
    [
      "a skipped slot is accounted",
      "02T07:30:00Z",
      [accounted("02T07:00:00Z", { status: "skipped-overlap" })],
      nothing,
    ],
    ["an error is accounted", "02T07:30:00Z", [accounted("02T07:00:00Z", { status: "error" })], nothing],
    ["a run by hand is not", "01T07:30:00Z", [aLedgerRow({ manual: true })], run("01T07:00:00Z")],
    [
      "another's row is not",
      "01T07:30:00Z",
      [accounted("01T07:00:00Z", { trigger: "other" })],
      run("01T07:00:00Z"),
    ],
    [
      "a slot of a clock that was wrong is not",
      "01T07:30:00Z",
      [accounted("20T07:00:00Z")],
      run("01T07:00:00Z"),
    ],
  ])("%s", (_, now, rows, owed) => expect(dueAt(now, rows)).toEqual(owed));

  test("a slot before it was created is none of its own", () => {
    expect(dueAt("05T06:00:00Z", [], { created_at: "2026-08-04T08:00:00Z" })).toEqual(nothing);
  });

  test("what an unread part of the ledger may hold does not run again", () => {
    const known = { rows: [accounted("03T09:00:00Z", { trigger: "other", started_ms: at("03T09:00:00Z") })] };
    const cut = readFrom({ ...known, coverage: { ...emptyLedger().coverage, bytes_left_out: 1 } });
    expect(cut).toBe(at("03T09:00:00Z"));
    expect(readFrom({ ...known, coverage: emptyLedger().coverage })).toBeNull();
    const now = { zone: "UTC", created_ms: 0, read_from_ms: cut };
    expect(due(aTrigger({}), [], { ...now, now_ms: at("04T06:00:00Z") }).run_ms).toBeNull();
    expect(due(aTrigger({}), [], { ...now, now_ms: at("04T07:00:00Z") }).run_ms).toBe(at("04T07:00:00Z"));
  });

  test("a file that does not tell counts from its last change", () => {
    expect(dueAt("01T07:00:00Z", [], { created_at: null })).toEqual(run("01T07:00:00Z"));
    const late = { now_ms: at("01T07:00:00Z"), zone: "UTC", created_ms: at("01T07:00:00Z") };
    expect(due(aTrigger({ created_at: null }), [], late).run_ms).toBeNull();
  });

  test("a disabled one owes nothing", () => {
    expect(dueAt("05T07:00:00Z", [], { enabled: false })).toEqual(nothing);
  });

  test("it fires in its own zone, or else in the one given", () => {
    const zurich = { timezone: "Europe/Zurich" };
    expect(dueAt("01T05:00:00Z", [], zurich)).toEqual(run("01T05:00:00Z"));
    const kathmandu = { now_ms: at("01T01:15:00Z"), zone: "Asia/Kathmandu", created_ms: 0 };
    expect(due(aTrigger({ timezone: null }), [], kathmandu).run_ms).toBe(at("01T01:15:00Z"));
  });
});

describe("missed slots", () => {
  const three = ["02T07:00:00Z", "04T07:00:00Z"];
  const dropped = [2, "2026-08-02T07:00:00Z", "2026-08-03T07:00:00Z"];
  const all = [3, ...three.map((time) => `2026-08-${time}`)];
  const rows = [accounted("01T07:00:00Z")];
  test("always: the newest runs for all, however late", () => {
    expect(dueAt("04T20:00:00Z", rows)).toEqual({ run: "2026-08-04T07:00:00Z", dropped });
  });
  test("never: none runs, but one that is on time does", () => {
    const never = { catch_up: "never" } as const;
    expect(dueAt("04T20:00:00Z", rows, never)).toEqual({ run: null, dropped: all });
    expect(dueAt("04T07:01:30Z", rows, never)).toEqual({ run: "2026-08-04T07:00:00Z", dropped });
    expect(dueAt("04T07:01:30.001Z", rows, never)).toEqual({ run: null, dropped: all });
    expect(ON_TIME_MS).toBe(90_000);
  });
  test("a duration: the newest runs while it is at most so late", () => {
    const two = { catch_up: 7_200_000 };
    expect(dueAt("04T09:00:00Z", rows, two)).toEqual({ run: "2026-08-04T07:00:00Z", dropped });
    expect(dueAt("04T09:00:00.001Z", rows, two)).toEqual({ run: null, dropped: all });
  });
  test("a duration shorter than the looking takes still runs what is on time", () => {
    expect(dueAt("02T07:01:00Z", rows, { catch_up: 1000 })).toEqual(run("02T07:00:00Z"));
  });
  test("of very many it counts so far and says that there are more", () => {
    const trigger = aTrigger({ schedule: { pattern: "* * * * *" }, catch_up: "never" });
    const owed = due(trigger, [], { now_ms: at("30T00:30:59Z"), zone: "UTC", created_ms: 0 });
    expect(owed.dropped).toMatchObject({ slots: COUNTED_MAX, more: true, last_ms: at("30T00:29:00Z") });
  });
});

test("the hour that a zone repeats fires once, and the one it skips fires late", () => {
  const zurich = aTrigger({
    schedule: { pattern: "30 2 * * *" },
    timezone: "Europe/Zurich",
    created_at: null,
  });
  const fired = (from: string, to: string) => {
    const rows: LedgerRow[] = [];
    for (let now_ms = Date.parse(from); now_ms < Date.parse(to); now_ms += 60_000) {
      const { run_ms } = due(zurich, rows, { now_ms, zone: "UTC", created_ms: Date.parse(from) });
      if (run_ms !== null) rows.push(aLedgerRow({ slot_ms: run_ms }));
    }
    return rows.length;
  };
  expect(fired("2026-10-24T22:00:00Z", "2026-10-25T12:00:00Z")).toBe(1);
  expect(fired("2026-03-28T23:00:00Z", "2026-03-29T12:00:00Z")).toBe(1);
});

test("whenever somebody looks, no slot runs twice, and after a look nothing is owed", () => {
  const looks = fc.array(fc.integer({ min: 0, max: 6 * 3_600_000 }), { maxLength: 20 });
  const catch_up = fc.constantFrom("always" as const, "never" as const, 600_000);
  fc.assert(
    fc.property(looks, catch_up, (gaps, late) => {
      const trigger = aTrigger({ schedule: { pattern: "*/20 * * * *" }, catch_up: late });
      const rows: LedgerRow[] = [];
      const seen: number[] = [];
      let now_ms = at("01T00:00:00Z");
      for (const gap of gaps) {
        now_ms += gap;
        const when = { now_ms, zone: "UTC", created_ms: 0 };
        const { run_ms, dropped } = due(trigger, rows, when);
        if (dropped !== null) rows.push(aLedgerRow({ slot_ms: dropped.last_ms, status: "skipped-stale" }));
        if (run_ms !== null) rows.push(aLedgerRow({ slot_ms: run_ms }));
        if (run_ms !== null) seen.push(run_ms);
        expect(due(trigger, rows, when)).toEqual({ run_ms: null, dropped: null });
      }
      expect(new Set(seen).size).toBe(seen.length);
    }),
    { numRuns: 50 },
  );
});
