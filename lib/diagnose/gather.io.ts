import { builtInScripts } from "#lib/agent/providers/built-in-scripts.ts";
import type { Config } from "#lib/config/config.ts";
import { runDoctor } from "#lib/doctor/doctor.io.ts";
import { UserError } from "#lib/errors.ts";
import { healthReport } from "#lib/health/report.ts";
import type { Settings } from "#lib/settings.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import { distinctScans } from "#lib/sources/distinct.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import { DEFAULT_LIMITS, type Limits, type Scan, type Source } from "#lib/sources/source.ts";
import { DAY_MS, isoUtc } from "#lib/time.ts";
import { briefText } from "./brief.ts";
import { type Evidence, evidenceOf } from "./evidence.ts";
import { chooseSubject } from "./subject.ts";

/** Sessions of each source that are looked at where nobody says how many, newest first. */
export const SESSIONS_DEFAULT = 200;

export type Scanner = (source: Source, limits: Limits) => Promise<Scan>;

export type GatherRequest = {
  settings: Settings;
  /** Every place that was looked at; those with a problem are left out. */
  looked: readonly FoundSource[];
  config: Config;
  /** The model whose runs are looked at; null: the one with the most. */
  subject: string | null;
  days: number | null;
  limit: number;
  as_of_ms: number;
  /** A scan of another kind, such as one that shows how far it is. */
  scan?: Scanner;
};

/** What a diagnosis starts from. Nothing has been asked of a model. */
export type Gathered = {
  subject: string;
  evidence: Evidence;
  brief: string;
  window: { days: number | null; limit: number; as_of: string };
};

/**
 * Reads the stores and counts. Throws a UserError when there is no finished run, and for a model that has none; sub-agent
 * runs are no part of it.
 */
export async function gatherBrief(request: GatherRequest): Promise<Gathered> {
  const { settings, looked, config, days, limit, as_of_ms } = request;
  const scan = scannedOnce(request.scan ?? scanRuns);
  const scans: Scan[] = [];
  for (const { source, found, problem } of looked)
    if (found && problem === null) scans.push(await scan(source, limitsOf(request)));
  const window = { days, limit, as_of: isoUtc(as_of_ms) };
  const report = healthReport(distinctScans(scans), { ...window, since: null, zone: settings.zone });
  const chosen = chooseSubject(report.models, request.subject);
  if (!chosen.ok) throw new UserError("not_found", chosen.problem);
  const { findings } = await runDoctor(settings, looked, { as_of_ms, scan });
  const evidence = evidenceOf({
    slice: chosen.value,
    sessionsRead: report.coverage.sessions_read,
    window: { days, limit },
    findings,
    config,
    vouched: modelNames(config),
  });
  return { subject: chosen.value.model, evidence, brief: briefText(evidence), window };
}

function limitsOf({ days, limit, as_of_ms }: GatherRequest): Limits {
  const since_ms = days === null ? null : Math.round(as_of_ms - days * DAY_MS);
  return { ...DEFAULT_LIMITS, sessions_max: limit, since_ms, as_of_ms };
}

/** The doctor asks for the same scan where the window is the default one. */
function scannedOnce(scan: Scanner): Scanner {
  const done = new Map<string, Promise<Scan>>();
  return (source, limits) => {
    const key = JSON.stringify([source, limits]);
    const known = done.get(key) ?? scan(source, limits);
    done.set(key, known);
    return known;
  };
}

/** Names that the person has written down, and those of scripts of ours. */
function modelNames(config: Config): ReadonlySet<string> {
  const configured = Object.values(config.providers).map(({ model }) => model);
  return new Set([...configured.filter((model) => model !== null), ...builtInScripts.keys()]);
}
