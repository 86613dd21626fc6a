import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TriggerHistory } from "#lib/doctor/trigger-checks.ts";
import { didNoWork, runWindow } from "#lib/doctor/trigger-checks.ts";
import { triggerView } from "#lib/doctor/trigger-view.ts";
import { rowOutcomes, triggerStatus } from "#lib/doctor/triggers.ts";
import { LEDGER_STATUSES, type LedgerRow } from "#lib/trigger/ledger.ts";
import { aLedgerRow, aTrigger } from "#tests/support/a-trigger.ts";

const NOW = Date.parse("2026-11-30T10:00:00Z");
const history = (rows: LedgerRow[], what = {}): TriggerHistory => ({
  trigger: aTrigger(what),
  rows,
  zone: "Asia/Kathmandu",
});
const view = (one: TriggerHistory) => triggerView(one, NOW, { slots: 2, rows: 3 });

describe("how rows went", () => {
  it("is for each row what the runs up to it say", () => {
    const rows = fc.array(
      fc.record({ status: fc.constantFrom(...LEDGER_STATUSES), tool_calls: fc.constantFrom(0, 1, 4, 10) }),
      { maxLength: 30 },
    );
    let idle = 0;
    fc.assert(
      fc.property(rows, (told) => {
        const ledger = told.map((row) => aLedgerRow(row));
        const outcomes = rowOutcomes(ledger);
        ledger.forEach(({ status }, at) => {
          const did = didNoWork(runWindow(ledger.slice(0, at + 1)));
          if (status === "ok" && did) idle += 1;
          const ran = status === "error" ? "error" : did ? "did_nothing" : "ok";
          expect(outcomes[at]?.outcome).toBe(status.startsWith("skipped") ? "skipped" : ran);
        });
      }),
      { numRuns: 500, seed: 3 },
    );
    expect(idle).toBeGreaterThan(30);
  });
});

describe("one trigger by itself", () => {
  const rows = [1, 2, 3, 4].map((n) => aLedgerRow({ started_at: `2026-11-2${n}T07:00:01Z`, turns: n }));

  it("has its last rows in the order of the ledger, those after the instant left out", () => {
    const later = aLedgerRow({ started_at: "2026-12-01T07:00:00Z", turns: 9 });
    const seen = view(history([...rows, later]));
    expect(seen.rows.map(({ row }) => row.turns)).toEqual([2, 3, 4]);
    expect(seen.rows_older).toBe(1);
    expect(view(history([])).rows).toEqual([]);
  });

  it("has its next slots in its own zone, else in the machine's, and none when it is disabled or never fires", () => {
    expect(view(history([]))).toMatchObject({
      schedule_zone: "UTC",
      next: ["2026-12-01T07:00:00Z", "2026-12-02T07:00:00Z"],
    });
    expect(view(history([], { timezone: null }))).toMatchObject({
      schedule_zone: "Asia/Kathmandu",
      next: ["2026-12-01T01:15:00Z", "2026-12-02T01:15:00Z"],
    });
    expect(view(history([], { enabled: false })).next).toEqual([]);
    expect(view(history([], { schedule: { pattern: "0 0 31 2 *" } })).next).toEqual([]);
  });

  it("has the findings of the doctor, and a list of it as many marks as are asked for", () => {
    const failed = [...rows, aLedgerRow({ status: "error", started_at: "2026-11-30T07:00:01Z" })];
    const one = history(failed, { catch_up: "never" });
    expect(view(one).findings.map(({ id }) => id)).toEqual(["triggers/last_run_failed/morning"]);
    expect(triggerStatus(one, NOW, [], 2).marks.map(({ outcome }) => outcome)).toEqual(["ok", "error"]);
    expect(triggerStatus(one, NOW, []).marks).toHaveLength(5);
  });
});
