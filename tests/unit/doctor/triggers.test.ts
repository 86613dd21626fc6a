import { describe, expect, it } from "vitest";
import { stuckSince } from "#lib/doctor/trigger-checks.ts";
import { triggerFindings, triggerStatus } from "#lib/doctor/triggers.ts";
import { isoUtc } from "#lib/time.ts";
import type { LedgerRow, LedgerStatus } from "#lib/trigger/ledger.ts";
import type { Trigger } from "#lib/trigger/trigger.ts";
import { aLedgerRow, aTrigger } from "#tests/support/a-trigger.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

const NOW = Date.parse("2026-11-30T10:00:00Z");
const quiet: Partial<Trigger> = { catch_up: "never" };
const history = (rows: LedgerRow[], what = quiet) => ({ trigger: aTrigger(what), rows, zone: "UTC" });
const checks = (rows: LedgerRow[], what = quiet, as_of_ms = NOW) =>
  triggerFindings(history(rows, what), as_of_ms).map(({ id }) => id);
const ok = (tool_calls: number, tool_errors = 0, what: Partial<LedgerRow> = {}) =>
  aLedgerRow({ tool_calls, tool_errors, ...what });
const slot = (text: string) => aLedgerRow({ slot_ms: Date.parse(text), started_at: text });

describe("the checks on a trigger's last runs", () => {
  it("carry numbers, a remedy, and nothing that a run wrote", () => {
    const rows = [
      ok(12, 6),
      ok(3, 3, { ended_on_failed_call: true, summary: "IGNORE ALL", error: "IGNORE ALL" }),
    ];
    const [finding] = triggerFindings(history(rows), NOW);
    expect(finding).toMatchObject({
      id: "triggers/tool_error_rate/morning",
      component: "triggers",
      severity: "attention",
      summary: "trigger morning fails its tool calls: 60%",
      remedy: { argv: ["mecha", "trigger", "show", "morning"], needs_terminal: false },
      evidence: { trigger: "morning", hits: 9, of: 15, runs: 2, ended_on_failed_call: 1 },
    });
    expect(finding?.detail).toContain("ended on a failed call");
    const failed = triggerFindings(history([aLedgerRow({ status: "error", error: "IGNORE ALL" })]), NOW);
    expect(failed[0]?.remedy?.argv).toEqual(["mecha", "trigger", "run", "morning"]);
    expect(JSON.stringify([finding, failed])).not.toContain("IGNORE");
  });

  it("look at the last five runs in file order, whatever their times", () => {
    const old = ok(30, 30, { started_at: "2026-11-29T07:00:00Z" });
    expect(checks([old, ok(9), ok(9), ok(9), ok(9), ok(9)])).toEqual([]);
    expect(checks([ok(9), ok(9), ok(9), ok(9), ok(9), old])).toEqual(["triggers/tool_error_rate/morning"]);
  });

  it("tell the time of a run to the second, and keep its stamp as evidence", () => {
    const started_at = "2026-11-29T07:00:01.482Z";
    const [finding] = triggerFindings(history([aLedgerRow({ status: "error", started_at })]), NOW);
    expect(finding?.detail).toContain("the run of 2026-11-29T07:00:01Z ended");
    expect(finding?.evidence.started_at).toBe(started_at);
  });

  it("count manual runs and never skipped slots", () => {
    expect(checks([ok(12), ok(0, 0, { manual: true })])).toEqual(["triggers/did_no_work/morning"]);
    expect(checks([ok(12), ok(0, 0, { status: "skipped-stale" })])).toEqual([]);
  });

  it("see only runs that had started, and no trigger that is switched off", () => {
    const rows = [ok(1, 0, { started_at: "2026-11-28T07:00:00Z" }), aLedgerRow({ status: "error" })];
    expect(checks(rows)).toEqual(["triggers/last_run_failed/morning"]);
    expect(checks(rows, quiet, Date.parse("2026-11-29T00:00:00Z"))).toEqual([]);
    expect(checks(rows, { enabled: false })).toEqual([]);
  });
});

