import { describe, expect, it } from "vitest";
import { runFindings, triggerFindingsOf } from "#lib/review/findings.ts";
import { emptyCoverage } from "#lib/transcript/coverage.ts";
import { aScan } from "#tests/support/a-scan.ts";
import { aLedgerRow, aTrigger, aTriggerStore } from "#tests/support/a-trigger.ts";
import { aReview, aWeek, runsOn } from "./known.ts";

const ids = (found: readonly { id: string }[]) => found.map(({ id }) => id);
const failing = (day: string, n = 24) => runsOn(day, n, { model: "m", ended_on_failed_call: true });
const fine = (day: string, n: number) => runsOn(day, n, { model: "m" });
const ENDS = "runs/ended_on_failed_call/recorded/m";

describe("findings of the runs", () => {
  it("that came in the week are new, and say since when", () => {
    const found = runFindings([aScan([...fine("2026-11-10", 30), ...failing("2026-11-25")])], aWeek());
    expect(ids(found.new)).toEqual([ENDS]);
    expect(found.new[0]).toMatchObject({ since: "2026-11-25T23:59:59.999Z", or_earlier: false });
    expect([...found.standing, ...found.resolved]).toEqual([]);
  });

  it("that stood before it and stand at its end are standing", () => {
    const found = runFindings([aScan(failing("2026-11-10"))], aWeek());
    expect(ids(found.standing)).toEqual([ENDS]);
    expect(found.standing[0]?.since).toBe("2026-11-10T23:59:59.999Z");
    expect([...found.new, ...found.resolved]).toEqual([]);
  });

  it("that stood before it and no longer do are resolved", () => {
    const found = runFindings([aScan([...failing("2026-11-10"), ...fine("2026-11-25", 200)])], aWeek());
    expect(ids(found.resolved)).toEqual([ENDS]);
    expect(found.resolved[0]?.resolved_at).toBe("2026-11-25T23:59:59.999Z");
    expect([...found.new, ...found.standing]).toEqual([]);
  });

  it("that came and went within it are resolved too", () => {
    const rows = [...fine("2026-11-10", 20), ...failing("2026-11-24", 10), ...fine("2026-11-26", 200)];
    const found = runFindings([aScan(rows)], aWeek());
    expect(ids(found.resolved)).toEqual([ENDS]);
    expect([...found.new, ...found.standing]).toEqual([]);
  });

  it("that went before it are of no week any more", () => {
    const found = runFindings([aScan([...failing("2026-11-03"), ...fine("2026-11-12", 200)])], aWeek());
    expect(found).toEqual({ new: [], standing: [], resolved: [] });
  });

  it("leave out that a store cannot be read today, which the coverage says", () => {
    const scan = aScan([], { coverage: { ...emptyCoverage(), sessions_unreadable: 2 } });
    expect(runFindings([scan], aWeek())).toEqual({ new: [], standing: [], resolved: [] });
  });
});

describe("findings of the triggers", () => {
  const failed = (started_at: string) => aLedgerRow({ started_at, status: "error" });
  const ok = (started_at: string) => aLedgerRow({ started_at, tool_calls: 3 });
  const never = [aTrigger({ catch_up: "never" })];
  const of = (...rows: ReturnType<typeof aLedgerRow>[]) =>
    triggerFindingsOf(aTriggerStore(never, rows), "UTC", aWeek());

  it("are new, standing or resolved by its runs", () => {
    const [before, within] = ["2026-11-20T07:00:00Z", "2026-11-25T07:00:00Z"];
    expect(ids(of(ok(before), failed(within)).new)).toEqual(["triggers/last_run_failed/morning"]);
    expect(ids(of(failed(before), failed(within)).standing)).toEqual(["triggers/last_run_failed/morning"]);
    expect(of(failed(before), ok(within)).resolved).toMatchObject([{ resolved_at: within }]);
  });

  it("see no run that came after the week", () => {
    expect(of(ok("2026-11-20T07:00:00Z"), failed("2026-11-30T07:00:00Z"))).toEqual({
      new: [],
      standing: [],
      resolved: [],
    });
  });

  it("of slots that were missed are no longer found once a run accounts for them", () => {
    const store = aTriggerStore(
      [aTrigger()],
      [
        { ...ok("2026-11-15T07:00:01Z"), slot_ms: Date.parse("2026-11-15T07:00:00Z") },
        { ...ok("2026-11-24T07:00:01Z"), slot_ms: Date.parse("2026-11-28T07:00:00Z") },
      ],
    );
    const found = triggerFindingsOf(store, "UTC", aWeek());
    expect(found.resolved).toMatchObject([{ id: "triggers/missed_slots/morning", resolved_at: null }]);
  });
});

describe("both together", () => {
  it("stand with what is broken first", () => {
    const triggers = aTriggerStore(
      [aTrigger({ catch_up: "never" })],
      [aLedgerRow({ started_at: "2026-11-25T07:00:00Z", status: "error" })],
    );
    const { findings } = aReview({ triggers }, failing("2026-11-25"));
    expect(findings.new.map(({ component }) => component)).toEqual(["runs", "triggers"]);
  });
});
