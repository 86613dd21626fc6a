import { cutLines, fillFirst, type LineSink, loadLine } from "#lib/transcript/lines.ts";
import type { Adapter, Head, JsonObject } from "./adapter.ts";
import { type LineCounts, type LineFormat, LineReader, noLines } from "./scan-lines.ts";
import type { Reading } from "./scan-view.ts";

/** `settled`: whole lines decided it, so that it stays as it is however the file grows. */
export type FoundHead = { head: Head | null; counts: LineCounts; settled: boolean };

const NEWLINE = 0x0a;
/** A longer first line is not looked at by short cut. */
const PLAIN_MAX = 8 * 1024;

/**
 * The header, when the first line of the file is one in the plainest form; null to look for it with `findHead`. Leaves the
 * first bytes of the file in `buf`, as `cutLines` would put them there, and says how many.
 */
export function headInFirstLine(
  { file, adapter, bounds }: Reading,
  buf: Buffer,
): { head: Head | null; there: number } {
  const there = fillFirst(file.read, file.size, buf);
  buf[there] = NEWLINE;
  const end = buf.indexOf(NEWLINE);
  const isPlain = end < there && end <= Math.min(bounds.line_bytes_max, PLAIN_MAX);
  return { head: (isPlain && adapter.headText?.(buf.toString("latin1", 0, end))) || null, there };
}

/** Looks for the header in the lines at the start of the file. */
export function findHead({ file, adapter, buffers, bounds }: Reading): FoundHead {
  const lineBytesMax = bounds.line_bytes_max;
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
    // Until it is known what the file is, every object is looked at.
    const format: LineFormat = {
      wants: () => true,
      record: (_state, value, text) => this.#show(value, text),
    };
    this.#lines = new LineReader(format, null, this.counts);
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