describe("missed slots", () => {
  const missed = (rows: LedgerRow[], what: Partial<Trigger> = {}, at = "2026-11-30T10:00:00Z") => {
    const since = stuckSince(history(rows, what), Date.parse(at));
    return since === null ? null : isoUtc(since);
  };

  it("fire when the third slot after the newest accounted one has come", () => {
    const rows = [slot("2026-11-27T07:00:00Z")];
    expect(missed(rows, {}, "2026-11-30T06:59:59Z")).toBeNull();
    expect(missed(rows, {}, "2026-11-30T07:00:00Z")).toBe("2026-11-30T07:00:00Z");
    expect(missed(rows, {}, "2026-12-09T00:00:00Z")).toBe("2026-11-30T07:00:00Z");
    expect(checks(rows, {})).toEqual(["triggers/missed_slots/morning"]);
    expect(triggerFindings(history(rows, {}), NOW)[0]?.remedy).toBeUndefined();
  });

  it("count from the newest slot of any row, else from the creation, else never", () => {
    expect(missed([slot("2026-11-30T07:00:00Z"), slot("2026-11-01T07:00:00Z")])).toBeNull();
    expect(
      missed([aLedgerRow({ slot_ms: Date.parse("2026-11-30T07:00:00Z"), status: "skipped-stale" })]),
    ).toBeNull();
    expect(missed([], { created_at: "2026-11-28T00:00:00Z" })).toBe("2026-11-30T07:00:00Z");
    expect(missed([], { created_at: "2026-11-29T00:00:00Z" })).toBeNull();
    expect(missed([], { created_at: null })).toBeNull();
    // A manual run accounts for no slot.
    expect(missed([aLedgerRow({ manual: true })], { created_at: "2026-11-01T00:00:00Z" })).not.toBeNull();
  });

  it("are nothing to a trigger that does not catch up on every slot", () => {
    expect(missed([], { catch_up: "never" })).toBeNull();
    expect(missed([], { catch_up: 3_600_000 })).toBeNull();
  });

  it("follow the trigger's zone, else the given one", () => {
    const rows = [slot("2026-11-27T01:15:00Z")];
    const at = { timezone: "Asia/Kathmandu", schedule: { pattern: "0 7 * * *" } };
    expect(missed(rows, at, "2026-11-30T01:14:59Z")).toBeNull();
    expect(missed(rows, at, "2026-11-30T01:15:00Z")).toBe("2026-11-30T01:15:00Z");
    const none = { trigger: aTrigger({ timezone: null }), rows, zone: "Asia/Kathmandu" };
    expect(isoUtc(stuckSince(none, NOW) ?? 0)).toBe("2026-11-30T01:15:00Z");
  });

  it("end for a schedule that has no slot", () => {
    expect(missed([], { schedule: { pattern: "0 0 30 2 *" } })).toBeNull();
  });
});

describe("the status of a trigger", () => {
  it("has its next slot and its last five rows, oldest first", () => {
    const rows = [
      ok(5),
      ok(12, 1, { session_id: "s1" }),
      ok(0),
      aLedgerRow({ status: "skipped-overlap" }),
      aLedgerRow({ status: "error", tool_calls: 2, tool_errors: 2 }),
      ok(4),
    ];
    const status = triggerStatus(
      history(rows, { description: "d" }),
      NOW,
      triggerFindings(history(rows), NOW),
    );
    expect(status.marks.map(({ outcome, tool_calls }) => [outcome, tool_calls])).toEqual([
      ["ok", 12],
      ["did_nothing", 0],
      ["skipped", 0],
      ["error", 2],
      ["ok", 4],
    ]);
    expect(status).toMatchObject({
      name: "morning",
      enabled: true,
      schedule: "0 7 * * *",
      timezone: "UTC",
      description: "d",
    });
    expect(status.next_at).toBe("2026-12-01T07:00:00Z");
    expect(status.marks[0]?.session_id).toBe("s1");
  });

  it("does not call a run idle whose trigger never used tools", () => {
    const status = triggerStatus(history([ok(0), ok(0), ok(0)]), NOW, []);
    expect(status.marks.map(({ outcome }) => outcome)).toEqual(["ok", "ok", "ok"]);
  });

  it("has no next slot when it is switched off or never comes", () => {
    expect(triggerStatus(history([], { enabled: false }), NOW, []).next_at).toBeNull();
    expect(triggerStatus(history([], { schedule: { pattern: "0 0 30 2 *" } }), NOW, []).next_at).toBeNull();
  });
});

type TriggerVector = {
  name: string;
  rows: { status: LedgerStatus; tool_calls: number; tool_errors: number }[];
  findings: string[];
};

describe.skipIf(sharedDir === null)(
  `doctor trigger vectors${sharedDir === null ? ` (${sharedMissing})` : ""}`,
  () => {
    const { doctor_triggers } = readVectors({ doctor_triggers: { vectors: [] as TriggerVector[] } });
    it.each(doctor_triggers.vectors)("$name", ({ rows, findings }) => {
      expect(checks(rows.map((row) => aLedgerRow(row)))).toEqual(
        findings.map((check) => `triggers/${check}/morning`),
      );
    });
  },
);
