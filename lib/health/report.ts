import type { Source } from "#lib/sources/source.ts";
import type { Coverage } from "#lib/transcript/coverage.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";
import type { ModelSlice, Tally } from "./tally.ts";

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
