import {
  CLOSE_BRACE,
  COMMA,
  OPEN_BRACE,
  QUOTE_MARK,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from "./json-bytes.ts";
import { BOOK_KEEPING } from "./kinds.ts";
import { wordAt, wordTable } from "./word-table.ts";

const KEYS = wordTable(["type", "message", "subtype"]);
const TYPE = 0;
const MESSAGE = 1;
const SUBTYPE = 2;
const NOISE = wordTable([...BOOK_KEEPING]);
const SYSTEM = wordTable(["system"]);
const BOUNDARY = wordTable(["compact_boundary"]);

/**
 * Must the record in `buf[start, end)` be looked at? Steps over the keys of the outermost object until its type is
 * known; only a type that is known to be book-keeping, or a system record that marks no compaction, is left out.
 * Whatever cannot be told from these bytes is wanted.
 */
export function wants(buf: Uint8Array, start: number, end: number): boolean {
  let at = skipSpace(buf, start, end);
  if (at >= end || buf[at] !== OPEN_BRACE) return true;
  let isSystem = false;
  at = skipSpace(buf, at + 1, end);
  while (at < end && buf[at] === QUOTE_MARK) {
    const closed = skipString(buf, at, end);
    if (closed < 0) return true;
    const key = wordAt(KEYS, buf, at + 1, closed - 1);
    // Only the conversation has messages, and they are what is worth reading.
    if (key === MESSAGE) return true;
    const value = skipColon(buf, closed, end);
    const next = value < 0 ? -1 : skipValue(buf, value, end);
    if (next < 0) return true;
    if (key === TYPE) {
      if (wordAt(NOISE, buf, value + 1, next - 1) >= 0) return false;
      isSystem = wordAt(SYSTEM, buf, value + 1, next - 1) >= 0;
      if (!isSystem) return true;
    } else if (key === SUBTYPE && isSystem) {
      return buf[value] !== QUOTE_MARK || wordAt(BOUNDARY, buf, value + 1, next - 1) >= 0;
    }
    at = skipSpace(buf, next, end);
    if (at >= end || buf[at] === CLOSE_BRACE || buf[at] !== COMMA) return true;
    at = skipSpace(buf, at + 1, end);
  }
  return true;
}
