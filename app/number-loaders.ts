import "server-only";
import { connection } from "next/server";
import { type NumbersAsk, numbersAsk } from "#app/api/numbers-ask.ts";
import { derive } from "#app/derive.ts";
import { ofModel } from "#app/health-view.ts";
import { lookAt } from "#app/scans.ts";
import type { Finding } from "#lib/doctor/finding.ts";
import { populationFindings, populationOf, slicesAt } from "#lib/doctor/population.ts";
import { doctorReport, sortFindings } from "#lib/doctor/report.ts";
import { doctorJson } from "#lib/doctor/text.ts";
import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { healthJson } from "#lib/health/json.ts";
import { type HealthReport, healthReport } from "#lib/health/report.ts";
import { expositionText } from "#lib/notify/exposition.ts";
import { metricFamilies } from "#lib/notify/metrics.ts";
import { readSettings } from "#lib/settings.io.ts";
import type { Settings } from "#lib/settings.ts";
import { sortKeys } from "#lib/sort-keys.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import type { Scan } from "#lib/sources/source.ts";
import { DAY_MS, isoUtc } from "#lib/time.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";

/** The object of `mecha sessions health --json`; everything unless `days` says otherwise, as there. */
export async function loadHealthJson(query: URLSearchParams): Promise<unknown> {
  await connection();
  const ask = settled(numbersAsk(query, readSettings().zone));
  const { windowed, found } = await look(ask);
  refuseNothing(found, windowed);
  const json = healthJson(reportOf(windowed, ask));
  return ask.model === null || typeof json !== "object" ? json : sortKeys({ ...json, model: ask.model });
}

/** Zeros would read as an empty store, where none of the stores can be read. Throws UserError. */
function refuseNothing(found: readonly FoundSource[], scans: readonly Scan[]): void {
  const bad = found.find(({ problem }) => problem !== null);
  if (scans.length > 0 || bad === undefined) return;
  const { source, problem } = bad;
  throw new UserError(
    "bad_input",
    `store ${visible(source.place)} (${source.kind}): ${visible(problem ?? "")}`,
  );
}

/** The array of `mecha doctor --json`. */
export async function loadFindingsJson(query: URLSearchParams): Promise<unknown> {
  await connection();
  const ask = settled(numbersAsk(query, readSettings().zone, { keys: ["as_of", "zone", "source"] }));
  const findings = await findingsOf(await look(ask), ask);
  return doctorJson({ as_of: isoUtc(ask.as_of_ms), findings, notices: [], triggers: [] });
}

/** The same numbers in Prometheus' text format; of the last 30 days unless `days` says otherwise. */
export async function loadMetrics(query: URLSearchParams): Promise<string> {
  await connection();
  const ask = settled(numbersAsk(query, readSettings().zone, { days: 30 }));
  const looked = await look(ask);
  const times = looked.windowed.map(({ scanned_at }) => Date.parse(scanned_at));
  return expositionText(
    metricFamilies({
      report: reportOf(looked.windowed, ask),
      findings: await findingsOf(looked, ask),
      sources: looked.found,
      scanned_ms: times.length === 0 ? null : Math.min(...times),
    }),
  );
}

/** A window with both ends; times in ms. */
type Ask = NumbersAsk & { as_of_ms: number; since_ms: number | null };

function settled(ask: NumbersAsk): Ask {
  const as_of_ms = ask.as_of_ms ?? Date.now();
  return {
    ...ask,
    as_of_ms,
    since_ms: ask.days === null ? null : Math.round(as_of_ms - ask.days * DAY_MS),
  };
}

type Numbers = { settings: Settings; found: FoundSource[]; windowed: Scan[]; all: Scan[] };

/** The scans of the window and of everything before its end; from memory while it is fresh. */
async function look({ source, as_of_ms, since_ms }: Ask): Promise<Numbers> {
  const { settings, found, scans } = await lookAt(source, [{ as_of_ms, since_ms }, { as_of_ms }]);
  const [windowed, all] = scans;
  return { settings, found, windowed, all };
}

/** Scans are the same objects while the same runs are inside, so the counting is done once for them. */
function reportOf(scans: readonly Scan[], { days, since_ms, as_of_ms, zone, model }: Ask): HealthReport {
  const since = since_ms === null ? null : isoUtc(since_ms);
  const window = { days, since, limit: null, zone, as_of: isoUtc(as_of_ms) };
  const counted = derive(scans, JSON.stringify(["numbers", model]), () =>
    healthReport(
      scans.map((scan) => ofModel(scan, model)),
      window,
    ),
  );
  return { ...counted, window };
}

/** The findings of doctor, in its order. Those of the runs hold until a run is added; a clock changes the others. */
async function findingsOf({ settings, found, all }: Numbers, { as_of_ms }: Ask): Promise<Finding[]> {
  const ofRuns = derive(all, "findings of runs", () =>
    populationFindings(slicesAt(populationOf(all), as_of_ms)),
  );
  const others = doctorReport({
    scans: all.map((scan) => ({ ...scan, runs: [], sessions: [] })),
    triggers: await readTriggers(settings.triggersDir),
    as_of_ms,
    // A trigger that names no zone fires in the server's, whatever zone its reader has chosen.
    zone: settings.zone,
    problems: found.flatMap(({ source, problem }) =>
      problem === null ? [] : [{ place: source.place, problem }],
    ),
  });
  return sortFindings([...ofRuns, ...others.findings]);
}
