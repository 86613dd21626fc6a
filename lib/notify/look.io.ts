import { runDoctor } from "#lib/doctor/doctor.io.ts";
import type { Finding } from "#lib/doctor/finding.ts";
import { findingHistory } from "#lib/doctor/since.ts";
import type { Settings } from "#lib/settings.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import { distinctScans } from "#lib/sources/distinct.ts";
import { DEFAULT_LIMITS, type Limits, type Scan, type Source } from "#lib/sources/source.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";
import { type Sight, unreadablePlaces } from "./sight.ts";

export type LookOptions = {
  as_of_ms: number;
  scan: (source: Source, limits: Limits) => Promise<Scan>;
};

/** What stands, and what could be seen of it. `triggers`: how many are set up. */
export type Look = { findings: Finding[]; sight: Sight; triggers: number };

/** The findings of `mecha doctor`. */
export async function lookNow(
  settings: Settings,
  sources: readonly FoundSource[],
  { as_of_ms, scan }: LookOptions,
): Promise<Look> {
  const provenances = new Set<Provenance>();
  const report = await runDoctor(settings, sources, {
    as_of_ms,
    scan: async (source, limits) => {
      const found = await scan(source, limits);
      if (found.runs.some(({ subagent }) => !subagent)) provenances.add(found.provenance);
      return found;
    },
  });
  const unreadable = unreadablePlaces(report.findings);
  return {
    findings: report.findings,
    sight: { provenances, unreadable, triggersDir: settings.triggersDir },
    triggers: report.triggers.length,
  };
}

/**
 * Since when each finding stands, by its id, as the findings page has it. That takes every session and not only the
 * newest ones, so it is asked for only when there is something new to tell.
 */
export async function standingSince(
  findings: readonly Finding[],
  settings: Settings,
  sources: readonly FoundSource[],
  { as_of_ms, scan }: LookOptions,
): Promise<Map<string, string | null>> {
  const scans: Scan[] = [];
  for (const { source, found, problem } of sources) {
    if (!found || problem !== null) continue;
    // A store that broke in the meantime is told of next time; its findings have no age.
    const read = await scan(source, { ...DEFAULT_LIMITS, as_of_ms }).catch(() => null);
    if (read !== null) scans.push(read);
  }
  const { standing } = findingHistory(
    {
      scans: distinctScans(scans),
      triggers: await readTriggers(settings.triggersDir),
      as_of_ms,
      zone: settings.zone,
    },
    findings,
  );
  return new Map(standing.map(({ finding, since }) => [finding.id, since]));
}
