import type { LineSink } from "#lib/transcript/lines.ts";
import { type Adapter, type FoldResult, type Head, SKIP_LOOKS_AT } from "./adapter.ts";
import { type LineCounts, LineReader, takerOf } from "./scan-lines.ts";
import type { Buffers } from "./scan-view.ts";

/** The lines of a file that matter, each with its newline, and the last line where it has none. Plain data. */
export type Sieved = { lines: Uint8Array; tail: Uint8Array | null };

const NEWLINE = 0x0a;
/** So many bytes are worked out at once. */
const BLOCK_BYTES = 256 * 1024;
/** Beyond this a file is no longer mostly of no use, and has to be worked out where it is read. */
const SIEVED_BYTES_MAX = 8 * 1024 * 1024;

/** Copies the lines that matter and passes over the others, which is nearly all there are in a sparse format. */
export class Sieve implements LineSink {
  /** More was to be kept than may be. */
  full = false;
  readonly #adapter: Adapter;
  readonly #buffers: Buffers;
  readonly #counts: LineCounts;
  readonly #reader: LineReader | null;
  #length = 0;

  /** With a reader, what was kept goes there block by block; without one it is for `finish`. */
  constructor(adapter: Adapter, buffers: Buffers, counts: LineCounts, reader: LineReader | null) {
    this.#adapter = adapter;
    this.#buffers = buffers;
    this.#counts = counts;
    this.#reader = reader;
  }

  line(buf: Buffer, start: number, end: number): boolean {
    if (this.#adapter.skips?.(buf, start, end) !== true) this.#keep(buf, start, end);
    return this.full;
  }

  loads(first: Buffer, last: Buffer): boolean {
    const ends = Buffer.concat([first.subarray(0, SKIP_LOOKS_AT), last.subarray(-SKIP_LOOKS_AT)]);
    return this.#adapter.skips?.(ends, 0, ends.length) !== true;
  }

  oversize(): void {
    this.#counts.lines_oversize++;
  }

  /** Hands what is kept to the reader. */
  flush(): void {
    if (this.#length > 0) this.#reader?.lines(this.#buffers.kept.subarray(0, this.#length));
    this.#length = 0;
  }

  /** What was kept, as a copy of its own. */
  finish(): Uint8Array {
    return Uint8Array.prototype.slice.call(this.#buffers.kept, 0, this.#length);
  }

  #keep(buf: Buffer, start: number, end: number): void {
    const length = end - start + 1;
    if (this.#reader !== null && this.#length + length > BLOCK_BYTES) {
      this.flush();
      // Too long for a block: it is one by itself.
      if (length > BLOCK_BYTES) {
        this.#reader.line(buf, start, end);
        return;
      }
    }
    if (this.#length + length > SIEVED_BYTES_MAX) {
      this.full = true;
      return;
    }
    const kept = this.#roomFor(this.#length + length);
    buf.copy(kept, this.#length, start, end);
    this.#length += length;
    kept[this.#length - 1] = NEWLINE;
  }

  #roomFor(bytes: number): Buffer {
    if (bytes > this.#buffers.kept.length) {
      const larger = Buffer.allocUnsafeSlow(bytes * 2);
      this.#buffers.kept.copy(larger, 0, 0, this.#length);
      this.#buffers.kept = larger;
    }
    return this.#buffers.kept;
  }
}

/** The runs in what a sieve kept: the same as if the whole file had been read here. */
export function foldSieved(adapter: Adapter, head: Head, sieved: Sieved, counts: LineCounts): FoldResult {
  const state = adapter.start(head);
  const reader = new LineReader(takerOf(adapter, state), counts);
  reader.lines(asBuffer(sieved.lines));
  if (sieved.tail !== null) reader.lastLine(asBuffer(sieved.tail));
  return adapter.finish(state);
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
