import { type Cut, cutLines, loadLine } from "#lib/transcript/lines.ts";
import type { FoldResult, Head, JsonObject } from "./adapter.ts";
import { guardOf } from "./scan-guard.ts";
import { type FoundHead, findHead, headInFirstLine } from "./scan-head.ts";
import { type LineCounts, LineReader, noLines } from "./scan-lines.ts";
import { Sieve, type Sieved } from "./scan-sieve.ts";
import type { FileView, Reading } from "./scan-view.ts";

/** A place to go on from when the file has only grown. Plain data. */
export type Resume = {
  head: Head;
  /** The fold after the last whole line. */
  state: unknown;
  /** Where the line after it starts. */
  offset: number;
  counts: LineCounts;
  /** A fingerprint of what stands before `offset`, to see that it was not written over in place. */
  guard: string;
};

export type SessionRead =
  | { found: "none"; counts: LineCounts }
  /** The header is there, as it seems, but cannot be read: over the cap, or not UTF-8. */
  | { found: "unreadable"; counts: LineCounts }
  /** What matters was picked out and waits to be read; null: it could not be, so the file has to be read elsewhere. */
  | { found: "sieved"; sieved: Sieved | null }
  /** `fold` is null when the session is outside the bounds, so that only its header was read. */
  | { found: "session"; head: Head; fold: FoldResult | null; counts: LineCounts; resume: Resume | null };

/** How much of a file's start is read to see whether it is inside a window: that of a small file is all of it. */
const FIRST_BYTES = 32 * 1024;
/** How much of a file's end is looked at for its last time stamp. */
const END_BYTES = 64 * 1024;

/** Reads the header of one file and nothing else. */
export function readHead(reading: Reading): SessionRead {
  const { head } = headInFirstLine(reading, reading.buffers.head);
  return head === null ? headOnly(findHead(reading)) : onlyHead(head);
}

function headOnly({ head, counts }: FoundHead): SessionRead {
  if (head !== null) return onlyHead(head);
  const { lines_oversize, lines_not_utf8 } = counts;
  if (lines_oversize + lines_not_utf8 === 0) return { found: "none", counts: noLines() };
  return { found: "unreadable", counts: { ...noLines(), lines_oversize, lines_not_utf8 } };
}

function onlyHead(head: Head): SessionRead {
  return { found: "session", head, fold: null, counts: noLines(), resume: null };
}

/**
 * Reads one file: its header, and, when that is not outside the bounds, its runs; with `keep`, also how to go on when the
 * file has grown.
 */
export function readSession(reading: Reading, keep: boolean): SessionRead {
  const { found, there } = readStart(reading);
  const { head } = found;
  if (head === null || isOutside(reading, head)) return headOnly(found);
  const range = { from: 0, to: reading.file.size, there };
  const state = reading.adapter.start(head);
  const fresh: Resume = { head, state, offset: 0, counts: noLines(), guard: "" };
  // A header that rests on the line still being written may come out differently next time.
  return readFrom(reading, range, fresh, keep && found.settled);
}

/**
 * Looks for the header, and leaves the start of the file in the buffer for lines. Most files are read to their end, so it
 * is as much as the buffer takes; but with a window most may be outside, and that is told by the first line.
 */
function readStart(reading: Reading): { found: FoundHead; there: number } {
  const { lines } = reading.buffers;
  const first = reading.bounds.since_ms === null ? lines : lines.subarray(0, FIRST_BYTES);
  const { head, there } = headInFirstLine(reading, first);
  const found = head === null ? findHead(reading) : { head, counts: noLines(), settled: true };
  return { found, there };
}

/** As `readSession`, but what matters is only picked out; `readSieved` makes a session of it. */
export function sieveSession(reading: Reading): SessionRead {
  const { file, adapter, buffers, bounds } = reading;
  const range = { from: 0, to: file.size, there: 0 };
  if (isBounded(reading)) {
    const { found, there } = readStart(reading);
    if (found.head === null || isOutside(reading, found.head)) return headOnly(found);
    range.there = there;
  }
  const sieve = new Sieve(adapter, buffers, null);
  const cut = cutLines(file.read, range, buffers.lines, bounds.line_bytes_max, sieve);
  const isLong = cut.end - cut.tail > bounds.line_bytes_max;
  if (isLong) sieve.oversize();
  const tail = isLong || cut.end === cut.tail ? null : loadLine(file.read, cut.tail, cut.end);
  return { found: "sieved", sieved: sieve.finish(tail) };
}

