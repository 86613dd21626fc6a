import { constants } from "node:fs";
import { open } from "node:fs/promises";
import path from "node:path";
import { messageOf } from "#lib/errors.ts";
import { isObject } from "#lib/json-text.ts";
import type { Settings } from "#lib/settings.ts";
import type { FoundSource } from "#lib/sources/discover.io.ts";
import { distinctScans } from "#lib/sources/distinct.ts";
import { DEFAULT_LIMITS, type Limits, type Scan, type Source } from "#lib/sources/source.ts";
import { readTriggers } from "#lib/trigger/store.io.ts";
import type { StoreProblem } from "#lib/trigger/store.ts";
import type { DoctorReport } from "./finding.ts";
import type { Retention } from "./notices.ts";
import { SESSIONS_MAX } from "./population.ts";
import { doctorReport } from "./report.ts";

type Scanner = (source: Source, limits: Limits) => Promise<Scan>;

/** Looks at every store once and reports. A store that cannot be read is a finding; the rest is looked at all the same. */
export async function runDoctor(
  settings: Settings,
  sources: readonly FoundSource[],
  { as_of_ms, scan }: { as_of_ms: number; scan: Scanner },
): Promise<DoctorReport> {
  const problems: StoreProblem[] = [];
  const scans: Scan[] = [];
  for (const { source, found, problem } of sources) {
    if (problem !== null) problems.push({ place: source.place, problem });
    if (problem !== null || !found) continue;
    try {
      scans.push(await scanNewest(source, as_of_ms, scan));
    } catch (error) {
      problems.push({ place: source.place, problem: messageOf(error) });
    }
  }
  return doctorReport({
    scans: distinctScans(scans),
    triggers: await readTriggers(settings.triggersDir),
    as_of_ms,
    zone: settings.zone,
    problems,
    retentions: await readRetentions(scans.map(({ source }) => source)),
  });
}

const GROWTH_MAX = 5;

/**
 * Scans until the newest 200 sessions of main runs are among what was read. Sub-agents have files of their own, which
 * may fill a scan's bound, so the bound is widened a few times before it is left at that.
 */
async function scanNewest(source: Source, as_of_ms: number, scan: Scanner): Promise<Scan> {
  let sessions_max = SESSIONS_MAX;
  for (let i = 0; ; i += 1) {
    const found = await scan(source, { ...DEFAULT_LIMITS, sessions_max, as_of_ms });
    const main = found.sessions.reduce((n, { subagent }) => n + (subagent ? 0 : 1), 0);
    if (main >= SESSIONS_MAX || found.coverage.sessions_capped === 0 || i >= GROWTH_MAX) return found;
    sessions_max *= 2;
  }
}

/** What Claude Code's own settings say about deleting, for each of its stores. */
export async function readRetentions(sources: readonly Source[]): Promise<Retention[]> {
  const stores = sources.filter(({ kind }) => kind === "claude-code");
  return Promise.all(
    stores.map(async ({ place }) => ({
      place,
      cleanup_days: await readCleanupDays(path.join(path.dirname(place), "settings.json")),
    })),
  );
}

const SETTINGS_BYTES_MAX = 1024 * 1024;

async function readCleanupDays(file: string): Promise<number | null> {
  try {
    const handle = await open(file, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { buffer, bytesRead } = await handle.read(
        Buffer.alloc(SETTINGS_BYTES_MAX),
        0,
        SETTINGS_BYTES_MAX,
        0,
      );
      const value: unknown = JSON.parse(buffer.toString("utf8", 0, bytesRead));
      const days = isObject(value) ? value.cleanupPeriodDays : null;
      return typeof days === "number" && days >= 0 ? days : null;
    } finally {
      await handle.close();
    }
  } catch {
    // Another program's settings: whatever is wrong with them, its default is what we know.
    return null;
  }
}
