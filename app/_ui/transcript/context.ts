import { cursorOf, parseCursor } from "#lib/sources/cursor.ts";
import type { Cursor } from "#lib/sources/entry.ts";

/** Bytes of a transcript shown before the place that somebody jumps to: what led to it. */
const CONTEXT_BYTES = 6000;

/** Where to start reading so that a place is seen with what led to it; null = the beginning. */
export function contextBefore(at: Cursor): Cursor | null {
  const place = parseCursor(at);
  if (place === null || place.offset <= CONTEXT_BYTES) return null;
  return cursorOf({ offset: place.offset - CONTEXT_BYTES, index: 0 });
}
