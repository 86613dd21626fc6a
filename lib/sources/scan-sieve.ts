import { skipSpace } from "#lib/transcript/json-bytes.ts";
import type { LineSink } from "#lib/transcript/lines.ts";
import type { Adapter, PartsJudge } from "./adapter.ts";
import type { LineReader } from "./scan-lines.ts";
import type { Buffers } from "./scan-view.ts";

/**
 * What matters in a file, as a file of its own: its first line that is not blank, the lines that matter, and the last line
 * where it has no end. Reading this gives the same as reading the file, but for `oversize` lines that were passed over.
 */
export type Sieved = { bytes: Uint8Array; oversize: number };

/** So many bytes are worked out at once. */
const BLOCK_BYTES = 256 * 1024;
/** Beyond this a file is no longer mostly of no use, and has to be worked out where it is read. */
const SIEVED_BYTES_MAX = 8 * 1024 * 1024;

/** Copies the lines that matter and passes over the others, which is nearly all there are in a sparse format. */
export class Sieve implements LineSink {
  /** What matters cannot be told, or is too much to be kept: the file has to be read where it is worked out. */
  failed = false;
  readonly #adapter: Adapter;
  readonly #buffers: Buffers;
  readonly #reader: LineReader | null;
  #oversize = 0;
  #length = 0;
  /** A line that is not blank was seen: what the file is, is told by the first. */
  #begun: boolean;
  /** Lines one behind the other that are to be kept, in the buffer they were shown in; none when `#from` is below 0. */
  #shown: Buffer | null = null;
  #from = -1;
  #to = -1;
  #long: PartsJudge | null = null;

  /** With a reader, what was kept goes there block by block; without one it is for `finish`. */
  constructor(adapter: Adapter, buffers: Buffers, reader: LineReader | null) {
    this.#adapter = adapter;
    this.#buffers = buffers;
    this.#reader = reader;
    this.#begun = reader !== null;
  }

  line(buf: Buffer, start: number, end: number): boolean {
    if (!this.#begun) this.#begun = skipSpace(buf, start, end) < end;
    else if (this.#adapter.skips?.(buf, start, end) === true) return false;
    if (this.#from >= 0 && start === this.#to + 1 && buf === this.#shown) {
      this.#to = end;
    } else {
      this.passed();
      this.#shown = buf;
      this.#from = start;
      this.#to = end;
    }
    return this.failed;
  }

  /** Copies the lines that are to be kept, before they are gone. */
  passed(): void {
    if (this.#shown === null || this.#from < 0) return;
    // The newline of the last of them included.
    this.#keep(this.#shown, this.#from, this.#to + 1);
    this.#from = -1;
  }

  skim(buf: Buffer, start: number, filled: number, lineBytesMax: number): number {
    return this.#begun ? (this.#adapter.skim?.(buf, start, filled, lineBytesMax) ?? start) : start;
  }

  part(buf: Buffer, start: number, end: number): void {
    this.#long ??= this.#adapter.skipsParts?.() ?? null;
    this.#long?.part(buf, start, end);
  }

  loads(): boolean {
    const skips = this.#long?.skips() === true;
    this.#long = null;
    return !this.#begun || !skips;
  }

  oversize(): void {
    this.#oversize++;
    if (!this.#begun) this.failed = true;
  }

  get oversizeLines(): number {
    return this.#oversize;
  }

  /** Hands what is kept to the reader. */
  flush(): void {
    this.passed();
    this.#flushKept();
  }

  /** What was kept, with the last line where it has no end, as a copy of its own; null when it failed. */
  finish(tail: Buffer | null): Sieved | null {
    this.passed();
    if (tail !== null) this.#keep(tail, 0, tail.length);
    if (this.failed) return null;
    const bytes = Uint8Array.prototype.slice.call(this.#buffers.kept, 0, this.#length);
    return { bytes, oversize: this.#oversize };
  }

  #keep(buf: Buffer, start: number, end: number): void {
    const length = this.#length + end - start;
    if (this.#reader !== null && length > BLOCK_BYTES) {
      this.#flushKept();
      this.#reader.lines(buf.subarray(start, end));
    } else if (length > SIEVED_BYTES_MAX) {
      this.failed = true;
    } else {
      // What Buffer.copy comes down to, without all that it allows for.
      const lines = new Uint8Array(buf.buffer, buf.byteOffset + start, end - start);
      this.#roomFor(length).set(lines, this.#length);
      this.#length = length;
    }
  }

  #flushKept(): void {
    if (this.#length > 0) this.#reader?.lines(this.#buffers.kept.subarray(0, this.#length));
    this.#length = 0;
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
