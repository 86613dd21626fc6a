import { ratio } from "#lib/rate.ts";
import { sortKeys } from "#lib/sort-keys.ts";
import type { HealthReport } from "./report.ts";
import { addTally, emptyTally, METRICS, type ModelSlice, rateOf, type Tally } from "./tally.ts";

/**
 * The object behind `sessions health --json`, keys in alphabetical order at every level. Rates are fractions, null
 * over nothing. Over two provenances the counts at the top are sums and the rates there null: a blend describes
 * neither, and `by_provenance` has both.
 */
export function healthJson(report: HealthReport): unknown {
  const [only, second] = report.totals;
  const mixed = only !== undefined && second !== undefined;
  const sum = report.totals.reduce((into, { tally }) => addTally(into, tally), emptyTally());
  return sortKeys({
    ...(mixed ? { ...sum, ...noRates() } : measures(only?.tally ?? zeroTally())),
    schema_version: 1,
    sessions_read: report.coverage.sessions_read,
    window: report.window,
    coverage: report.coverage,
    // How long a scan took differs from run to run; all else in this object is a function of what was read.
    sources: report.sources.map(({ took_ms: _, ...source }) => source),
    provenance: provenanceOf(report),
    by_provenance: report.totals.map(({ provenance, tally }) => ({ provenance, ...measures(tally) })),
    by_model: report.models.map(sliceOf),
    subagents: report.subagents.map(sliceOf),
  });
}

/** Of the rows or, where there are none, of the sources that were read. */
function provenanceOf(report: HealthReport): string | null {
  const all = report.totals.length > 0 ? report.totals : report.sources;
  const kinds = new Set<string>(all.map(({ provenance }) => provenance));
  return kinds.size > 1 ? "mixed" : ([...kinds][0] ?? null);
}

function sliceOf({ provenance, model, tally }: ModelSlice) {
  return { provenance, model, ...measures(tally) };
}

/** Nothing was read, so nothing is unknown: every count is 0 and only the rates are null. */
function zeroTally(): Tally {
  return { ...emptyTally(), tool_cancelled: 0, tool_staged: 0, malformed_tool_args: 0, blocked_sends: 0 };
}

/** Counts and rates; `sessions` are those that hold a run, `sessions_read` beside them is the scan's. */
function measures(tally: Tally) {
  return { ...tally, ...rates(tally) };
}

function rates(tally: Tally) {
  return Object.fromEntries(METRICS.map((metric) => [rateKey(metric), ratio(rateOf(tally, metric))]));
}

function noRates() {
  return Object.fromEntries(METRICS.map((metric) => [rateKey(metric), null]));
}

/** `tool_error_rate` is a rate by name already; the others are named like their count. */
function rateKey(metric: string): string {
  return metric.endsWith("_rate") ? metric : `${metric}_rate`;
}
