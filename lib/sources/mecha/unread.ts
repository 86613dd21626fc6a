import type { PartsJudge } from "#lib/sources/adapter.ts";
import { SeamSearch } from "#lib/transcript/json-bytes.ts";

const OPEN = 0x7b;
const QUOTE = 0x22;
const COLON = 0x3a;

const MESSAGE = bytes('{"record":"message"');
const TAG = bytes('{"record":"');
const KEY = bytes("record");
/** Kinds whose body a scan for run statistics does not need. */
const UNREAD = ["message", "taint", "summary", "rewrite"].map((kind) => bytes(`${kind}"`));

/**
 * Does `buf[start, end)` start as a record that the scan need not decode? Its tag comes first, with or without white space.
 * Nearly every byte of a store stands in such lines, so they cost this comparison and nothing else.
 */
export function startsUnread(buf: Uint8Array, start: number, end: number): boolean {
  return matches(buf, start, end, MESSAGE) || startsOtherwiseUnread(buf, start, end);
}

function startsOtherwiseUnread(buf: Uint8Array, start: number, end: number): boolean {
  const kind = matches(buf, start, end, TAG) ? start + TAG.length : tagValue(buf, start, end);
  return kind >= 0 && UNREAD.some((word) => matches(buf, kind, end, word));
}

/** Does the line start as such a record, and is nothing glued behind it? Not sure: false. */
export function isUnread(buf: Uint8Array, start: number, end: number): boolean {
  if (!startsUnread(buf, start, end)) return false;
  const seam = new SeamSearch();
  seam.part(buf, start, end);
  return !seam.found;
}

/** As `isUnread`, for a line that is shown in parts. */
export function unreadInParts(): PartsJudge {
  const seam = new SeamSearch();
  let isFirst = true;
  let starts = false;
  return {
    part(buf, start, end) {
      if (isFirst) starts = startsUnread(buf, start, end);
      isFirst = false;
      if (starts) seam.part(buf, start, end);
    },
    skips: () => starts && !seam.found,
  };
}

/** Where the text of the tag starts, when the record is written with white space; -1 otherwise. */
function tagValue(buf: Uint8Array, start: number, end: number): number {
  let i = skipJsonSpace(buf, start, end);
  if (buf[i] !== OPEN) return -1;
  i = skipJsonSpace(buf, i + 1, end);
  if (buf[i] !== QUOTE || !matches(buf, i + 1, end, KEY)) return -1;
  i += 1 + KEY.length;
  if (buf[i] !== QUOTE) return -1;
  i = skipJsonSpace(buf, i + 1, end);
  if (buf[i] !== COLON) return -1;
  i = skipJsonSpace(buf, i + 1, end);
  return buf[i] === QUOTE ? i + 1 : -1;
}

function skipJsonSpace(buf: Uint8Array, at: number, end: number): number {
  let i = at;
  while (i < end && (buf[i] === 0x20 || buf[i] === 0x09 || buf[i] === 0x0d)) i++;
  return i;
}

function matches(buf: Uint8Array, at: number, end: number, word: Uint8Array): boolean {
  if (end - at < word.length) return false;
  for (let i = 0; i < word.length; i++) if (buf[at + i] !== word[i]) return false;
  return true;
}

function bytes(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
