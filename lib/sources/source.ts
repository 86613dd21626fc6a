import type { Coverage } from "#lib/transcript/coverage.ts";
import type { Provenance, RunRow, SessionHead, SourceKind } from "#lib/transcript/run-row.ts";

/** A kind of transcript and the folder it stands in. */
export type Source = { kind: SourceKind; place: string };

/** Bounds of one scan. */
export type Limits = {
  /** At most this many sessions, newest first; null = all. */
  sessions_max: number | null;
  /** Rows that started before this instant are outside (ms since the epoch); null = no bound. */
  since_ms: number | null;
  /** Rows that started after this instant are outside; null = no bound. */
  as_of_ms: number | null;
  /** A longer line is skipped and counted. */
  line_bytes_max: number;
};

export const DEFAULT_LIMITS: Limits = {
  sessions_max: null,
  since_ms: null,
  as_of_ms: null,
  line_bytes_max: 64 * 1024 * 1024,
};

/** What one scan of one source gives. `sessions` are the ones read, newest first; `runs` follow that order. */
export type Scan = {
  source: Source;
  provenance: Provenance;
  sessions: SessionHead[];
  runs: RunRow[];
  coverage: Coverage;
  /** When the files were looked at, RFC 3339. */
  scanned_at: string;
  took_ms: number;
};
