/** What a scan read and what it left out. Every key is a count; a page or a report shows all that are not zero. */
export type Coverage = {
  /** Sessions whose file was opened for its rows, those without any row included. */
  sessions_read: number;
  /** Sessions left out because the session cap was reached. */
  sessions_capped: number;
  /** Sessions outside the window (before its start, or after `as_of`). */
  sessions_cutoff: number;
  /** Files and folders that could not be opened or read to the end. */
  sessions_unreadable: number;
  /** `.jsonl` files that do not start with a session header. */
  files_not_sessions: number;
  /** Lines over the byte cap, skipped. */
  lines_oversize: number;
  /** Last lines without an end that do not parse: left for the next scan. */
  lines_torn: number;
  /** Other lines that are no record the format knows. */
  lines_unknown: number;
  /** Lines that had to be parsed and are not UTF-8. */
  lines_not_utf8: number;
  /** Derived runs that have not finished. */
  runs_unfinished: number;
  /** Derived runs that a provider error ended. */
  runs_provider_error: number;
  /** Runs seen in a second file (an earlier snapshot of the same session), counted once. */
  runs_duplicate: number;
};

export const COVERAGE_KEYS = [
  "sessions_read",
  "sessions_capped",
  "sessions_cutoff",
  "sessions_unreadable",
  "files_not_sessions",
  "lines_oversize",
  "lines_torn",
  "lines_unknown",
  "lines_not_utf8",
  "runs_unfinished",
  "runs_provider_error",
  "runs_duplicate",
] as const satisfies readonly (keyof Coverage)[];

/** A coverage of nothing. */
export function emptyCoverage(): Coverage {
  return Object.fromEntries(COVERAGE_KEYS.map((key) => [key, 0])) as Coverage;
}

/** Adds `more` to `into`, key by key. */
export function addCoverage(into: Coverage, more: Coverage): void {
  for (const key of COVERAGE_KEYS) into[key] += more[key];
}
