import { type Cut, cutLines, type LineSink, loadLine, type ReadAt } from "#lib/transcript/lines.ts";
import type { Adapter, FoldResult, Head, JsonObject } from "./adapter.ts";
import { type LineCounts, LineReader, noLines } from "./scan-lines.ts";

/** One file as the reader needs it; `size` is how much of it is looked at, however it grows meanwhile. */
export type FileView = { relative: string; size: number; read: ReadAt };

/** What bounds the reading of one file. */
export type Bounds = { since_ms: number | null; as_of_ms: number | null; line_bytes_max: number };

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
  /** `fold` is null when the session as a whole is outside the bounds, so that only its header was read. */
  | { found: "session"; head: Head; fold: FoldResult | null; counts: LineCounts; resume: Resume | null };

/** Buffers of one reading thread, used for file after file. */
export type Buffers = { lines: Buffer; head: Buffer };

/** Large enough that system calls do not count, small enough to stay in a core's own cache. */
const LINES_BYTES = 512 * 1024;
const HEAD_BYTES = 8 * 1024;
const GUARD_BYTES = 64;
/** How much of a file's end is looked at for its last time stamp. */
const END_BYTES = 64 * 1024;

export function newBuffers(lines = LINES_BYTES, head = HEAD_BYTES): Buffers {
  return { lines: Buffer.allocUnsafeSlow(lines), head: Buffer.allocUnsafeSlow(head) };
}

/** Reads the header of one file and nothing else. */
export function readHead(
  file: FileView,
  adapter: Adapter,
  buffers: Buffers,
  lineBytesMax: number,
): SessionRead {
  return headOnly(findHead(file, adapter, buffers, lineBytesMax));
}

function headOnly({ head, counts }: FoundHead): SessionRead {
  if (head !== null) return { found: "session", head, fold: null, counts: noLines(), resume: null };
  const { lines_oversize, lines_not_utf8 } = counts;
  if (lines_oversize + lines_not_utf8 === 0) return { found: "none", counts: noLines() };
  return { found: "unreadable", counts: { ...noLines(), lines_oversize, lines_not_utf8 } };
}

/** Reads one file: its header, and, when that is not outside the bounds, its runs. */
export function readSession(
  file: FileView,
  adapter: Adapter,
  buffers: Buffers,
  bounds: Bounds,
  keep: boolean,
): SessionRead {
  const found = findHead(file, adapter, buffers, bounds.line_bytes_max);
  const { head } = found;
  if (head === null || isOutside(file, head, adapter, bounds)) return headOnly(found);
  const fresh: Resume = {
    head,
    state: adapter.start(head),
    offset: 0,
    counts: noLines(),
    before: "",
    first: "",
  };
  // A header that rests on the line still being written may come out differently next time.
  return readFrom(file, adapter, buffers, bounds.line_bytes_max, {
    from: fresh,
    keep: keep && found.settled,
  });
}

/** Goes on with a file that has grown; null when what stood before is no longer there, so that it must be read anew. */
export function readOn(
  file: FileView,
  adapter: Adapter,
  buffers: Buffers,
  bounds: Bounds,
  resume: Resume,
): SessionRead | null {
  const { before, first, offset } = resume;
  if (file.size < offset) return null;
  if (bytesAt(file, offset - before.length, offset) !== before || bytesAt(file, 0, first.length) !== first)
    return null;
  return readFrom(file, adapter, buffers, bounds.line_bytes_max, { from: resume, keep: true });
}

