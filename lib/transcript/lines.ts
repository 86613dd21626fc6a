const NEWLINE = 0x0a;

/** Reads up to `length` bytes of a file at `position` into `into[at…]`; gives how many, 0 at the end. */
export type ReadAt = (into: Buffer, at: number, length: number, position: number) => number;

/** Takes the lines of a file, in order. */
export interface LineSink {
  /**
   * One line in `buf[start, end)`, its newline at `end`; the buffer is reused afterwards. True stops the cutting. Lines of
   * nothing but white space need not be shown.
   */
  line(buf: Buffer, start: number, end: number): boolean;
  /**
   * A quicker way to pass over lines: where the first line starts that has to be shown, `start` if it cannot tell. Lines
   * stand in `buf[start, filled)`, the last of them maybe in part; a newline stands at `filled`.
   */
  skim?(buf: Buffer, start: number, filled: number, lineBytesMax: number): number;
  /** The next part of a line longer than the buffer, in `buf[start, end)`, without its newline. */
  part?(buf: Buffer, start: number, end: number): void;
  /** A line of which all parts were shown, and which is not over the cap: must `line` be shown all of it? */
  loads(): boolean;
  /** A line over the cap was passed over. */
  oversize(): void;
  /** The buffer is about to be filled anew: what was shown in it is gone after this. */
  passed?(): void;
}

/** Where cutting ended: `[tail, end)` is a last line without a newline, empty when there is none. */
export type Cut = { tail: number; end: number };

/**
 * Cuts the bytes `[from, to)` of a file on 0x0A, through one reused buffer, so that neither the file nor a line has to
 * fit into memory. `from` is the start of a line. Every byte is looked at by the platform's own search, not here.
 * When `range.there` is given, that many of the first bytes are in the buffer already.
 */
export function cutLines(
  read: ReadAt,
  range: { from: number; to: number; there?: number },
  buf: Buffer,
  lineBytesMax: number,
  sink: LineSink,
): Cut {
  // One byte stays free: a newline behind the data ends each search without a second bound.
  const room = buf.length - 1;
  let position = range.from;
  let held = 0;
  let there = range.there ?? 0;
  while (position < range.to) {
    const atStart = position === 0;
    const got =
      there > 0 ? there : fill(read, buf, held, Math.min(room - held, range.to - position), position);
    if (got === 0) break;
    there = 0;
    position += got;
    const filled = held + got;
    buf[filled] = NEWLINE;
    const first = atStart && startsWithBom(buf, filled) ? 3 : 0;
    const start = cutFilled(buf, { first, searched: Math.max(first, held), filled }, lineBytesMax, sink);
    sink.passed?.();
    if (start < 0) return { tail: position, end: position };
    held = filled - start;
    if (held < room) {
      buf.copyWithin(0, start, filled);
      continue;
    }
    const lineStart = position - held;
    const next = passLongLine(read, { lineStart, position, to: range.to }, buf, lineBytesMax, sink);
    if (next.ended || next.stopped)
      return { tail: next.stopped ? next.position : lineStart, end: next.position };
    position = next.position;
    held = 0;
  }
  return { tail: position - held, end: position };
}

/** The bytes of one line, loaded on their own; fewer when the file has shrunk. */
export function loadLine(read: ReadAt, start: number, end: number): Buffer {
  const line = Buffer.allocUnsafeSlow(end - start);
  return line.subarray(0, fill(read, line, 0, line.length, start));
}

type LongLine = { position: number; ended: boolean; stopped: boolean };

/** The buffer is full and holds the first bytes of one line: finds its end without keeping it. */
function passLongLine(
  read: ReadAt,
  at: { lineStart: number; position: number; to: number },
  buf: Buffer,
  lineBytesMax: number,
  sink: LineSink,
): LongLine {
  let position = at.position;
  sink.part?.(buf, 0, position - at.lineStart);
  for (;;) {
    const got = fill(read, buf, 0, Math.min(buf.length - 1, at.to - position), position);
    if (got === 0) return { position, ended: true, stopped: false };
    buf[got] = NEWLINE;
    const end = buf.indexOf(NEWLINE);
    sink.part?.(buf, 0, end);
    if (end === got) {
      position += got;
      continue;
    }
    const lineEnd = position + end;
    const stopped = takeLongLine(read, at.lineStart, lineEnd, lineBytesMax, sink);
    return { position: lineEnd + 1, ended: false, stopped };
  }
}

function takeLongLine(
  read: ReadAt,
  lineStart: number,
  lineEnd: number,
  lineBytesMax: number,
  sink: LineSink,
): boolean {
  // Asked even so: the sink must know that the next part is another line's.
  const loads = sink.loads();
  if (lineEnd - lineStart > lineBytesMax) {
    sink.oversize();
    return false;
  }
  if (!loads) return false;
  const line = loadLine(read, lineStart, lineEnd + 1);
  // Unless the file has become shorter, so that the line is no longer there.
  return line.at(-1) === NEWLINE && sink.line(line, 0, line.length - 1);
}

/**
 * Shows the whole lines in `buf[first, filled)`, behind which stands a newline; up to `searched` there is none. Gives where
 * the rest begins, or -1 when told to stop. By itself because it is the loop that everything goes through, which is the
 * sooner turned into machine code the less there is beside it.
 */
function cutFilled(
  buf: Buffer,
  { first, searched, filled }: { first: number; searched: number; filled: number },
  lineBytesMax: number,
  sink: LineSink,
): number {
  let start = first;
  for (;;) {
    start = passBlank(buf, start, filled, lineBytesMax);
    if (sink.skim !== undefined) start = sink.skim(buf, start, filled, lineBytesMax);
    const end = buf.indexOf(NEWLINE, Math.max(start, searched));
    if (end >= filled) return start;
    if (end - start > lineBytesMax) sink.oversize();
    else if (sink.line(buf, start, end)) return -1;
    start = end + 1;
  }
}

/** Where the first line starts that holds more than white space: a file system may leave millions of empty ones. */
function passBlank(buf: Buffer, start: number, filled: number, lineBytesMax: number): number {
  let line = start;
  for (let i = start; i < filled && isBlank(buf[i]); i++) {
    if (buf[i] !== NEWLINE) continue;
    if (i - line > lineBytesMax) break;
    line = i + 1;
  }
  return line;
}

function isBlank(byte: number | undefined): boolean {
  return byte !== undefined && byte <= 0x20 && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

/** Reads the first bytes of a file into a buffer, as many as `cutLines` would; it may be told that they are there. */
export function fillFirst(read: ReadAt, size: number, buf: Buffer): number {
  return fill(read, buf, 0, Math.min(buf.length - 1, size), 0);
}

/** Reads until `length` bytes are there or the file ends: a short read is no end. */
function fill(read: ReadAt, into: Buffer, at: number, length: number, position: number): number {
  let total = 0;
  while (total < length) {
    const got = read(into, at + total, length - total, position + total);
    if (got <= 0) break;
    total += got;
  }
  return total;
}

function startsWithBom(buf: Buffer, filled: number): boolean {
  return filled >= 3 && buf[0] === 0xef && buf[1] === 0xbb && buf[2] === 0xbf;
}
