import { parseCursor, START } from "#lib/sources/cursor.ts";
import type { Cursor, Entry } from "#lib/sources/entry.ts";
import { readTranscriptPage } from "#lib/sources/page.io.ts";
import type { SessionHead } from "#lib/transcript/run-row.ts";
import { cursorOrder, failedCalls } from "./failed-calls.ts";
import type { CliIo } from "./io.ts";
import { startProgress } from "./progress.ts";

/** What of a transcript is wanted. */
export type Asked = {
  from: Cursor | null;
  /** Entries at most; a failed call and what led to it are never torn apart, so a few more may come. */
  limit: number;
  failedOnly: boolean;
  /** Entries stamped later than this are left out; null = none. */
  until_ms: number | null;
  /** UTF-16 units of text an entry may have. */
  textMax: number;
};

/** Where the rest starts; null: there is none. */
export type Reading = { next: Cursor | null };

const PAGE = 500;

/** Shows entries to `take` in order until there are enough. */
export async function readEntries(
  io: CliIo,
  head: SessionHead,
  asked: Asked,
  take: (entry: Entry) => void,
): Promise<Reading> {
  const pick = asked.failedOnly ? failedFrom(asked.from) : (entry: Entry) => [entry];
  let taken = 0;
  for await (const entry of entriesOf(io, head, asked)) {
    if (isLater(entry, asked.until_ms)) continue;
    const picked = pick(entry);
    if (picked.length > 0 && taken >= asked.limit) return { next: entry.at };
    for (const one of picked) take(one);
    taken += picked.length;
  }
  return { next: null };
}

function failedFrom(from: Cursor | null): (entry: Entry) => Entry[] {
  const failed = failedCalls();
  return (entry) => failed.take(entry, from === null || cursorOrder(entry.at, from) >= 0);
}

function isLater(entry: Entry, until_ms: number | null): boolean {
  return until_ms !== null && entry.time !== null && Date.parse(entry.time) > until_ms;
}

async function* entriesOf(io: CliIo, head: SessionHead, asked: Asked): AsyncGenerator<Entry> {
  const progress = startProgress(io, () => performance.now());
  try {
    // What led to a failure may stand before `from`, so failures are looked for from the start.
    for (let from = asked.failedOnly ? null : asked.from; ; ) {
      io.signal.throwIfAborted();
      const start = from === null ? {} : { from };
      const page = await readTranscriptPage(head, { limit: PAGE, text_max: asked.textMax, ...start });
      yield* page.entries;
      if (page.next === null) return;
      from = page.next;
      progress.show(`reading the transcript: ${percentOf(from, page.bytes)}`);
    }
  } finally {
    progress.end();
  }
}

function percentOf(from: Cursor, bytes: number): string {
  return `${Math.floor(((parseCursor(from) ?? START).offset / Math.max(1, bytes)) * 100)} %`;
}
