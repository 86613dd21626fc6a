import "server-only";
import { connection } from "next/server";
import { cache } from "react";
import { wellFormed } from "#app/_ui/href.ts";
import { PAGE_ROWS, type SessionPage } from "#app/_ui/sessions/pages.ts";
import { contextBefore } from "#app/_ui/transcript/context.ts";
import { derive } from "#app/derive.ts";
import { type FindingsView, findingsView, runsPart } from "#app/findings-view.ts";
import { type HealthView, healthFacts, healthView, ofModel } from "#app/health-view.ts";
import { lookAt } from "#app/scans.ts";
import {
  type Params,
  parseHealthAsk,
  parseSessionsAsk,
  parseWindowAsk,
  type SessionsAsk,
  type WindowAsk,
} from "#app/search.ts";
import {
  filterSessions,
  type IndexedSession,
  indexSessions,
  largestFiles,
  modelsOf,
  sortSessions,
} from "#app/session-lines.ts";
import { readRetentions } from "#lib/doctor/doctor.io.ts";
import { UserError } from "#lib/errors.ts";
import { configChanges, type Marker } from "#lib/health/markers.ts";
import { readSettings } from "#lib/settings.io.ts";
import { parseCursor } from "#lib/sources/cursor.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import { SOURCE_KINDS } from "#lib/sources/discover.ts";
import type { Cursor, Entry, TranscriptPage } from "#lib/sources/entry.ts";
import { type FailedCall, findFailedCall, readEntry, readTranscriptPage } from "#lib/sources/page.io.ts";
import type { Scan } from "#lib/sources/source.ts";
import type { RunRow, SessionHead, SourceKind } from "#lib/transcript/run-row.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

/** Where the numbers of a page come from, and what of its address was passed over. */
export type Origin = { found: FoundSource[]; problems: string[]; serverZone: string };

/** Everything the health page shows, for an address. */
export async function loadHealth(params: Params): Promise<{ view: HealthView; origin: Origin }> {
  await connection();
  const serverZone = readSettings().zone;
  const { ask, problems } = parseHealthAsk(params, serverZone);
  const until = ask.asOfMs ?? Date.now();
  const since_ms = ask.days === null ? null : until - ask.days * DAY_MS;
  const as_of_ms = ask.asOfMs;
  const { found, scans } = await lookAt(ask.source, [{ as_of_ms, since_ms }, { as_of_ms }]);
  const [windowed, all] = scans;
  // The scans are the same objects while the same runs are inside; then only the hour can still move a bucket.
  const key = JSON.stringify(["health", ask, Math.floor(until / HOUR_MS)]);
  const facts = { scans: windowed, all, ask, until };
  const view = derive([...windowed, ...all], key, () =>
    healthView({ ...facts, changes: changesOf(all, ask.model) }),
  );
  return { view: { ...view, ...healthFacts(facts) }, origin: { found, problems, serverZone } };
}

/** The same whichever window, rate or bucket is looked at. */
function changesOf(scans: readonly Scan[], model: string | null): Marker[] {
  return derive(scans, JSON.stringify(["changes", model]), () =>
    configChanges(scans.flatMap((scan) => ofModel(scan, model).runs)),
  );
}

/** Everything the findings page shows, for an address. */
export async function loadFindings(
  params: Params,
): Promise<{ view: FindingsView; ask: WindowAsk; problems: string[]; serverZone: string }> {
  await connection();
  const serverZone = readSettings().zone;
  const { ask, problems } = parseWindowAsk(params, serverZone, null);
  const as_of_ms = ask.asOfMs ?? Date.now();
  const { settings, found, scans } = await lookAt(ask.source, [{ as_of_ms: ask.asOfMs }]);
  // A trigger that names no zone fires in the server's, whatever zone its reader has chosen.
  const input = { scans: scans[0], as_of_ms, zone: serverZone };
  const runs = derive(input.scans, `findings ${serverZone} ${Math.floor(as_of_ms / HOUR_MS)}`, () =>
    runsPart(input),
  );
  const view = findingsView(runs, {
    ...input,
    triggers: await readTriggers(settings.triggersDir),
    problems: found.flatMap(({ source, problem }) =>
      problem === null ? [] : [{ place: source.place, problem }],
    ),
    retentions: await readRetentions(input.scans.map(({ source }) => source)),
  });
  return { view, ask, problems, serverZone };
}

/** One page of the session list and what its filters can be set to. */
export type SessionsView = { ask: SessionsAsk; page: SessionPage; models: string[] };

