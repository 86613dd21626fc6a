import "server-only";
import { connection } from "next/server";
import { cache } from "react";
import { hrefTo } from "#app/_ui/href.ts";
import { fromDatabase } from "#app/database.ts";
import { derive } from "#app/derive.ts";
import { lookAt } from "#app/scans.ts";
import { type Params, parseWindowAsk, type WindowAsk } from "#app/search.ts";
import { UserError } from "#lib/errors.ts";
import { type ReviewReport, reviewReport, runsPart } from "#lib/review/report.ts";
import { readStored } from "#lib/review/stored.io.ts";
import { NOTHING_STORED, type Stored } from "#lib/review/stored.ts";
import { type NoWeek, readWeek, type Week, weekKeyAt } from "#lib/review/week.ts";
import { readSettings } from "#lib/settings.io.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import { isoUtc } from "#lib/time.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";

const HOUR_MS = 3_600_000;

export type ReviewView = {
  report: ReviewReport;
  ask: WindowAsk;
  problems: string[];
  serverZone: string;
  found: FoundSource[];
};

/** A review, or why there is none, and which week it is now. */
export type LoadedReview = { ok: true; view: ReviewView } | ({ ok: false; current: string } & NoWeek);

/** Whether an address names a week at all, which takes no look at any file. */
export async function isWeek(address: string, params: Params): Promise<boolean> {
  const { read } = await lookUp(address, params);
  return read.ok || read.why !== "unknown";
}

/** The review of the week that an address names. */
export const loadReview = cache(async (address: string, params: Params): Promise<LoadedReview> => {
  const { read, at, ask, problems, serverZone } = await lookUp(address, params);
  if (!read.ok) return { ...read, current: reviewHref(weekKeyAt(at, ask.zone), ask) };
  const { week } = read;
  // While the week lasts, "now" is what the files say, so that the same scan serves every look.
  const as_of_ms = week.complete ? week.until_ms : ask.asOfMs;
  const { settings, found, scans: looks } = await lookAt(ask.source, [{ as_of_ms }]);
  const [scans] = looks;
  const key = JSON.stringify(["review", week.key, week.zone, Math.floor(week.until_ms / HOUR_MS)]);
  const part = derive(scans, key, () => runsPart(scans, week));
  const { stored, problem } = storedOf(week, at);
  const input = {
    week,
    scans,
    triggers: await readTriggers(settings.triggersDir),
    schedule_zone: serverZone,
    problems: found.flatMap(({ source, problem }) =>
      problem === null ? [] : [{ place: source.place, problem }],
    ),
    stored,
  };
  const view = {
    report: reviewReport(input, part),
    ask,
    problems: problem === null ? problems : [...problems, problem],
    serverZone,
    found,
  };
  return { ok: true, view };
});

async function lookUp(address: string, params: Params) {
  await connection();
  const serverZone = readSettings().zone;
  const { ask, problems } = parseWindowAsk(params, serverZone, null);
  const at = ask.asOfMs ?? Date.now();
  return { read: readWeek(address, ask.zone, at), at, ask, problems, serverZone };
}

/** The address of the week it is now, for one that names none. */
export async function currentReview(params: Params): Promise<string> {
  await connection();
  const { ask } = parseWindowAsk(params, readSettings().zone, null);
  return reviewHref(weekKeyAt(ask.asOfMs ?? Date.now(), ask.zone), ask);
}

/** The review of a week for the same sources and zone. */
export function reviewHref(
  week: string,
  ask: WindowAsk,
  change: Record<string, string | null> = {},
  rest = "",
): string {
  return hrefTo(`/review/${week}${rest}`, {
    as_of: ask.asOfMs === null ? null : isoUtc(ask.asOfMs),
    zone: ask.zoneAsked,
    source: ask.source,
    ...change,
  });
}

/** The numbers stand in other files: a database that cannot be used must not take them along. */
function storedOf(week: Week, at: number): { stored: Stored; problem: string | null } {
  try {
    return {
      stored: fromDatabase((db) => readStored(db, week, at)) ?? NOTHING_STORED,
      problem: null,
    };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { stored: NOTHING_STORED, problem: `Verdicts and proposals are not in here: ${error.message}.` };
  }
}
