import "server-only";
import { connection } from "next/server";
import { PAGE_ROWS, type SessionPage } from "#app/_ui/sessions/pages.ts";
import { derive } from "#app/derive.ts";
import { type FindingsView, findingsView } from "#app/findings-view.ts";
import { type HealthView, healthView } from "#app/health-view.ts";
import { lookAt } from "#app/scans.ts";
import {
  type Params,
  parseHealthAsk,
  parseSessionsAsk,
  parseWindowAsk,
  type SessionsAsk,
} from "#app/search.ts";
import {
  filterSessions,
  type IndexedSession,
  indexSessions,
  modelsOf,
  sortSessions,
} from "#app/session-lines.ts";
import { readRetentions } from "#lib/doctor/doctor.io.ts";
import { readSettings } from "#lib/settings.io.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import type { Scan } from "#lib/sources/source.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";

const DAY_MS = 86_400_000;

/** What every page with numbers tells about where they come from. */
export type Origin = { found: FoundSource[]; problems: string[]; serverZone: string };

/** Everything the health page shows, for an address. */
export async function loadHealth(params: Params): Promise<{ view: HealthView; origin: Origin }> {
  await connection();
  const settings = readSettings();
  const { ask, problems } = parseHealthAsk(params, settings.zone);
  const now = Date.now();
  const until = ask.asOfMs ?? now;
  const since_ms = ask.days === null ? null : until - ask.days * DAY_MS;
  const { found, scans: all } = await lookAt(ask.source, { as_of_ms: ask.asOfMs });
  const { scans } = await lookAt(ask.source, { as_of_ms: ask.asOfMs, since_ms });
  const view = derive([...scans, ...all], JSON.stringify(["health", ask]), () =>
    healthView({ scans, all, ask, until }),
  );
  return { view, origin: { found, problems, serverZone: settings.zone } };
}

/** Everything the findings page shows, for an address. */
export async function loadFindings(
  params: Params,
): Promise<{ view: FindingsView; zone: string; problems: string[] }> {
  await connection();
  const serverZone = readSettings().zone;
  const { ask, problems } = parseWindowAsk(params, serverZone, null);
  const as_of_ms = ask.asOfMs ?? Date.now();
  const { settings, found, scans } = await lookAt(ask.source, { as_of_ms: ask.asOfMs });
  const view = findingsView({
    scans,
    triggers: await readTriggers(settings.triggersDir),
    as_of_ms,
    // A trigger that names no zone fires in the server's, whatever zone its reader has chosen.
    zone: serverZone,
    problems: found.flatMap(({ source, problem }) =>
      problem === null ? [] : [{ place: source.place, problem }],
    ),
    retentions: await readRetentions(scans.map(({ source }) => source)),
  });
  return { view, zone: ask.zone, problems };
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
  const { found, scans } = await lookAt(null, {});
  const index = derive(scans, "sessions", () => indexAll(scans));
  const asOf = ask.asOfMs ?? Math.max(0, ...scans.map((scan) => Date.parse(scan.scanned_at)));
  const fitting = derive(scans, JSON.stringify(["fitting", ask, asOf]), () =>
    sortSessions(filterSessions(index.sessions, ask, asOf), ask.sort),
  );
  const page = {
    from,
    rows: fitting.slice(from, from + PAGE_ROWS).map(({ line }) => line),
    total: fitting.length,
    of: index.sessions.length,
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