/** The session in what another thread picked out of a file. */
export function readSieved(reading: Omit<Reading, "file">, relative: string, sieved: Sieved): SessionRead {
  const { bytes, oversize } = sieved;
  const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const file: FileView = {
    relative,
    size: all.length,
    read: (into, at, length, position) => all.copy(into, at, position, position + length),
  };
  const bounds = { ...reading.bounds, since_ms: null, as_of_ms: null };
  const read = readSession({ ...reading, file, bounds }, false);
  if (read.found === "session") read.counts.lines_oversize += oversize;
  return read;
}

/** Goes on with a file that has grown; null when what stood before is no longer there, so that it must be read anew. */
export function readOn(reading: Reading, resume: Resume): SessionRead | null {
  const { file } = reading;
  const { offset, guard } = resume;
  if (file.size < offset || guardOf(reading, offset) !== guard) return null;
  return readFrom(reading, { from: offset, to: file.size }, resume, true);
}

type Range = { from: number; to: number; there?: number };

function readFrom(reading: Reading, range: Range, from: Resume, keep: boolean): SessionRead {
  const { file, adapter, buffers, bounds } = reading;
  const { head, state } = from;
  const counts = { ...from.counts };
  const lines = new LineReader(adapter, state, counts);
  const sieve = new Sieve(adapter, buffers, lines);
  const cut = cutLines(file.read, range, buffers.lines, bounds.line_bytes_max, sieve);
  sieve.flush();
  counts.lines_oversize += sieve.oversizeLines;
  const resume = keep ? resumeAt(reading, from, cut, { ...counts }) : null;
  if (cut.tail === cut.end) return { found: "session", head, fold: adapter.finish(state), counts, resume };
  // The last line may be only half there. What it holds counts now, but the next look starts before it.
  const tailState = keep ? structuredClone(state) : state;
  lines.begin(tailState, counts);
  if (cut.end - cut.tail > bounds.line_bytes_max) counts.lines_oversize++;
  else lines.lastLine(loadLine(file.read, cut.tail, cut.end));
  return { found: "session", head, fold: adapter.finish(tailState), counts, resume };
}

function resumeAt(reading: Reading, from: Resume, cut: Cut, counts: LineCounts): Resume | null {
  const { head, state } = from;
  const guard = guardOf(reading, cut.tail);
  return guard === null ? null : { head, state, offset: cut.tail, counts, guard };
}

/** Can no row of this session be inside the bounds, as far as its header, and the end of its file, tell? */
function isOutside(reading: Reading, head: Head): boolean {
  if (!isBounded(reading)) return false;
  const { adapter, bounds } = reading;
  const created = Date.parse(head.created_at);
  if (bounds.as_of_ms !== null && created > bounds.as_of_ms) return true;
  if (bounds.since_ms === null || created >= bounds.since_ms) return false;
  if (!adapter.stampsRuns) return true;
  const last = lastTime(reading);
  return last !== null && last < bounds.since_ms;
}

function isBounded({ bounds }: Reading): boolean {
  return bounds.since_ms !== null || bounds.as_of_ms !== null;
}

/** The latest time in the last few records of a file, in ms; null when it cannot be told. */
function lastTime({ file, adapter, bounds }: Reading): number | null {
  if (adapter.timeOf === undefined) return null;
  const bytes = loadLine(file.read, Math.max(0, file.size - END_BYTES), file.size);
  const firstLine = file.size > END_BYTES ? bytes.indexOf(0x0a) + 1 : 0;
  let last: number | null = null;
  const record = (_state: unknown, value: JsonObject) => {
    const time = adapter.timeOf?.(value) ?? null;
    if (time !== null && (last === null || time > last)) last = time;
    return true;
  };
  const lines = new LineReader({ wants: () => true, record }, null, noLines());
  for (let at = firstLine; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    if (end - at <= bounds.line_bytes_max) lines.line(bytes, at, end);
    at = end + 1;
  }
  return last;
}
