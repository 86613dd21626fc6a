import type { ReadAt } from "#lib/transcript/lines.ts";
import type { Adapter } from "./adapter.ts";
import { linesBuffer } from "./lines-memory.ts";

/** One file as the reader needs it; `size` is how much of it is looked at, however it grows meanwhile. */
export type FileView = { relative: string; size: number; read: ReadAt };

/** What bounds the reading of one file. */
export type Bounds = { since_ms: number | null; as_of_ms: number | null; line_bytes_max: number };

/** Buffers of one reading thread, used for file after file. */
export type Buffers = { lines: Buffer; head: Buffer; kept: Buffer };

/** One file, and what it takes to read it. */
export type Reading = { file: FileView; adapter: Adapter; buffers: Buffers; bounds: Bounds };

/** Large enough that system calls do not count, small enough to stay in a core's own cache. */
const LINES_BYTES = 512 * 1024;
const HEAD_BYTES = 8 * 1024;
const KEPT_BYTES = 64 * 1024;

export function newBuffers(lines = LINES_BYTES, head = HEAD_BYTES): Buffers {
  return {
    lines: linesBuffer(lines),
    head: Buffer.allocUnsafeSlow(head),
    kept: Buffer.allocUnsafeSlow(KEPT_BYTES),
  };
}
