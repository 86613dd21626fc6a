import { isUtf8 } from "node:buffer";
import {
  objectBehind,
  objectEnd,
  skipEmpty,
  skipSpace,
  startsObject,
  trimEnd,
} from "#lib/transcript/json-bytes.ts";
import type { Adapter, JsonObject } from "./adapter.ts";

/** What was passed over while lines were read. */
export type LineCounts = {
  lines_oversize: number;
  lines_torn: number;
  lines_unknown: number;
  lines_not_utf8: number;
};

export function noLines(): LineCounts {
  return { lines_oversize: 0, lines_torn: 0, lines_unknown: 0, lines_not_utf8: 0 };
}

/** What a format says about its lines, and what becomes of those that matter. */
export type LineFormat = Pick<Adapter, "wants" | "skips" | "record" | "recordText"> & {
  tears?: boolean;
};

const NEWLINE = 0x0a;

/** Decodes the lines that are wanted, object by object, adds them to a state and counts what cannot be used. */
export class LineReader {
  readonly #format: LineFormat;
  #state: unknown;
  #counts: LineCounts;

  constructor(format: LineFormat, state: unknown, counts: LineCounts) {
    this.#format = format;
    this.#state = state;
    this.#counts = counts;
  }

  /** From here on what is read is added elsewhere: one reader serves file after file. */
  begin(state: unknown, counts: LineCounts): void {
    this.#state = state;
    this.#counts = counts;
  }

  /** Whole lines, each with its newline. */
  lines(block: Buffer): void {
    const isText = this.#format.recordText !== undefined;
    // Turned to text once, not line by line.
    const text = isText ? block.toString("latin1") : "";
    let start = 0;
    for (let end = block.indexOf(NEWLINE); end >= 0; end = block.indexOf(NEWLINE, start)) {
      if (!isText || this.#format.recordText?.(this.#state, text, start, end) !== true)
        this.line(block, start, end);
      start = end + 1;
    }
  }

  /** One whole line, without its newline. */
  line(buf: Buffer, start: number, end: number): void {
    if (!this.#isDone(buf, start, end)) this.#decode(buf, start, end, "lines_unknown");
  }

  /** The last line of a file, without a newline: what does not parse may still be on its way. */
  lastLine(buf: Buffer): void {
    this.#decode(buf, 0, buf.length, "lines_torn");
  }

  /** Is there nothing but one unwanted object? */
  #isDone(buf: Buffer, start: number, end: number): boolean {
    if (this.#format.skips?.(buf, start, end) === true) return true;
    if (buf[start] !== OPEN || this.#format.wants(buf, start, end)) return false;
    const first = objectEnd(buf, start, end);
    return first === end || (first < 0 && this.#format.tears !== true);
  }

  /** Takes objects until the line is used up; a line is counted once, whatever is wrong with it. */
  #decode(buf: Buffer, start: number, end: number, broken: "lines_unknown" | "lines_torn"): void {
    const stop = trimEnd(buf, start, end);
    const at = skipSpace(buf, start, stop);
    if (at === stop) return;
    const result = this.#takeWhole(buf, at, stop) ?? this.#takeEach(buf, at, stop, broken);
    // A character cut in half at the end of the file is a torn line, not a bad one.
    if (result === "broken" || (result === "not utf-8" && broken === "lines_torn")) this.#counts[broken]++;
    else if (result === "not utf-8") this.#counts.lines_not_utf8++;
    else if (result === "unknown") this.#counts.lines_unknown++;
  }

  /** The common case: one wanted object and nothing else. Null when it is another case. */
  #takeWhole(buf: Buffer, start: number, end: number): Result | null {
    if (!this.#format.wants(buf, start, end)) return null;
    const text = buf.toString("utf8", start, end);
    if (text.includes(REPLACEMENT) && !isUtf8(buf.subarray(start, end))) return "not utf-8";
    const value = parseObject(text);
    if (value === null) return null;
    return this.#format.record(this.#state, value, text) ? "known" : "unknown";
  }

  /**
   * Objects glued together. An unwanted one that does not end is passed over, but for the last line of a file, and behind
   * one that does anything else than an object with something in it is passed over like its body. Where writers tear
   * records, what is whole behind such a piece is taken, and the line counts as broken: once in a line, for each look
   * behind a piece costs the length of the rest.
   */
  #takeEach(buf: Buffer, start: number, end: number, broken: "lines_unknown" | "lines_torn"): Result {
    let result: Result = "known";
    let checked = false;
    let torn = false;
    let at = start;
    while (at < end) {
      const next = objectEnd(buf, at, end);
      if (this.#format.wants(buf, at, end)) {
        if (!checked && !isUtf8(buf.subarray(at, end))) return "not utf-8";
        checked = true;
        const text = next < 0 ? "" : buf.toString("utf8", at, next);
        const value = parseObject(text);
        if (value === null) {
          const behind = torn ? -1 : this.#behind(buf, at, end, broken);
          if (behind < 0) return "broken";
          torn = true;
          at = behind;
          continue;
        }
        if (!this.#format.record(this.#state, value, text)) result = "unknown";
        at = skipSpace(buf, next, end);
      } else {
        const rest = next < 0 ? end : skipEmpty(buf, next, end);
        if (startsObject(buf, rest, end)) {
          at = rest;
          continue;
        }
        const behind = torn ? -1 : this.#behind(buf, at, end, broken);
        if (behind < 0) return torn || (next < 0 && broken === "lines_torn") ? "broken" : result;
        torn = true;
        at = behind;
      }
    }
    return torn ? "broken" : result;
  }

  /** Where a record begins behind the piece of one at `at`; -1: nowhere. A last line may be that piece alone. */
  #behind(buf: Buffer, at: number, end: number, broken: "lines_unknown" | "lines_torn"): number {
    return this.#format.tears === true && broken === "lines_unknown" ? objectBehind(buf, at, end) : -1;
  }
}

type Result = "known" | "unknown" | "broken" | "not utf-8";

const OPEN = 0x7b;
/** What decoding puts where bytes are no UTF-8; it may also stand in a text by right. */
const REPLACEMENT = "\uFFFD";

function parseObject(text: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch (error) {
    // Bad JSON is an ordinary thing to find in a store; the caller counts it.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
