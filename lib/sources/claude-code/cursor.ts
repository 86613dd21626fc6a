import { COUNT_MAX, START_CHARS, type TextStart } from "./facts.ts";
import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COMMA,
  OPEN_BRACE,
  OPEN_BRACKET,
  QUOTE_MARK,
  skipColon,
  skipSpace,
  skipString,
  skipValue,
} from "./json-bytes.ts";
import { type WordTable, wordAt } from "./word-table.ts";

/** Where a reader stands in the bytes of one record. `failed`: only the slow way can tell what is there. */
export type Cursor = { buf: Buffer; at: number; end: number; failed: boolean };

export function fail(cursor: Cursor): void {
  cursor.failed = true;
}

/** Steps over any value. */
export function skip(cursor: Cursor): void {
  const next = skipValue(cursor.buf, cursor.at, cursor.end);
  if (next < 0) fail(cursor);
  else cursor.at = next;
}

/** Enters `{` or `[` when the value opens with it; steps over any other value. True: the first member stands next. */
export function enter(cursor: Cursor, open: number): boolean {
  if (cursor.at >= cursor.end || cursor.buf[cursor.at] !== open) {
    skip(cursor);
    return false;
  }
  const close = open === OPEN_BRACE ? CLOSE_BRACE : CLOSE_BRACKET;
  cursor.at = skipSpace(cursor.buf, cursor.at + 1, cursor.end);
  if (cursor.at < cursor.end && cursor.buf[cursor.at] === close) {
    cursor.at += 1;
    return false;
  }
  return true;
}

export const enterObject = (cursor: Cursor): boolean => enter(cursor, OPEN_BRACE);
export const enterArray = (cursor: Cursor): boolean => enter(cursor, OPEN_BRACKET);

/** The next key's index in `keys` (-1: another key); the cursor stands on its value then. */
export function nextKey(cursor: Cursor, keys: WordTable): number {
  const { buf, at, end } = cursor;
  const closed = at < end && buf[at] === QUOTE_MARK ? skipString(buf, at, end) : -1;
  const value = closed < 0 ? -1 : skipColon(buf, closed, end);
  if (value < 0) {
    fail(cursor);
    return -1;
  }
  cursor.at = value;
  const key = wordAt(keys, buf, at + 1, closed - 1);
  // A key may be one of ours in disguise (an escape written out), which the slow way reads.
  if (key < 0 && buf.subarray(at + 1, closed - 1).includes(0x5c)) fail(cursor);
  return key;
}

/** From behind a member to the next one; false: the object or list is closed. */
export function more(cursor: Cursor, close: number): boolean {
  if (cursor.failed) return false;
  const { buf, end } = cursor;
  const at = skipSpace(buf, cursor.at, end);
  if (at < end && buf[at] === close) {
    cursor.at = at + 1;
    return false;
  }
  if (at >= end || buf[at] !== COMMA) {
    fail(cursor);
    return false;
  }
  cursor.at = skipSpace(buf, at + 1, end);
  return true;
}

export const moreKeys = (cursor: Cursor): boolean => more(cursor, CLOSE_BRACE);
export const moreItems = (cursor: Cursor): boolean => more(cursor, CLOSE_BRACKET);

/** The value where it is a string, else null. */
export function readString(cursor: Cursor): string | null {
  const from = cursor.at;
  skip(cursor);
  if (cursor.failed || cursor.buf[from] !== QUOTE_MARK) return null;
  for (let i = from + 1; i < cursor.at - 1; i += 1) {
    const byte = cursor.buf[i] as number;
    if (byte === 0x5c || byte >= 0x80) return decoded(cursor, from);
  }
  return cursor.buf.toString("latin1", from + 1, cursor.at - 1);
}

function decoded(cursor: Cursor, from: number): string {
  return JSON.parse(cursor.buf.toString("utf8", from, cursor.at)) as string;
}

/** The index of the value in `words` where it is one of these strings, else -1. */
export function readWord(cursor: Cursor, words: WordTable): number {
  const from = cursor.at;
  skip(cursor);
  if (cursor.failed || cursor.buf[from] !== QUOTE_MARK) return -1;
  const word = wordAt(words, cursor.buf, from + 1, cursor.at - 1);
  if (word < 0 && cursor.buf.subarray(from + 1, cursor.at - 1).includes(0x5c)) fail(cursor);
  return word;
}

/** Is the value `true`? */
export function readTrue(cursor: Cursor): boolean {
  const from = cursor.at;
  skip(cursor);
  return !cursor.failed && cursor.buf[from] === 0x74;
}

/** A token count; `missing` for null, -1 for what is no count. Anything but plain digits is left to the slow way. */
export function readCount(cursor: Cursor, missing: number): number {
  const from = cursor.at;
  skip(cursor);
  if (cursor.failed) return -1;
  const first = cursor.buf[from] as number;
  if (first === 0x6e) return missing;
  if (first === 0x2d) fail(cursor);
  if (first < 0x30 || first > 0x39) return -1;
  let value = 0;
  for (let i = from; i < cursor.at; i += 1) {
    const digit = (cursor.buf[i] as number) - 0x30;
    if (digit < 0 || digit > 9 || value > COUNT_MAX) {
      fail(cursor);
      return -1;
    }
    value = value * 10 + digit;
  }
  return value > COUNT_MAX ? -1 : value;
}

const NO_TEXT: TextStart = { start: "", blank: true };

/** The start of the value where it is a string; the start of an empty text where it is not. */
export function readTextStart(cursor: Cursor): TextStart {
  const from = cursor.at;
  skip(cursor);
  if (cursor.failed || cursor.buf[from] !== QUOTE_MARK) return NO_TEXT;
  const start = asciiStart(cursor.buf, from + 1, cursor.at - 1);
  const blank = start.text.trim() === "";
  // Whether the rest is blank too can only be told by decoding it.
  if (blank && !start.whole) fail(cursor);
  return { start: start.text, blank };
}

/** The first characters of the string body in `buf[at, end)`, up to the first that is not ASCII. */
function asciiStart(buf: Buffer, at: number, end: number): { text: string; whole: boolean } {
  let text = "";
  let plain = at;
  let i = at;
  while (i < end && text.length + (i - plain) < START_CHARS) {
    const byte = buf[i] as number;
    if (byte >= 0x80) break;
    if (byte !== 0x5c) {
      i += 1;
      continue;
    }
    const width = buf[i + 1] === 0x75 ? 6 : 2;
    const char = JSON.parse(`"${buf.toString("latin1", i, i + width)}"`) as string;
    if (char.charCodeAt(0) >= 0x80) break;
    text += buf.toString("latin1", plain, i) + char;
    i += width;
    plain = i;
  }
  return { text: text + buf.toString("latin1", plain, i), whole: i >= end };
}
