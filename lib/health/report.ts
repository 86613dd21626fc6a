import type { Scan, Source } from "#lib/sources/source.ts";
import { addCoverage, type Coverage, emptyCoverage } from "#lib/transcript/coverage.ts";
import type { Provenance, RunRow } from "#lib/transcript/run-row.ts";
import { countSessions } from "./sessions.ts";
import { addTally, emptyTally, type ModelSlice, PROVENANCES, type Tally, tallyByModel } from "./tally.ts";

/** The window a report looks at, as its reader chose it. */
export type Window = {
  days: number | null;
  /** RFC 3339; null without `days`. */
  since: string | null;
  limit: number | null;
  /** IANA zone in which days, weeks and months are cut. */
  zone: string;
  /** RFC 3339. */
  as_of: string;
};

/** What was read from one source. */
export type SourceSummary = {
  source: Source;
  provenance: Provenance;
  runs: number;
  coverage: Coverage;
  took_ms: number;
};

/** The one value that the text, the JSON and the page of `sessions health` are drawn from. */
export type HealthReport = {
  window: Window;
  sources: SourceSummary[];
  coverage: Coverage;
  /** Main runs (sub-agents apart), per provenance; only provenances that have rows, `recorded` first. */
  totals: { provenance: Provenance; tally: Tally }[];
  /** Main runs by (provenance, model): `recorded` first, then model in byte order. */
  models: ModelSlice[];
  /** Sub-agent runs, kept out of everything above. */
  subagents: ModelSlice[];
};

/** Counts what the scans read. It counts and never judges; the scans are already bounded by the window. */
export function healthReport(scans: readonly Scan[], window: Window): HealthReport {
  const coverage = emptyCoverage();
  for (const scan of scans) addCoverage(coverage, scan.coverage);
  const main: Record<Provenance, RunRow[]> = { recorded: [], derived: [] };
  const subagents: RunRow[] = [];
  for (const scan of scans) {
    for (const row of scan.runs) (row.subagent ? subagents : main[row.provenance]).push(row);
  }
  const models = PROVENANCES.flatMap((provenance) => tallyByModel(main[provenance]));
  return {
    window,
    sources: scans.map(summaryOf),
    coverage,
    totals: PROVENANCES.filter((provenance) => main[provenance].length > 0).map((provenance) => ({
      provenance,
      tally: totalOf(provenance, models, main[provenance]),
    })),
    models,
    subagents: tallyByModel(subagents),
  };
}

/** The sum of the slices; only sessions have to be counted again, for one may have runs of two models. */
function totalOf(provenance: Provenance, models: readonly ModelSlice[], rows: readonly RunRow[]): Tally {
  const total = emptyTally();
  for (const slice of models) if (slice.provenance === provenance) addTally(total, slice.tally);
  return { ...total, sessions: countSessions(rows) };
}

function summaryOf(scan: Scan): SourceSummary {
  return {
    source: scan.source,
    provenance: scan.provenance,
    runs: scan.runs.reduce((runs, row) => runs + (row.subagent ? 0 : 1), 0),
    coverage: scan.coverage,
    took_ms: scan.took_ms,
  };
}
