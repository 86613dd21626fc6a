import { isUtf8 } from "node:buffer";
import { bytes } from "#lib/format.ts";
import { objectBehind, objectEnd, skipSpace, trimEnd } from "#lib/transcript/json-bytes.ts";
import type { SourceKind } from "#lib/transcript/run-row.ts";
import { startOf } from "#lib/utf8.ts";
import { adapterOf } from "./adapters.ts";
import { claudeDrafts } from "./claude-code/entries.ts";
import { cursorOf } from "./cursor.ts";
import { type Draft, type DraftsOf, draft } from "./draft.ts";
import type { Entry } from "./entry.ts";
import { mechaDrafts } from "./mecha-entries.ts";

/** One line as it stands in the file; `bytes` is null when it is over the cap. */
export type Line = { offset: number; size: number; bytes: Uint8Array | null; whole: boolean };

/**
 * The entries of one line, in order: one object's, or those of several objects glued together. A line that cannot be
 * read gives one entry that says so. `textMax` bounds each entry's text.
 */
export function lineEntries(kind: SourceKind, line: Line, textMax: number): Entry[] {
  return lineDrafts(kind, line).map((one, index) => ({
    ...one,
    at: cursorOf({ offset: line.offset, index }),
    text: startOf(one.text, textMax),
    full_length: one.text.length,
  }));
}

function lineDrafts(kind: SourceKind, line: Line): Draft[] {
  const size = bytes(line.size);
  if (line.bytes === null) return [draft("notice", `a line of ${size} is left out: it is too long to show`)];
  const end = trimEnd(line.bytes, 0, line.bytes.length);
  const start = skipSpace(line.bytes, startsWithMark(line) ? 3 : 0, end);
  if (start >= end) return [];
  if (!line.whole && line.bytes[end - 1] !== CLOSE) {
    return [draft("notice", `the last line, of ${size}, is not all there yet`)];
  }
  const text = Buffer.from(line.bytes.buffer, line.bytes.byteOffset + start, end - start);
  if (!isUtf8(text)) return [draft("notice", `a line of ${size} is left out: it is not UTF-8`)];
  return (
    objectDrafts(text, draftsOf(kind), adapterOf(kind).tears && line.whole) ?? [
      draft("notice", `a line of ${size} is left out: it is no record`),
    ]
  );
}

const CLOSE = 0x7d;

function startsWithMark({ offset, bytes: line }: Line): boolean {
  return offset === 0 && line !== null && line[0] === 0xef && line[1] === 0xbb && line[2] === 0xbf;
}

function draftsOf(kind: SourceKind): DraftsOf {
  switch (kind) {
    case "mecha":
      return mechaDrafts;
    case "claude-code":
      return claudeDrafts;
    default:
      return kind satisfies never;
  }
}

/**
 * The drafts of the objects in `text` until it is used up; null when it holds none. `tears`: as an adapter says it. What
 * is behind the piece of a record is looked for once, as a scan does.
 */
function objectDrafts(text: Buffer, drafts: DraftsOf, tears: boolean): Draft[] | null {
  const whole = parseObject(text);
  if (whole !== null) return drafts(whole);
  const found: Draft[] = [];
  let torn = false;
  let at = 0;
  while (at < text.length) {
    const end = objectEnd(text, at, text.length);
    const value = end < 0 ? null : parseObject(text.subarray(at, end));
    if (value === null) {
      const behind = tears && !torn ? objectBehind(text, at, text.length) : -1;
      if (behind < 0 && at === 0) return null;
      const left = behind < 0 ? `the last ${bytes(text.length - at)}` : bytes(behind - at);
      found.push(draft("notice", `${left} of a line are left out: they are no record`));
      if (behind < 0) return found;
      torn = true;
      at = behind;
      continue;
    }
    found.push(...drafts(value));
    at = skipSpace(text, end, text.length);
  }
  return found;
}

function parseObject(text: Buffer): { [key: string]: unknown } | null {
  try {
    const value: unknown = JSON.parse(text.toString("utf8"));
    if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
    return value as { [key: string]: unknown };
  } catch (error) {
    // What is no JSON is said in the transcript's place; it is not ours to fail on.
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
