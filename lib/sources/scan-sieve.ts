import type { LineSink } from "#lib/transcript/lines.ts";
import type { Adapter, FoldResult, Head } from "./adapter.ts";
import { isOfUse, type LineCounts, LineReader, mayBeOfUse, noLines, type Wanted } from "./scan-lines.ts";
import type { Buffers } from "./scan-view.ts";

/** The lines of a file that matter, each with its newline, and the last line where it has none. Plain data. */
export type Sieved = { lines: Uint8Array; tail: Uint8Array | null };

const NEWLINE = 0x0a;
/** Beyond this a file is no longer mostly of no interest, and is worked out where it is read. */
const SIEVED_BYTES_MAX = 8 * 1024 * 1024;

/** Keeps the lines that matter, and nothing of the others. */
export class Sieve implements LineSink {
  readonly counts: LineCounts = noLines();
  /** More was to be kept than there is room for. */
  full = false;
  readonly #adapter: Wanted;
  readonly #buffers: Buffers;
  #length = 0;

  constructor(adapter: Wanted, buffers: Buffers) {
    this.#adapter = adapter;
    this.#buffers = buffers;
  }

  line(buf: Buffer, start: number, end: number): boolean {
    if (isOfUse(this.#adapter, buf, start, end)) this.#keep(buf, start, end);
    return this.full;
  }

  loads(first: Buffer, last: Buffer): boolean {
    return mayBeOfUse(this.#adapter, first, last);
  }

  oversize(): void {
    this.counts.lines_oversize++;
  }

  finish(tail: Uint8Array | null): Sieved {
    // A copy that is as long as it has to be: it is posted to another thread.
    return { lines: Uint8Array.prototype.slice.call(this.#buffers.kept, 0, this.#length), tail };
  }

  #keep(buf: Buffer, start: number, end: number): void {
    const length = this.#length + (end - start) + 1;
    if (length > SIEVED_BYTES_MAX) {
      this.full = true;
      return;
    }
    if (length > this.#buffers.kept.length) {
      const larger = Buffer.allocUnsafeSlow(length * 2);
      this.#buffers.kept.copy(larger, 0, 0, this.#length);
      this.#buffers.kept = larger;
    }
    const { kept } = this.#buffers;
    buf.copy(kept, this.#length, start, end);
    kept[length - 1] = NEWLINE;
    this.#length = length;
  }
}

/** A reader of lines that adds what it decodes to a fold. Its counts go into `counts`. */
export function foldingReader(adapter: Adapter, state: unknown, counts: LineCounts): LineReader {
  return new LineReader(
    adapter,
    (value, text) => adapter.record(state, value, text),
    counts,
    adapter.recordBytes && ((buf, start, end) => adapter.recordBytes?.(state, buf, start, end) === true),
  );
}

/** The runs in what a sieve kept: the same as if the whole file had been read here. */
export function foldSieved(adapter: Adapter, head: Head, sieved: Sieved, counts: LineCounts): FoldResult {
  const state = adapter.start(head);
  const reader = foldingReader(adapter, state, counts);
  const lines = asBuffer(sieved.lines);
  let start = 0;
  for (let end = lines.indexOf(NEWLINE); end >= 0; end = lines.indexOf(NEWLINE, start)) {
    reader.line(lines, start, end);
    start = end + 1;
  }
  if (sieved.tail !== null) reader.lastLine(asBuffer(sieved.tail));
  return adapter.finish(state);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