/** A page of the session list, from row `from` on, for an address. */
export async function loadSessions(
  params: Params,
  from: number,
): Promise<{ view: SessionsView; origin: Origin }> {
  await connection();
  const serverZone = readSettings().zone;
  const { ask, problems } = parseSessionsAsk(params, serverZone);
  const { found, scans: looks } = await lookAt(null, [{}]);
  const [scans] = looks;
  const index = derive(scans, "sessions", () => indexAll(scans));
  const scannedAt = scans.map((scan) => Date.parse(scan.scanned_at));
  // Where no store was found, nothing was scanned, and that is so now.
  const asOf = ask.asOfMs ?? (scannedAt.length === 0 ? Date.now() : Math.max(...scannedAt));
  const fitting = derive(scans, JSON.stringify(["fitting", ask, asOf]), () =>
    sortSessions(filterSessions(index.sessions, ask, asOf), ask.sort),
  );
  const page = {
    from,
    rows: fitting.slice(from, from + PAGE_ROWS).map(({ line }) => line),
    total: fitting.length,
    of: index.sessions.length,
    files: scans.reduce((sum, scan) => sum + scan.sessions.length, 0),
    as_of: new Date(asOf).toISOString(),
  };
  return { view: { ask, page, models: index.models }, origin: { found, problems, serverZone } };
}

/** Sessions of all sources, newest first, and every model they name. */
function indexAll(scans: readonly Scan[]): { sessions: IndexedSession[]; models: string[] } {
  const sessions = scans.flatMap((scan) => indexSessions(scan.sessions, scan.runs));
  if (scans.length > 1) sessions.sort((a, b) => b.createdMs - a.createdMs);
  return { sessions, models: modelsOf(sessions) };
}
/** A session with its runs and the part of its transcript that the page starts with. */
export type SessionView = {
  head: SessionHead;
  runs: RunRow[];
  first: TranscriptPage;
  /** Where that part starts; null = the beginning. */
  startsAt: Cursor | null;
  /** The entry that the address points at. */
  at: Cursor | null;
  zone: string;
  problems: string[];
  parent: string | null;
  children: string[];
};

/** Entries of one answer, and how much of each one's text it carries. */
const ENTRIES_LIMIT = 60;
const ENTRY_TEXT = 2000;
/** Sub-agents named beside a session. */
const CHILDREN_MAX = 50;

/** One session for its page; null when no scanned head has this id. Asked for twice in a request, read once. */
export const loadSession = cache(async (id: string, params: Params): Promise<SessionView | null> => {
  await connection();
  const { ask, problems } = parseWindowAsk(params, readSettings().zone, null);
  const known = await findSession(id, ask.source);
  if (known === null) return null;
  const { head, runs, children } = known;
  const at = parseAt(params, problems);
  const startsAt = at === null ? null : contextBefore(at);
  const first = await pageOf(head, startsAt);
  return { head, runs, first, startsAt, at, zone: ask.zone, problems, parent: head.parent_id, children };
});

/** A further page of a transcript. */
export async function loadEntries(
  id: string,
  source: string | null,
  from: string | null,
): Promise<TranscriptPage> {
  return pageOf(await sessionOrThrow(id, source), from);
}

/** One entry with as much of its text as is ever shown. */
export async function loadEntry(id: string, source: string | null, at: string | null): Promise<Entry> {
  const head = await sessionOrThrow(id, source);
  if (at === null) throw new UserError("usage", "at: which entry?");
  const entry = await readEntry(head, at);
  if (entry === null) throw new UserError("not_found", "no entry stands there");
  return entry;
}

/** The next failed call behind a place. */
export async function loadFailedCall(
  id: string,
  source: string | null,
  after: string | null,
): Promise<FailedCall> {
  return findFailedCall(await sessionOrThrow(id, source), after);
}

function pageOf(head: SessionHead, from: Cursor | null): Promise<TranscriptPage> {
  return readTranscriptPage(head, {
    ...(from === null ? {} : { from }),
    limit: ENTRIES_LIMIT,
    text_max: ENTRY_TEXT,
  });
}

async function sessionOrThrow(id: string, source: string | null): Promise<SessionHead> {
  const kind = SOURCE_KINDS.find((known) => known === source) ?? null;
  const known = await findSession(id, kind);
  if (known === null) throw new UserError("not_found", "no session has this id");
  return known.head;
}

type Known = { head: SessionHead; runs: RunRow[]; children: string[] };

/** Ids are looked up among scanned heads and never become part of a path. */
async function findSession(id: string, kind: SourceKind | null): Promise<Known | null> {
  const { scans: looks } = await lookAt(null, [{}]);
  const [scans] = looks;
  const heads = derive(scans, "heads", () => headsById(scans));
  const head = spellings(id)
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

/** The id as it stands in the address, which may still be encoded. */
function spellings(id: string): string[] {
  try {
    return [...new Set([id, decodeURIComponent(id)])];
  } catch {
    // A lone % is no encoding, so the id is what it is.
    return [id];
  }
}

/** By the ids as they can stand in an address. */
function headsById(scans: readonly Scan[]): Map<string, SessionHead[]> {
  const heads = new Map<string, SessionHead[]>();
  for (const head of scans.flatMap((scan) => largestFiles(scan.sessions))) {
    const id = wellFormed(head.id);
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
