import type { Cursor } from "./entry.ts";

/** A cursor taken apart: the byte offset of a line, and the entry's place among those of that line. */
export type Place = { offset: number; index: number };

export const START: Place = { offset: 0, index: 0 };

export function cursorOf({ offset, index }: Place): Cursor {
  return `${offset}:${index}`;
}

/** The place a cursor names; null for text that is no cursor. It may come from a URL, so nothing is taken on trust. */
export function parseCursor(text: string): Place | null {
  const match = /^(\d{1,15}):(\d{1,9})$/.exec(text);
  return match === null ? null : { offset: Number(match[1]), index: Number(match[2]) };
}
