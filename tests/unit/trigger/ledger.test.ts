import { isUtf8 } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseLedger } from "#lib/trigger/ledger.ts";

const ROW = { trigger: "morning", started_at: "2026-08-14T07:00:01Z", status: "ok" };
const line = (over: object = {}) => JSON.stringify({ ...ROW, ...over });
const ledger = (text: string | Uint8Array, left = 0) =>
  parseLedger(typeof text === "string" ? Buffer.from(text) : text, left);

function splitLines(bytes: Buffer): Buffer[] {
  const end = bytes.indexOf(0x0a);
  return end < 0 ? [bytes] : [bytes.subarray(0, end), ...splitLines(bytes.subarray(end + 1))];
}

describe("the ledger", () => {
  it("reads a row, with defaults for what it does not say", () => {
    expect(ledger(`${line()}\n`)).toEqual({
      rows: [
        {
          trigger: "morning",
          slot_ms: null,
          started_at: "2026-08-14T07:00:01Z",
          started_ms: Date.parse("2026-08-14T07:00:01Z"),
          finished_at: null,
          status: "ok",
          session_id: null,
          turns: 0,
          cost_usd: null,
          blocked_sends: 0,
          staged: 0,
          taint: { private: false, untrusted: false },
          tool_calls: 0,
          tool_errors: 0,
          ended_on_failed_call: false,
          stop_cause: null,
          summary: "",
          error: null,
          notify_error: null,
          manual: false,
        },
      ],
      coverage: { rows: 1, lines_bad: 0, lines_not_utf8: 0, lines_torn: 0, bytes_left_out: 0 },
    });
  });

  it("reads every key", () => {
    const over = {
      slot: "2026-08-14T07:00:00+00:00",
      finished_at: "2026-08-14T07:01:10Z",
      status: "error",
      session_id: "s",
      turns: 3,
      cost_usd: 0.5,
      taint: { private: true },
      tool_calls: 6,
      tool_errors: 3,
      ended_on_failed_call: true,
      stop_cause: "interrupted",
      summary: "Three meetings.",
      error: "no route",
      notify_error: null,
      manual: true,
      later_version: { of: "the format" },
    };
    const [row] = ledger(line(over)).rows;
    expect(row).toMatchObject({
      slot_ms: Date.parse("2026-08-14T07:00:00Z"),
      status: "error",
      taint: { private: true, untrusted: false },
      tool_calls: 6,
      stop_cause: "interrupted",
      manual: true,
    });
  });

  it.each([
    ["no JSON", "{oops"],
    ["an array", "[1]"],
    ["a text", '"x"'],
    ["null", "null"],
    ["no trigger", JSON.stringify({ started_at: ROW.started_at, status: "ok" })],
    ["no status", JSON.stringify({ trigger: "t", started_at: ROW.started_at })],
    ["no start", JSON.stringify({ trigger: "t", status: "ok" })],
    ["an unknown status", line({ status: "fine" })],
    ["a time that is none", line({ started_at: "2026-02-30T00:00:00Z" })],
    ["a slot that is none", line({ slot: "soon" })],
    ["a negative count", line({ tool_calls: -1 })],
    ["a fraction", line({ tool_errors: 1.5 })],
    ["a huge count", line({ turns: 1e300 })],
    ["null for a count", line({ tool_calls: null })],
    ["null for a text that has a default", line({ summary: null })],
    ["an unknown stop cause", line({ stop_cause: "end_turn" })],
    ["a flag that is a text", line({ manual: "true" })],
    ["a taint of texts", line({ taint: { private: "yes" } })],
  ])("counts %s as a bad line and goes on", (_, bad) => {
    const read = ledger(`${line()}\n${bad}\n${line({ trigger: "b" })}\n`);
    expect(read.rows.map(({ trigger }) => trigger)).toEqual(["morning", "b"]);
    expect(read.coverage).toMatchObject({ rows: 2, lines_bad: 1 });
  });

  it("reads CRLF, blank lines, glued rows and a missing last newline", () => {
    const read = ledger(
      `${line()}\r\n\n  \n${line({ trigger: "b" })}${line({ trigger: "c", summary: "}{" })}\n${line({ trigger: "d" })}`,
    );
    expect(read.rows.map(({ trigger }) => trigger)).toEqual(["morning", "b", "c", "d"]);
    expect(read.coverage).toMatchObject({ rows: 4, lines_bad: 0, lines_torn: 0 });
  });

  it("tells a torn last line from a bad one", () => {
    expect(ledger(`${line()}\n${line().slice(0, -9)}`).coverage).toMatchObject({
      rows: 1,
      lines_torn: 1,
      lines_bad: 0,
    });
    expect(ledger(`${line()}\n{}`).coverage).toMatchObject({ rows: 1, lines_torn: 0, lines_bad: 1 });
  });

  it("loses one line to a bad byte", () => {
    const read = ledger(
      Buffer.concat([Buffer.from(`${line()}\n`), Buffer.from([0xff, 0x0a]), Buffer.from(`${line()}\n`)]),
    );
    expect(read.coverage).toMatchObject({ rows: 2, lines_not_utf8: 1, lines_bad: 0 });
  });

  it("drops the first, cut line of a tail and counts its bytes", () => {
    const whole = `${line({ trigger: "a" })}\n${line({ trigger: "b" })}\n`;
    const read = ledger(whole.slice(5), 5);
    expect(read.rows.map(({ trigger }) => trigger)).toEqual(["b"]);
    expect(read.coverage.bytes_left_out).toBe(whole.indexOf("\n") + 1);
    expect(ledger("no newline at all", 7).coverage).toMatchObject({
      rows: 0,
      bytes_left_out: 24,
      lines_torn: 0,
    });
  });

  it("accounts for every line of any bytes, and never throws", () => {
    const piece = fc.oneof(
      fc.constant(Buffer.from(line())),
      fc.constant(Buffer.from("\n")),
      fc.uint8Array({ maxLength: 12 }).map((bytes) => Buffer.from(bytes)),
      fc.string().map((text) => Buffer.from(text)),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 20 }), (pieces) => {
        const bytes = Buffer.concat(pieces);
        const { rows, coverage } = ledger(bytes);
        const lines = splitLines(bytes).filter((one) => !isUtf8(one) || one.toString().trim() !== "").length;
        const lost = coverage.lines_bad + coverage.lines_not_utf8 + coverage.lines_torn;
        expect(coverage.rows).toBe(rows.length);
        expect(lost).toBeLessThanOrEqual(lines);
        expect(coverage.rows + lost).toBeGreaterThanOrEqual(lines);
      }),
      { numRuns: 1000 },
    );
  });
});
