import "server-only";
import { readSettings } from "#lib/settings.io.ts";
import type { Settings } from "#lib/settings.ts";
import { discoverSources, type FoundSource } from "#lib/sources/discover.io.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import { DEFAULT_LIMITS, type Limits, type Scan } from "#lib/sources/source.ts";
import type { SourceKind } from "#lib/transcript/run-row.ts";

/** What the stores hold, as one page needs it. */
export type Looked = { settings: Settings; found: FoundSource[]; scans: Scan[] };

/** Looks at the configured sources, or at those of one kind; answers from memory while nothing changed. */
export async function lookAt(kind: SourceKind | null, bounds: Partial<Limits>): Promise<Looked> {
  const settings = readSettings();
  const found = await discoverSources(settings, kind === null ? null : [kind]);
  const readable = found.filter((one) => one.found && one.problem === null);
  const scans = await Promise.all(
    readable.map(({ source }) => cached(source, { ...DEFAULT_LIMITS, ...bounds })),
  );
  return { settings, found, scans };
}
const m = new Map<string, { at: number; scan: Scan }>();
async function cached(source: FoundSource["source"], limits: Limits) {
  const k = JSON.stringify([
    source,
    { ...limits, since_ms: limits.since_ms && Math.round(limits.since_ms / 2000) },
  ]);
  const known = m.get(k);
  if (known && Date.now() - known.at < 20000) return known.scan;
  const scan = await scanRuns(source, limits);
  m.set(k, { at: Date.now(), scan });
  return scan;
}
