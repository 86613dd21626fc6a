import "server-only";
import { connection } from "next/server";
import { derive } from "#app/derive.ts";
import { type HealthView, healthView } from "#app/health-view.ts";
import { lookAt } from "#app/scans.ts";
import { type Params, parseHealthAsk } from "#app/search.ts";
import { readSettings } from "#lib/settings.io.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";

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
