import { type Cut, cutLines, loadLine } from "#lib/transcript/lines.ts";
import type { FoldResult, Head, JsonObject } from "./adapter.ts";
import { type FoundHead, findHead, headInFirstLine } from "./scan-head.ts";
import { type LineCounts, LineReader, noLines, takerOf } from "./scan-lines.ts";
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
  /** The bytes before `offset` and at the start of the file (as Latin-1), to see that it was not rewritten in place. */
  before: string;
  first: string;
};

export type SessionRead =
  | { found: "none"; counts: LineCounts }
  /** The header is there, as it seems, but cannot be read: over the cap, or not UTF-8. */
  | { found: "unreadable"; counts: LineCounts }
  /** `fold` and `sieved` are null when the session is outside the bounds, so that only its header was read. */
  | {
      found: "session";
      head: Head;
      fold: FoldResult | null;
      sieved: Sieved | "too much" | null;
      counts: LineCounts;
      resume: Resume | null;
    };

const GUARD_BYTES = 64;
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
  return { found: "session", head, fold: null, sieved: null, counts: noLines(), resume: null };
}

/**
 * Reads one file: its header, and, when that is not outside the bounds, its runs. `keep` also says how to go on when the
 * file has grown; `sieve` gives the lines that matter instead of the runs.
 */
export function readSession(reading: Reading, mode: "runs" | "keep" | "sieve"): SessionRead {
  const { file, adapter, buffers, bounds } = reading;
  // Without a window the file will be read anyway, so its first part is read at once.
  const isBounded = bounds.since_ms !== null || bounds.as_of_ms !== null;
  const quick = headInFirstLine(reading, isBounded ? buffers.head : buffers.lines);
  const found: FoundHead =
    quick.head === null ? findHead(reading) : { head: quick.head, counts: noLines(), settled: true };
  const { head } = found;
  if (head === null || isOutside(reading, head)) return headOnly(found);
  const range = { from: 0, to: file.size, there: isBounded ? 0 : quick.there };
  if (mode === "sieve" && adapter.sparse) return sieveOnly(reading, range, head);
  const state = adapter.start(head);
  const fresh: Resume = { head, state, offset: 0, counts: noLines(), before: "", first: "" };
  // A header that rests on the line still being written may come out differently next time.
  return readFrom(reading, range, fresh, mode === "keep" && found.settled);
}

/** Goes on with a file that has grown; null when what stood before is no longer there, so that it must be read anew. */
export function readOn(reading: Reading, resume: Resume): SessionRead | null {
  const { file } = reading;
  const { before, first, offset } = resume;
  if (file.size < offset) return null;
  if (bytesAt(file, offset - before.length, offset) !== before || bytesAt(file, 0, first.length) !== first)
    return null;
  return readFrom(reading, { from: offset, to: file.size }, resume, true);
}

type Range = { from: number; to: number; there?: number };

function readFrom(reading: Reading, range: Range, from: Resume, keep: boolean): SessionRead {
  const { file, adapter, buffers, bounds } = reading;
  const { head, state } = from;
  const counts = { ...from.counts };
  const lines = new LineReader(takerOf(adapter, state), counts);
  const sieve = new Sieve(adapter, buffers, counts, lines);
  const cut = cutLines(file.read, range, buffers.lines, bounds.line_bytes_max, sieve);
  sieve.flush();
  const resume = keep ? resumeAt(file, from, cut, { ...counts }) : null;
  const read = { found: "session", head, sieved: null, counts, resume } as const;
  if (cut.tail === cut.end) return { ...read, fold: adapter.finish(state) };
  // The last line may be only half there. What it holds counts now, but the next look starts before it.
  const tailState = keep ? structuredClone(state) : state;
  if (cut.end - cut.tail > bounds.line_bytes_max) counts.lines_oversize++;
  else new LineReader(takerOf(adapter, tailState), counts).lastLine(loadLine(file.read, cut.tail, cut.end));
  return { ...read, fold: adapter.finish(tailState) };
}

function sieveOnly({ file, adapter, buffers, bounds }: Reading, range: Range, head: Head): SessionRead {
  const counts = noLines();
  const sieve = new Sieve(adapter, buffers, counts, null);
  const cut = cutLines(file.read, range, buffers.lines, bounds.line_bytes_max, sieve);
  let tail: Uint8Array | null = null;
  if (cut.end - cut.tail > bounds.line_bytes_max) counts.lines_oversize++;
  else if (cut.end > cut.tail) tail = loadLine(file.read, cut.tail, cut.end);
  const sieved = sieve.full ? "too much" : { lines: sieve.finish(), tail };
  return { found: "session", head, fold: null, sieved, counts, resume: null };
}

function resumeAt(file: FileView, from: Resume, cut: Cut, counts: LineCounts): Resume {
  const { head, state } = from;
  return {
    head,
    state,
    offset: cut.tail,
    counts,
    before: bytesAt(file, Math.max(0, cut.tail - GUARD_BYTES), cut.tail),
    first: bytesAt(file, 0, Math.min(GUARD_BYTES, cut.tail)),
  };
}

function bytesAt(file: FileView, start: number, end: number): string {
  return loadLine(file.read, start, end).toString("latin1");
}

/** Can no row of this session be inside the bounds, as far as its header, and the end of its file, tell? */
function isOutside(reading: Reading, head: Head): boolean {
  const { adapter, bounds } = reading;
  if (bounds.as_of_ms === null && bounds.since_ms === null) return false;
  const created = Date.parse(head.created_at);
  if (bounds.as_of_ms !== null && created > bounds.as_of_ms) return true;
  if (bounds.since_ms === null || created >= bounds.since_ms) return false;
  if (!adapter.stampsRuns) return true;
  const last = lastTime(reading);
  return last !== null && last < bounds.since_ms;
}

/** The latest time in the last few records of a file, in ms; null when it cannot be told. */
function lastTime({ file, adapter, bounds }: Reading): number | null {
  if (adapter.timeOf === undefined) return null;
  const bytes = loadLine(file.read, Math.max(0, file.size - END_BYTES), file.size);
  const firstLine = file.size > END_BYTES ? bytes.indexOf(0x0a) + 1 : 0;
  let last: number | null = null;
  const take = (value: JsonObject) => {
    const time = adapter.timeOf?.(value) ?? null;
    if (time !== null && (last === null || time > last)) last = time;
    return true;
  };
  const lines = new LineReader({ wants: () => true, take }, noLines());
  for (let at = firstLine; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    if (end - at <= bounds.line_bytes_max) lines.line(bytes, at, end);
    at = end + 1;
  }
  return last;
}
