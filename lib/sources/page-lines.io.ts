import type { FileHandle } from "node:fs/promises";

/** One line of a file. `bytes` is null when it is longer than the cap; `whole`: it ends with a newline. */
export type FileLine = { offset: number; size: number; bytes: Buffer | null; whole: boolean };

const CHUNK_BYTES = 256 * 1024;
const NEWLINE = 0x0a;

/**
 * The lines of `file` from byte `from` (the start of a line) up to byte `to`, without their newlines and without empty lines. Holds one chunk
 * and one line of at most `cap` bytes; of a longer one only the length is kept. Stops early when the file has shrunk.
 */
export async function* linesFrom(
  file: FileHandle,
  { from, to }: { from: number; to: number },
  cap: number,
): AsyncGenerator<FileLine> {
  let line = { offset: from, size: 0, pieces: [] as Buffer[] };
  let position = from;
  while (position < to) {
    const chunk = await readChunk(file, position, Math.min(CHUNK_BYTES, to - position));
    if (chunk.length === 0) break;
    let start = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, start)) {
      add(line, chunk.subarray(start, end), cap);
      if (line.size > 0) yield finished(line, cap, true);
      start = end + 1;
      // Millions of empty lines, as a file system may leave them, would each cost a turn and a search.
      while (chunk[start] === NEWLINE) start += 1;
      line = { offset: position + start, size: 0, pieces: [] };
    }
    add(line, chunk.subarray(start), cap);
    position += chunk.length;
  }
  if (line.size > 0) yield finished(line, cap, false);
}

type Growing = { offset: number; size: number; pieces: Buffer[] };

function add(line: Growing, piece: Buffer, cap: number): void {
  line.size += piece.length;
  if (line.size > cap) line.pieces = [];
  else line.pieces.push(piece);
}

function finished({ offset, size, pieces }: Growing, cap: number, whole: boolean): FileLine {
  return { offset, size, bytes: size > cap ? null : Buffer.concat(pieces), whole };
}

async function readChunk(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const chunk = Buffer.allocUnsafe(length);
  const { bytesRead } = await file.read(chunk, 0, length, position);
  return chunk.subarray(0, bytesRead);
}

/** `offset` when a line starts there, else where the next one does; at most `to`. */
export async function lineStart(file: FileHandle, offset: number, to: number): Promise<number> {
  if (offset === 0) return 0;
  let position = offset - 1;
  while (position < to) {
    const chunk = await readChunk(file, position, Math.min(CHUNK_BYTES, to - position));
    if (chunk.length === 0) break;
    const newline = chunk.indexOf(NEWLINE);
    if (newline >= 0) return position + newline + 1;
    position += chunk.length;
  }
  return to;
}
