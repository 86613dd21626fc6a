import type { Entry } from "./entry.ts";

/** An entry before it has a place and a length. */
export type Draft = Omit<Entry, "at" | "full_length">;

/** What a format makes of one decoded object: its entries in reading order; none for book-keeping. */
export type DraftsOf = (value: { [key: string]: unknown }) => Draft[];

/** An entry of `kind` that is only text. */
export function draft(kind: Entry["kind"], text: string, rest: Partial<Draft> = {}): Draft {
  return { kind, time: null, tool: null, call_id: null, state: null, text, ...rest };
}

/**
 * A value of a record as JSON; null for none. A value nested thousands of levels deep can be decoded but not encoded
 * again: then the text says so.
 */
export function jsonText(value: unknown): string | null {
  try {
    return JSON.stringify(value) ?? null;
  } catch (error) {
    if (error instanceof RangeError) return "(left out: it is nested too deep to show)";
    throw error;
  }
}