function readFrom(
  file: FileView,
  adapter: Adapter,
  buffers: Buffers,
  lineBytesMax: number,
  { from, keep }: { from: Resume; keep: boolean },
): SessionRead {
  const { head, state } = from;
  const counts = { ...from.counts };
  const lines = new LineReader(
    adapter,
    (value, text) => adapter.record(state, value, text),
    counts,
    adapter.recordBytes && ((buf, start, end) => adapter.recordBytes?.(state, buf, start, end) === true),
  );
  const cut = cutLines(file.read, { from: from.offset, to: file.size }, buffers.lines, lineBytesMax, lines);
  const resume = keep ? resumeAt(file, from, cut, { ...counts }) : null;
  if (cut.tail === cut.end) return { found: "session", head, fold: adapter.finish(state), counts, resume };
  // The last line may be only half there. What it holds counts now, but the next look starts before it.
  const tailState = keep ? structuredClone(state) : state;
  const tail = new LineReader(adapter, (value, text) => adapter.record(tailState, value, text), counts);
  if (cut.end - cut.tail > lineBytesMax) tail.oversize();
  else tail.lastLine(loadLine(file.read, cut.tail, cut.end));
  return { found: "session", head, fold: adapter.finish(tailState), counts, resume };
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
function isOutside(file: FileView, head: Head, adapter: Adapter, bounds: Bounds): boolean {
  const created = Date.parse(head.created_at);
  if (bounds.as_of_ms !== null && created > bounds.as_of_ms) return true;
  if (bounds.since_ms === null || created >= bounds.since_ms) return false;
  if (!adapter.stampsRuns) return true;
  const last = lastTime(file, adapter, bounds.line_bytes_max);
  return last !== null && last < bounds.since_ms;
}

/** The latest time in the last few records of a file, in ms; null when it cannot be told. */
function lastTime(file: FileView, adapter: Adapter, lineBytesMax: number): number | null {
  if (adapter.timeOf === undefined) return null;
  const bytes = loadLine(file.read, Math.max(0, file.size - END_BYTES), file.size);
  const firstLine = file.size > END_BYTES ? bytes.indexOf(0x0a) + 1 : 0;
  let last: number | null = null;
  const take = (value: JsonObject) => {
    const time = adapter.timeOf?.(value) ?? null;
    if (time !== null && (last === null || time > last)) last = time;
    return true;
  };
  const lines = new LineReader(WANTS_ALL, take, noLines());
  for (let at = firstLine; at < bytes.length; ) {
    const newline = bytes.indexOf(0x0a, at);
    const end = newline < 0 ? bytes.length : newline;
    if (end - at <= lineBytesMax) lines.line(bytes, at, end);
    at = end + 1;
  }
  return last;
}

/** Until it is known what the file is, every object is looked at. */
const WANTS_ALL = { wants: () => true };

/** `settled`: whole lines decided it, so that it stays as it is however the file grows. */
type FoundHead = { head: Head | null; counts: LineCounts; settled: boolean };

function findHead(file: FileView, adapter: Adapter, buffers: Buffers, lineBytesMax: number): FoundHead {
  const sink = new HeadSink(adapter, file.relative);
  const cut = cutLines(file.read, { from: 0, to: file.size }, buffers.head, lineBytesMax, sink);
  const settled = sink.decided;
  if (!settled && cut.end > cut.tail) {
    if (cut.end - cut.tail > lineBytesMax) sink.oversize();
    else {
      const tail = loadLine(file.read, cut.tail, cut.end);
      sink.line(tail, 0, tail.length);
    }
  }
  return { head: sink.finish(), counts: sink.counts, settled };
}

/** Shows a header reader object after object until it has decided. */
class HeadSink implements LineSink {
  readonly counts = noLines();
  decided = false;
  #head: Head | null = null;
  readonly #reader;
  readonly #lines: LineReader;

  constructor(adapter: Adapter, relative: string) {
    this.#reader = adapter.head(relative);
    this.#lines = new LineReader(WANTS_ALL, (value, text) => this.#show(value, text), this.counts);
  }

  line(buf: Buffer, start: number, end: number): boolean {
    if (this.decided) return true;
    const { lines_unknown, lines_not_utf8 } = this.counts;
    this.#lines.line(buf, start, end);
    if (this.counts.lines_unknown > lines_unknown || this.counts.lines_not_utf8 > lines_not_utf8)
      this.#show(null, "");
    return this.decided;
  }

  loads(): boolean {
    return true;
  }

  oversize(): void {
    if (this.decided) return;
    this.counts.lines_oversize++;
    this.#show(null, "");
  }

  finish(): Head | null {
    return this.decided ? this.#head : this.#reader.end();
  }

  #show(value: JsonObject | null, text: string): boolean {
    if (this.decided) return true;
    const step = this.#reader.take(value, text);
    if (step === "more") return true;
    this.decided = true;
    this.#head = step === "none" ? null : step;
    return true;
  }
}
