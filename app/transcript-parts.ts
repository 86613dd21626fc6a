import "server-only";
import { contextBefore } from "#app/_ui/transcript/context.ts";
import { UserError } from "#lib/errors.ts";
import type { Cursor, Entry, TranscriptPage } from "#lib/sources/entry.ts";
import { readEntry, readTranscriptPage } from "#lib/sources/page.io.ts";
import type { SessionHead } from "#lib/transcript/run-row.ts";

/** Entries of one answer, and how much of each one's text it carries. */
const PAGE = { limit: 60, text_max: 2000 };

/** The part of a transcript that its page starts with. */
export type FirstPart = {
  first: TranscriptPage;
  /** Where that part starts; null = the beginning. */
  startsAt: Cursor | null;
  /** The entry that the address points at. */
  at: Cursor | null;
};

/** The beginning of a transcript, or what led to the entry that is pointed at. */
export async function firstPart(head: SessionHead, at: Cursor | null): Promise<FirstPart> {
  const startsAt = at === null ? null : contextBefore(at);
  return { first: await entriesFrom(head, startsAt), startsAt, at };
}

/** A page of entries from a place on; null = from the beginning. */
export function entriesFrom(head: SessionHead, from: Cursor | null): Promise<TranscriptPage> {
  return readTranscriptPage(head, { ...(from === null ? {} : { from }), ...PAGE });
}

/** One entry with as much of its text as is ever shown. Throws a UserError where none stands. */
export async function wholeEntry(head: SessionHead, at: Cursor | null): Promise<Entry> {
  if (at === null) throw new UserError("usage", "at: which entry?");
  const entry = await readEntry(head, at);
  if (entry === null) throw new UserError("not_found", "no entry stands there");
  return entry;
}
