import { isUtf8 } from "node:buffer";
import { objectEnd, skipSpace, trimEnd } from "#lib/transcript/json-bytes.ts";
import type { LineSink } from "#lib/transcript/lines.ts";
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

/** Takes one decoded object; false when the format does not know it. */
export type TakeObject = (value: JsonObject, text: string) => boolean;

/** What the format says about lines; `take` may be asked to read plain ones from their bytes. */
export type Wanted = Pick<Adapter, "wants" | "alone">;
export type TakeBytes = (buf: Buffer, start: number, end: number) => boolean;

/** Decodes the lines that an adapter wants, object by object, and counts what cannot be used. */
export class LineReader implements LineSink {
  readonly counts: LineCounts;
  readonly #adapter: Wanted;
  readonly #take: TakeObject;
  readonly #takeBytes: TakeBytes | undefined;

  constructor(adapter: Wanted, take: TakeObject, counts: LineCounts, takeBytes?: TakeBytes) {
    this.#adapter = adapter;
    this.#take = take;
    this.counts = counts;
    this.#takeBytes = takeBytes;
  }

  line(buf: Buffer, start: number, end: number): boolean {
    if (this.#adapter.wants(buf, start, end)) {
      if (this.#takeBytes?.(buf, start, end) !== true) this.#decode(buf, start, end, "lines_unknown");
    } else if (!isAlone(this.#adapter, buf, start, end)) {
      this.#decode(buf, start, end, "lines_unknown");
    }
    return false;
  }

  /** The last line of a file, without a newline: what does not parse may still be on its way. */
  lastLine(buf: Buffer): void {
    const end = buf.length;
    if (isOfUse(this.#adapter, buf, 0, end)) this.#decode(buf, 0, end, "lines_torn");
  }

  loads(first: Buffer, last: Buffer): boolean {
    return mayBeOfUse(this.#adapter, first, last);
  }

  oversize(): void {
    this.counts.lines_oversize++;
  }

  /** Takes objects until the line is used up; a line is counted once, whatever is wrong with it. */
  #decode(buf: Buffer, start: number, end: number, broken: "lines_unknown" | "lines_torn"): void {
    const stop = trimEnd(buf, start, end);
    const at = skipSpace(buf, start, stop);
    if (at === stop) return;
    const result = this.#takeWhole(buf, at, stop) ?? this.#takeEach(buf, at, stop);
    // A character cut in half at the end of the file is a torn line, not a bad one.
    if (result === "broken" || (result === "not utf-8" && broken === "lines_torn")) this.counts[broken]++;
    else if (result === "not utf-8") this.counts.lines_not_utf8++;
    else if (result === "unknown") this.counts.lines_unknown++;
  }

  /** The common case: one wanted object and nothing else. Null when it is another case. */
  #takeWhole(buf: Buffer, start: number, end: number): Result | null {
    if (!this.#adapter.wants(buf, start, end)) return null;
    const text = buf.toString("utf8", start, end);
    if (text.includes(REPLACEMENT) && !isUtf8(buf.subarray(start, end))) return "not utf-8";
    const value = parseObject(text);
    if (value === null) return null;
    return this.#take(value, text) ? "known" : "unknown";
  }

  /** Objects glued together. Behind an unwanted one anything else than an object is passed over like its body. */
  #takeEach(buf: Buffer, start: number, end: number): Result {
    let result: Result = "known";
    let checked = false;
    let at = start;
    while (at < end) {
      const next = objectEnd(buf, at, end);
      if (this.#adapter.wants(buf, at, end)) {
        if (!checked && !isUtf8(buf.subarray(at, end))) return "not utf-8";
        checked = true;
        const text = next < 0 ? "" : buf.toString("utf8", at, next);
        const value = parseObject(text);
        if (value === null) return "broken";
        if (!this.#take(value, text)) result = "unknown";
        at = skipSpace(buf, next, end);
      } else {
        at = next < 0 ? end : skipSpace(buf, next, end);
        if (buf[at] !== OPEN) at = end;
      }
    }
    return result;
  }
}

/** Is a line wanted, or may something wanted stand behind what is not? */
export function isOfUse(adapter: Wanted, buf: Buffer, start: number, end: number): boolean {
  return adapter.wants(buf, start, end) || !isAlone(adapter, buf, start, end);
}

/** The same of a long line, by its first and its last bytes; never false where `isOfUse` is true. */
export function mayBeOfUse(adapter: Wanted, first: Buffer, last: Buffer): boolean {
  return adapter.wants(first, 0, first.length) || adapter.alone?.(last, last.length) !== true;
}

/** Is there nothing but one unwanted object? The short records are told by where it ends. */
function isAlone(adapter: Wanted, buf: Buffer, start: number, end: number): boolean {
  if (adapter.alone?.(buf, end) === true) return true;
  const first = objectEnd(buf, start, end);
  return first < 0 ? buf[start] === OPEN : first === end;
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
