import { createHash } from "node:crypto";
import type { Reading } from "./scan-view.ts";

/** Up to here all bytes are looked at. */
const WHOLE_BYTES = 2 * 1024 * 1024;
/** Of more than that, so many stretches spread evenly, the start and the end among them. */
const STRETCHES = 32;
const STRETCH_BYTES = WHOLE_BYTES / STRETCHES;

/**
 * A fingerprint of the first `offset` bytes of a file, to see later whether they are still what was read: something may
 * write over them in place before it appends. Of a large file it is one of a part of its bytes. Null when they are not
 * there.
 */
export function guardOf({ file, buffers }: Pick<Reading, "file" | "buffers">, offset: number): string | null {
  const hash = createHash("sha256");
  for (const { from, to } of stretches(offset)) {
    for (let at = from; at < to; ) {
      const got = file.read(buffers.lines, 0, Math.min(buffers.lines.length, to - at), at);
      if (got <= 0) return null;
      hash.update(buffers.lines.subarray(0, got));
      at += got;
    }
  }
  return hash.digest("base64");
}

function stretches(offset: number): { from: number; to: number }[] {
  if (offset <= WHOLE_BYTES) return [{ from: 0, to: offset }];
  const step = (offset - STRETCH_BYTES) / (STRETCHES - 1);
  return Array.from({ length: STRETCHES }, (_none, index) => {
    const from = Math.floor(index * step);
    return { from, to: from + STRETCH_BYTES };
  });
}
