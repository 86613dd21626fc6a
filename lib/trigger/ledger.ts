import { STOP_CAUSES, type StopCause, type Taint } from "#lib/transcript/record.ts";
import { Taker } from "./taker.ts";

export const LEDGER_STATUSES = ["ok", "error", "skipped-overlap", "skipped-stale"] as const;
export type LedgerStatus = (typeof LEDGER_STATUSES)[number];

/** One accounted fire of a trigger, as its line in `runs.jsonl` tells it. Times are RFC 3339, and in ms beside it. */
export type LedgerRow = {
  trigger: string;
  /** Null for a manual run, which never advances the schedule. */
  slot_ms: number | null;
  started_at: string;
  started_ms: number;
  finished_at: string | null;
  status: LedgerStatus;
  session_id: string | null;
  turns: number;
  cost_usd: number | null;
  blocked_sends: number;
  staged: number;
  taint: Taint;
  tool_calls: number;
  tool_errors: number;
  ended_on_failed_call: boolean;
  stop_cause: StopCause | null;
  summary: string;
  error: string | null;
  notify_error: string | null;
  manual: boolean;
};

/** What reading the ledger left out; every key is a count. */
export type LedgerCoverage = {
  rows: number;
  /** Lines that are no row of the ledger. */
  lines_bad: number;
  lines_not_utf8: number;
  /** A last line without an end that does not parse: it may still be being written. */
  lines_torn: number;
  /** Bytes of the oldest part that were not read. */
  bytes_left_out: number;
};

export type Ledger = { rows: LedgerRow[]; coverage: LedgerCoverage };

export function emptyLedger(): Ledger {
  return {
    rows: [],
    coverage: { rows: 0, lines_bad: 0, lines_not_utf8: 0, lines_torn: 0, bytes_left_out: 0 },
  };
}

/**
 * Reads the ledger's bytes in file order, oldest row first. A bad line costs itself, never the file. `bytes_left_out`
 * is what stands before `bytes` in the file; if any, the first line is taken to be cut and goes with them.
 */
export function parseLedger(bytes: Uint8Array, bytes_left_out = 0): Ledger {
  const ledger = emptyLedger();
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let start = bytes_left_out > 0 ? bytes.indexOf(0x0a) + 1 : 0;
  if (bytes_left_out > 0 && start === 0) start = bytes.length;
  ledger.coverage.bytes_left_out = bytes_left_out + (bytes_left_out > 0 ? start : 0);
  while (start < bytes.length) {
    const end = bytes.indexOf(0x0a, start);
    const line = bytes.subarray(start, end < 0 ? bytes.length : end);
    addLine(ledger, line, decoder, end >= 0);
    start = end < 0 ? bytes.length : end + 1;
  }
  ledger.coverage.rows = ledger.rows.length;
  return ledger;
}

function addLine(ledger: Ledger, line: Uint8Array, decoder: TextDecoder, ended: boolean): void {
  const text = decode(line, decoder);
  if (text === null) {
    ledger.coverage[ended ? "lines_not_utf8" : "lines_torn"] += 1;
    return;
  }
  if (text.trim() === "") return;
  const objects = parseObjects(text);
  const rows = objects?.map(parseRow) ?? [null];
  for (const row of rows) if (row !== null) ledger.rows.push(row);
  if (!rows.includes(null)) return;
  ledger.coverage[objects === null && !ended ? "lines_torn" : "lines_bad"] += 1;
}

function decode(line: Uint8Array, decoder: TextDecoder): string | null {
  try {
    return decoder.decode(line);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}

/** The values of a line: one, or several glued together by a writer that found no final newline; null when cut. */
function parseObjects(text: string): unknown[] | null {
  const whole = parseJson(text);
  if (whole !== undefined) return [whole];
  const values: unknown[] = [];
  let from = 0;
  for (let cut = text.indexOf("}{"); cut >= 0; cut = text.indexOf("}{", cut + 1)) {
    const value = parseJson(text.slice(from, cut + 1));
    if (value === undefined) continue;
    values.push(value);
    from = cut + 1;
    if (values.length >= GLUED_MAX) return null;
  }
  const last = parseJson(text.slice(from));
  return last === undefined ? null : [...values, last];
}

/** Each cut costs a parse of what stands before it. */
const GLUED_MAX = 64;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** A row from a decoded object; null when a required key is missing or any known key is of the wrong type. */
export function parseRow(value: unknown): LedgerRow | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  const fields = new Map<string, unknown>(Object.entries(value));
  const take = new Taker(fields);
  const row = {
    trigger: take.text("trigger"),
    slot_ms: take.instant("slot"),
    started_at: take.text("started_at"),
    started_ms: take.instant("started_at") ?? take.wrong(0),
    finished_at: take.instant("finished_at") === null ? null : take.text("finished_at"),
    status: take.oneOf("status", LEDGER_STATUSES) ?? take.wrong("error" as const),
    session_id: take.maybeText("session_id"),
    turns: take.count("turns"),
    cost_usd: take.maybeNumber("cost_usd"),
    blocked_sends: take.count("blocked_sends"),
    staged: take.count("staged"),
    taint: take.taint("taint"),
    tool_calls: take.count("tool_calls"),
    tool_errors: take.count("tool_errors"),
    ended_on_failed_call: take.flag("ended_on_failed_call"),
    stop_cause: take.oneOf("stop_cause", STOP_CAUSES),
    summary: take.text("summary", ""),
    error: take.maybeText("error"),
    notify_error: take.maybeText("notify_error"),
    manual: take.flag("manual"),
  };
  return take.bad ? null : row;
}
