import type { RunRow } from "#lib/transcript/run-row.ts";
import { adapterOf } from "./adapters.ts";
import type { Scan } from "./source.ts";

/**
 * The scans, each run in one of them: two stores of one kind hold the same sessions where one was copied or moved from
 * the other, and an earlier store's word counts. What is taken out is counted in `runs_duplicate` of its scan. A scan
 * that loses nothing is the same object.
 */
export function distinctScans(scans: readonly Scan[]): Scan[] {
  return scans.map((scan, at) => {
    const before = scans.slice(0, at).filter(({ source }) => source.kind === scan.source.kind);
    if (before.length === 0) return scan;
    const known = new Set(before.flatMap(({ runs }) => runs.map(keyOf)));
    const runs = scan.runs.filter((run) => !known.has(keyOf(run)));
    const dropped = scan.runs.length - runs.length;
    if (dropped === 0) return scan;
    const { coverage } = scan;
    return { ...scan, runs, coverage: { ...coverage, runs_duplicate: coverage.runs_duplicate + dropped } };
  });
}

/** A run without a time of its own is the same only when everything about it is. */
function keyOf(run: RunRow): string {
  return adapterOf(run.source).stampsRuns ? `${run.session_id} ${run.started_at}` : JSON.stringify(run);
}
