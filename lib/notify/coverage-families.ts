import type { HealthReport } from "#lib/health/report.ts";
import { COVERAGE_KEYS, type Coverage } from "#lib/transcript/coverage.ts";
import type { Family } from "./exposition.ts";

const COVERAGE_HELP: Record<keyof Coverage, string> = {
  sessions_read: "Sessions that were read",
  sessions_capped: "Sessions left out because of a cap",
  sessions_cutoff: "Sessions outside of the window",
  sessions_unreadable: "Files and folders that could not be read",
  files_not_sessions: "Files that are no sessions",
  lines_oversize: "Lines that were too long",
  lines_torn: "Last lines without an end",
  lines_unknown: "Lines that are no known record",
  lines_not_utf8: "Lines that are not UTF-8",
  runs_unfinished: "Runs that have not finished",
  runs_provider_error: "Runs that a provider's error ended",
  runs_duplicate: "Runs found in a second file, counted once",
};

/** What was read and what was left out, by kind of source: a path does not belong into a label. */
export function coverageFamilies({ sources }: HealthReport, window: string): Family[] {
  const kinds = [...new Set(sources.map(({ source }) => source.kind))];
  return COVERAGE_KEYS.map((key) => ({
    name: `mecha_scan_${key}`,
    help: `${COVERAGE_HELP[key]}, for the window.`,
    samples: kinds.map((kind) => ({
      labels: { source: kind, window },
      value: sources.reduce((sum, one) => sum + (one.source.kind === kind ? one.coverage[key] : 0), 0),
    })),
  }));
}
