import { parseCursor, START } from "#lib/sources/cursor.ts";
import type { Cursor, Entry } from "#lib/sources/entry.ts";

/** Calls without a result that are kept in mind; a transcript that leaves more open is broken. */
const OPEN_CALLS_MAX = 1000;

/**
 * Picks the failed calls out of a transcript that is shown to it in order, each with what led to it: the prompt, what
 * the model said last, the call. `take` gives the entries to print when `entry` is a failed result, else none.
 * An entry that leads to two failures is given once; `wanted` false passes over a failure.
 */
export function failedCalls(): { take(entry: Entry, wanted?: boolean): Entry[] } {
  const given = new Set<Cursor>();
  const open = new Map<string, Entry>();
  let prompt: Entry | null = null;
  let said: Entry | null = null;
  let lastCall: Entry | null = null;

  function remember(entry: Entry): void {
    if (entry.kind === "prompt") {
      prompt = entry;
      said = null;
    } else if (entry.kind === "text") said = entry;
    else if (entry.kind === "call") {
      lastCall = entry;
      if (entry.call_id !== null && open.size < OPEN_CALLS_MAX) open.set(entry.call_id, entry);
    }
  }

  return {
    take(entry, wanted = true) {
      remember(entry);
      if (entry.kind !== "result") return [];
      const call = entry.call_id === null ? lastCall : (open.get(entry.call_id) ?? null);
      if (entry.call_id !== null) open.delete(entry.call_id);
      if (entry.state !== "failed" || !wanted) return [];
      const led = [prompt, said, call, entry].filter((one) => one !== null);
      const group = led.filter(({ at }) => !given.has(at));
      for (const { at } of group) given.add(at);
      return group;
    },
  };
}

/** Orders two cursors by their place in the file; a cursor that is none comes first. */
export function cursorOrder(a: Cursor, b: Cursor): number {
  const [left, right] = [parseCursor(a) ?? START, parseCursor(b) ?? START];
  return left.offset - right.offset || left.index - right.index;
}
