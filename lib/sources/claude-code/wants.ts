import { BOOK_KEEPING } from "./kinds.ts";
import { wordAt, wordTable } from "./word-table.ts";

const OPEN = 0x7b;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;

const KEYS = wordTable(["type", "message", "subtype"]);
const TYPE = 0;
const MESSAGE = 1;
const SUBTYPE = 2;
const LEFT_OUT = wordTable([...BOOK_KEEPING]);
const SYSTEM = wordTable(["system"]);
const BOUNDARY = wordTable(["compact_boundary"]);

/**
 * Must the record in `buf[start, end)` be decoded? Steps over the members of the outermost object until its type is
 * known; only a type that is known to be book-keeping, or a system record that marks no compaction, is left out.
 * Whatever cannot be told from these bytes is wanted.
 */
export function wants(buf: Uint8Array, start: number, end: number): boolean {
  let at = skipSpace(buf, start, end);
  if (buf[at] !== OPEN) return true;
  let isSystem = false;
  do {
    at = skipSpace(buf, at + 1, end);
    const keyEnd = stringEnd(buf, at, end);
    const colon = keyEnd < 0 ? end : skipSpace(buf, keyEnd, end);
    if (colon >= end || buf[colon] !== COLON) return true;
    const value = skipSpace(buf, colon + 1, end);
    const key = wordAt(KEYS, buf, at + 1, keyEnd - 1);
    // Only the conversation has messages, and they are what is worth reading.
    if (key === MESSAGE) return true;
    const next = valueEnd(buf, value, end);
    if (next < 0) return true;
    const isText = buf[value] === QUOTE;
    if (key === TYPE) {
      if (isText && wordAt(LEFT_OUT, buf, value + 1, next - 1) >= 0) return false;
      isSystem = isText && wordAt(SYSTEM, buf, value + 1, next - 1) >= 0;
      if (!isSystem) return true;
    } else if (key === SUBTYPE && isSystem) {
      return !isText || wordAt(BOUNDARY, buf, value + 1, next - 1) >= 0;
    }
    at = skipSpace(buf, next, end);
  } while (at < end && buf[at] === COMMA);
  return true;
}

function skipSpace(buf: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && isSpace(buf[i] as number)) i += 1;
  return i;
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d);
}

/** The place behind the string that opens at `at`; -1 when none opens there or it does not end. */
function stringEnd(buf: Uint8Array, at: number, end: number): number {
  if (at < 0 || at >= end || buf[at] !== QUOTE) return -1;
  let i = at + 1;
  while (i < end && buf[i] !== QUOTE) i += buf[i] === BACKSLASH ? 2 : 1;
  return i < end ? i + 1 : -1;
}

/** The place behind the value at `at`; -1 when it does not end in these bytes. */
function valueEnd(buf: Uint8Array, at: number, end: number): number {
  const first = buf[at];
  if (first === QUOTE) return stringEnd(buf, at, end);
  let i = at;
  let depth = 0;
  while (i < end) {
    const byte = buf[i] as number;
    if (byte === QUOTE) {
      i = stringEnd(buf, i, end);
      if (i < 0) return -1;
      continue;
    }
    if (byte === OPEN || byte === 0x5b) depth += 1;
    else if (byte === 0x7d || byte === 0x5d) {
      // At depth 0 this closes the object around the value.
      if (depth === 0) return i;
      depth -= 1;
      if (depth === 0) return i + 1;
    } else if (byte === COMMA && depth === 0) return i;
    i += 1;
  }
  return -1;
}
