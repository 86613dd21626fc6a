import "server-only";
import { connection } from "next/server";
import { cache } from "react";
import { decodedPart } from "#app/_ui/href.ts";
import { derive } from "#app/derive.ts";
import { lookAt } from "#app/scans.ts";
import { type Params, parseWindowAsk } from "#app/search.ts";
import { largestFiles } from "#app/session-lines.ts";
import { entriesFrom, type FirstPart, firstPart, wholeEntry } from "#app/transcript-parts.ts";
import { UserError } from "#lib/errors.ts";
import { readSettings } from "#lib/settings.io.ts";
import { parseCursor } from "#lib/sources/cursor.ts";
import { SOURCE_KINDS } from "#lib/sources/discover.ts";
import type { Cursor, Entry, TranscriptPage } from "#lib/sources/entry.ts";
import { type FailedCall, findFailedCall } from "#lib/sources/page.io.ts";
import type { Scan } from "#lib/sources/source.ts";
import type { RunRow, SessionHead, SourceKind } from "#lib/transcript/run-row.ts";
import { mended } from "#lib/utf8.ts";

/** A session with its runs and the part of its transcript that the page starts with. */
export type SessionView = FirstPart & {
  head: SessionHead;
  runs: RunRow[];
  zone: string;
  problems: string[];
  parent: string | null;
  children: string[];
};

/** Sub-agents named beside a session. */
const CHILDREN_MAX = 50;

/** One session for its page; null when no scanned head has this id. Asked for twice in a request, read once. */
export const loadSession = cache(async (id: string, params: Params): Promise<SessionView | null> => {
  await connection();
  const { ask, problems } = parseWindowAsk(params, readSettings().zone, null);
  const known = await findSession(id, ask.source);
  if (known === null) return null;
  const { head, runs, children } = known;
  const part = await firstPart(head, parseAt(params, problems));
  return { ...part, head, runs, zone: ask.zone, problems, parent: head.parent_id, children };
});

/** A further page of a transcript. */
export async function loadEntries(
  id: string,
  source: string | null,
  from: string | null,
): Promise<TranscriptPage> {
  return entriesFrom(await sessionOrThrow(id, source), from);
}

/** One entry with as much of its text as is ever shown. */
export async function loadEntry(id: string, source: string | null, at: string | null): Promise<Entry> {
  return wholeEntry(await sessionOrThrow(id, source), at);
}

/** The next failed call behind a place. */
export async function loadFailedCall(
  id: string,
  source: string | null,
  after: string | null,
): Promise<FailedCall> {
  return findFailedCall(await sessionOrThrow(id, source), after);
}

async function sessionOrThrow(id: string, source: string | null): Promise<SessionHead> {
  const kind = SOURCE_KINDS.find((known) => known === source) ?? null;
  const known = await findSession(id, kind);
  if (known === null) throw new UserError("not_found", "no session has this id");
  return known.head;
}

type Known = { head: SessionHead; runs: RunRow[]; children: string[] };

/** Ids are looked up among scanned heads, as they are and decoded, and never become part of a path. */
async function findSession(id: string, kind: SourceKind | null): Promise<Known | null> {
  const { scans: looks } = await lookAt(null, [{}]);
  const [scans] = looks;
  const heads = derive(scans, "heads", () => headsById(scans));
  const head = [...new Set([id, decodedPart(id)])]
    .flatMap((spelling) => heads.get(spelling) ?? [])
    .find(({ source }) => kind === null || source === kind);
  if (head === undefined) return null;
  const scan = scans.find(({ sessions }) => sessions.includes(head));
  return {
    head,
    runs: scan?.runs.filter(({ session_id }) => session_id === head.id) ?? [],
    children: (scan?.sessions ?? [])
      .filter(({ parent_id }) => parent_id === head.id)
      .map((child) => child.id)
      .slice(0, CHILDREN_MAX),
  };
}

/** By the ids as they can stand in an address. */
function headsById(scans: readonly Scan[]): Map<string, SessionHead[]> {
  const heads = new Map<string, SessionHead[]>();
  for (const head of scans.flatMap((scan) => largestFiles(scan.sessions))) {
    const id = mended(head.id);
    heads.set(id, [...(heads.get(id) ?? []), head]);
  }
  return heads;
}

function parseAt(params: Params, problems: string[]): Cursor | null {
  const text = typeof params.at === "string" ? params.at : null;
  if (text === null || parseCursor(text) !== null) return text;
  problems.push("at names no place in a transcript, so it starts at the beginning.");
  return null;
}
