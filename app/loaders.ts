import "server-only";
import { connection } from "next/server";
import { PAGE_ROWS, type SessionPage } from "#app/_ui/sessions/pages.ts";
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
  modelsOf,
  sortSessions,
} from "#app/session-lines.ts";
import { readRetentions } from "#lib/doctor/doctor.io.ts";
import { configChanges, type Marker } from "#lib/health/markers.ts";
import { readSettings } from "#lib/settings.io.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import type { Scan } from "#lib/sources/source.ts";
import { DAY_MS } from "#lib/time.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";

const HOUR_MS = 3_600_000;

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
