import { constants } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import type { SessionHead } from "#lib/transcript/run-row.ts";
import { cursorOf, type Place, parseCursor, START } from "./cursor.ts";
import type { Cursor, Entry, TranscriptPage } from "./entry.ts";
import { lineEntries } from "./line-entries.ts";
import { lineStart, linesFrom } from "./page-lines.io.ts";

/** A longer line is named, not shown. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const ENTRIES_MAX = 1000;
/** UTF-16 units of text on one page, whatever the entries ask for. */
const PAGE_TEXT_MAX = 400_000;
const ENTRY_TEXT_MAX = 1_000_000;
/** One call reads no more than this, so that a long stretch without entries cannot hold up an answer. */
const PAGE_BYTES_MAX = 64 * 1024 * 1024;
const SEARCH_BYTES_MAX = 256 * 1024 * 1024;

export type PageOptions = {
  /** Where to start; default: the start of the file. */
  from?: Cursor;
  /** Entries at most; default 100. */
  limit?: number;
  /** UTF-16 units of text per entry at most; default 4000. */
  text_max?: number;
};

/**
 * One page of a session's transcript, read from the file at this moment. Bounded in entries, in text and in bytes read:
 * `next` is null at the end of the file only, so a page may hold few entries, or none, and still have a next one.
 * Reading page by page gives the same entries as one long page.
 * Throws UserError: `bad_input` for a cursor that is none, `not_found` for a file that is gone.
 */
export async function readTranscriptPage(
  head: SessionHead,
  options: PageOptions = {},
): Promise<TranscriptPage> {
  const limit = within(options.limit ?? 100, 1, ENTRIES_MAX);
  const textMax = within(options.text_max ?? 4000, 1, PAGE_TEXT_MAX);
  return withFile(head, async (file, size) => {
    const from = await placeIn(file, options.from ?? null, size);
    const page: TranscriptPage = { entries: [], next: null, bytes: size };
    let room = PAGE_TEXT_MAX;
    for await (const line of linesFrom(file, { from: from.offset, to: size }, LINE_BYTES_MAX)) {
      if (line.offset - from.offset >= PAGE_BYTES_MAX) {
        page.next = cursorOf({ offset: line.offset, index: 0 });
        return page;
      }
      for (const entry of entriesFrom(lineEntries(head.source, line, textMax), line.offset, from)) {
        // An entry has no more text than a page may have, so the first one always fits.
        const full = page.entries.length >= limit || entry.text.length > room;
        if (full) return { ...page, next: entry.at };
        page.entries.push(entry);
        room -= entry.text.length;
      }
    }
    return page;
  });
}

/** One entry with its text up to a million UTF-16 units; null when there is none at this cursor. */
export async function readEntry(head: SessionHead, at: Cursor): Promise<Entry | null> {
  return withFile(head, async (file, size) => {
    const place = await placeIn(file, at, size);
    // Snapped to another line: nothing stands at the cursor itself.
    if (place.offset !== parseCursor(at)?.offset) return null;
    for await (const line of linesFrom(file, { from: place.offset, to: size }, LINE_BYTES_MAX)) {
      const entries = lineEntries(head.source, line, ENTRY_TEXT_MAX);
      return entries.find((entry) => entry.at === cursorOf(place)) ?? null;
    }
    return null;
  });
}

/** `at`: the failed result. Without one, `next` says where to go on; both null: there is none up to the end. */
export type FailedCall = { at: Cursor | null; next: Cursor | null };

/**
 * The next failed tool result behind `after` (null: from the start), by the rule of the counters: refused, cancelled and
 * staged calls have not failed. One call reads a bounded stretch of the file.
 */
export async function findFailedCall(head: SessionHead, after: Cursor | null): Promise<FailedCall> {
  return withFile(head, async (file, size) => {
    const from = await placeIn(file, after, size);
    for await (const line of linesFrom(file, { from: from.offset, to: size }, LINE_BYTES_MAX)) {
      if (line.offset - from.offset >= SEARCH_BYTES_MAX) {
        return { at: null, next: cursorOf({ offset: line.offset, index: 0 }) };
      }
      // Most lines hold no result at all, and that is told without decoding them.
      if (line.bytes?.includes(IS_ERROR) !== true) continue;
      const entries = entriesFrom(lineEntries(head.source, line, 1), line.offset, from);
      const failed = entries.find((entry) => entry.state === "failed" && entry.at !== after);
      if (failed !== undefined) return { at: failed.at, next: null };
    }
    return { at: null, next: null };
  });
}

const IS_ERROR = Buffer.from('"is_error"');

/** On the first line read, the entries before the place asked for are left out. */
function entriesFrom(entries: Entry[], offset: number, from: Place): Entry[] {
  return offset === from.offset ? entries.slice(from.index) : entries;
}

/** The place a cursor names; one between two lines' starts means the next line. */
async function placeIn(file: FileHandle, cursor: Cursor | null, size: number): Promise<Place> {
  if (cursor === null) return START;
  const place = parseCursor(cursor);
  if (place === null)
    throw new UserError("bad_input", `${JSON.stringify(cursor)} is no place in a transcript`);
  if (place.offset > size) {
    throw new UserError(
      "bad_input",
      `place ${cursor} is behind the end of the transcript, which has ${size} bytes`,
    );
  }
  const offset = await lineStart(file, place.offset, size);
  return offset === place.offset ? place : { offset, index: 0 };
}

async function withFile<T>(
  head: SessionHead,
  use: (file: FileHandle, size: number) => Promise<T>,
): Promise<T> {
  const file = await openFile(head);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new UserError("bad_input", `${head.path}: is no regular file`);
    return await use(file, stats.size);
  } finally {
    await file.close();
  }
}

async function openFile({ path }: SessionHead): Promise<FileHandle> {
  try {
    // A FIFO in the file's place must not hold the reader up.
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    throw new UserError(
      hasCode(error, "ENOENT") ? "not_found" : "bad_input",
      `${path}: ${messageOf(error)}`,
      { cause: error },
    );
  }
}

function within(value: number, low: number, high: number): number {
  return Number.isFinite(value) ? Math.min(high, Math.max(low, Math.floor(value))) : low;
}
