import { distinctScans } from "#lib/sources/distinct.ts";
import { type ScanOptions, scanRuns } from "#lib/sources/scan.io.ts";
import type { Limits, Scan, Source } from "#lib/sources/source.ts";
import type { CliIo } from "./io.ts";
import { startProgress } from "./progress.ts";

/** Options for reading a source: how it says how far it is, and how it stops with the command. */
type OptionsFor = (source: Source) => ScanOptions;

/** Hands `work` what lets a long scan show itself on a terminal, and clears that line when it ends. */
export async function withProgress<T>(io: CliIo, work: (optionsFor: OptionsFor) => Promise<T>): Promise<T> {
  const progress = startProgress(io, () => performance.now());
  try {
    return await work(({ kind }) => ({
      signal: io.signal,
      onProgress: (done, total) => progress.show(`reading ${kind}: ${done} of ${total} files`),
    }));
  } finally {
    progress.end();
  }
}

/** Scans each source in turn; a run that stands in two of them is in the first. */
export async function scanAll(io: CliIo, sources: readonly Source[], limits: Limits): Promise<Scan[]> {
  return withProgress(io, async (optionsFor) => {
    const scans: Scan[] = [];
    for (const source of sources) scans.push(await scanRuns(source, limits, optionsFor(source)));
    return distinctScans(scans);
  });
}
