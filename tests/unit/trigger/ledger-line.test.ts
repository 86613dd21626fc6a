import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { UserError } from "#lib/errors.ts";
import { appendRow } from "#lib/trigger/append.io.ts";
import { parseLedger, parseRow } from "#lib/trigger/ledger.ts";
import { ledgerLine } from "#lib/trigger/ledger-line.ts";
import { aLedgerRow } from "#tests/support/a-trigger.ts";

describe("a row as its line", () => {
  test("keys in their order, and without those that say the usual", () => {
    const row = aLedgerRow({
      slot_ms: Date.parse("2026-08-14T07:00:00Z"),
      started_at: "2026-08-14T07:00:01Z",
      finished_at: "2026-08-14T07:01:10Z",
      session_id: "20260814T070001-0a1b2c3d",
      turns: 3,
      taint: { private: true, untrusted: false },
      tool_calls: 6,
      tool_errors: 3,
      stop_cause: "completed",
      summary: "Three meetings.",
    });
    expect(ledgerLine(row).toString()).toBe(
      '{"trigger":"morning","slot":"2026-08-14T07:00:00Z","started_at":"2026-08-14T07:00:01Z","finished_at":"2026-08-14T07:01:10Z","status":"ok","session_id":"20260814T070001-0a1b2c3d","turns":3,"blocked_sends":0,"staged":0,"taint":{"private":true,"untrusted":false},"tool_calls":6,"tool_errors":3,"ended_on_failed_call":false,"summary":"Three meetings."}\n',
    );
  });

  test("what is not the usual is written", () => {
    const row = aLedgerRow({
      cost_usd: 0.25,
      stop_cause: "interrupted",
      error: "why",
      notify_error: "nobody",
      manual: true,
    });
    const line = ledgerLine(row).toString();
    expect(Object.keys(JSON.parse(line))).toEqual([
      ...["trigger", "started_at", "status", "turns", "cost_usd", "blocked_sends", "staged", "taint"],
      ...["tool_calls", "tool_errors", "ended_on_failed_call", "stop_cause", "summary", "error"],
      ...["notify_error", "manual"],
    ]);
  });

  test("a count that no reader would take is refused, not written", () => {
    expect(() => ledgerLine(aLedgerRow({ turns: Number.NaN }))).toThrow(/readers would drop/);
    expect(() => ledgerLine(aLedgerRow({ tool_calls: 1.5 }))).toThrow(/readers would drop/);
  });

  test("its reader gives back the row, whatever stands in its texts", () => {
    const texts = fc.string({ unit: "grapheme" });
    fc.assert(
      fc.property(texts, texts, fc.boolean(), (summary, error, manual) => {
        const row = aLedgerRow({ summary, error, manual, slot_ms: manual ? null : 0 });
        const line = ledgerLine(row).toString();
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(parseRow(JSON.parse(line))).toEqual(row);
      }),
    );
    const torn = ledgerLine(aLedgerRow({ summary: "half \ud800 pair" }));
    expect(parseLedger(torn).rows[0]?.summary).toBe("half \ufffd pair");
  });
});

describe("the ledger's file", () => {
  let dir = "";
  beforeEach(() => {
    dir = path.join(mkdtempSync(path.join(tmpdir(), "mecha-ledger-")), "triggers");
  });
  afterEach(() => rmSync(path.dirname(dir), { recursive: true, force: true }));
  const file = () => path.join(dir, "runs.jsonl");

  test("is made for its owner alone, and grows by whole lines", () => {
    appendRow(dir, aLedgerRow());
    appendRow(dir, aLedgerRow({ summary: "two" }));
    expect(parseLedger(readFileSync(file())).rows.map(({ summary }) => summary)).toEqual(["", "two"]);
    expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(statSync(dir).mode & 0o777).toBe(0o700);
  });

  test("a line that an earlier writer left torn costs itself and not the next one", () => {
    appendRow(dir, aLedgerRow());
    writeFileSync(file(), '{"trigger":"morn', { flag: "a" });
    appendRow(dir, aLedgerRow({ summary: "after" }));
    const { rows, coverage } = parseLedger(readFileSync(file()));
    expect(rows.map(({ summary }) => summary)).toEqual(["", "after"]);
    expect(coverage.lines_bad).toBe(1);
  });

  test("where it cannot be written, one line says so", () => {
    writeFileSync(dir, "");
    expect(() => appendRow(dir, aLedgerRow())).toThrow(UserError);
    expect(() => appendRow(dir, aLedgerRow())).toThrow(/the ledger .*runs\.jsonl cannot be written/);
  });
});
