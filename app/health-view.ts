import type { SourceRow } from "#app/_ui/coverage.tsx";
import type { Cost, ModelRow } from "#app/_ui/health/model-row.ts";
import type { CauseCount } from "#app/_ui/stop-causes.tsx";
import { type HealthChart, healthChart } from "#app/health-chart.ts";
import { healthHref, sessionsHref } from "#app/health-href.ts";
import { type HealthAsk, perFor } from "#app/search.ts";
import { CHECKS } from "#lib/doctor/population.ts";
import { byteOrder } from "#lib/format.ts";
import type { Marker } from "#lib/health/markers.ts";
import { healthReport } from "#lib/health/report.ts";
import { costIsLowerBound, type Metric, type ModelSlice, rateOf, type Tally } from "#lib/health/tally.ts";
import { sortedCauses } from "#lib/health/text.ts";
import type { Scan } from "#lib/sources/source.ts";
import { isoUtc, type Per } from "#lib/time.ts";
import type { Coverage } from "#lib/transcript/coverage.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";

/** Models of one table; more are counted and said. */
const MODELS_MAX = 200;

/** What the numbers of one provenance come to. */
export type TotalView = { provenance: Provenance; tally: Tally; cost: Cost; causes: CauseCount[] };

/** Everything the health page shows, ready to be drawn: aggregates only, never rows. */
export type HealthView = HealthBody & HealthStamp;

/** What each look at the files says anew, though nothing in them has changed. */
export type HealthStamp = { asOf: string; tookMs: number; sources: SourceRow[] };

export type HealthBody = {
  ask: HealthAsk & { per: Per };
  runs: number;
  sessions: number;
  coverage: Coverage;
  totals: TotalView[];
  models: ModelRow[];
  modelsLeftOut: number;
  subagents: ModelRow[];
  /** Every model the stores know, for the picker. */
  knownModels: string[];
  chart: HealthChart;
  /** When the newest run of all started, to tell an empty window from an empty store. */
  newest: string | null;
};

export type HealthFacts = {
  /** Changes of model and settings among the runs of `all`. */
  changes: readonly Marker[];
  scans: readonly Scan[];
  all: readonly Scan[];
  ask: HealthAsk;
  until: number;
};

/** Draws up the page from the scan of its window (`scans`) and of everything before its end (`all`). */
export function healthView({ scans, all, changes, ask, until }: HealthFacts): HealthBody {
  const since = ask.days === null ? null : until - ask.days * 86_400_000;
  const report = healthReport(
    scans.map((scan) => ofModel(scan, ask.model)),
    {
      days: ask.days,
      since: since === null ? null : isoUtc(since),
      limit: null,
      zone: ask.zone,
      as_of: isoUtc(until),
    },
  );
  const everything = all.flatMap((scan) => ofModel(scan, ask.model).runs);
  const main = everything.filter((row) => !row.subagent);
  const starts = main.map((row) => Date.parse(row.started_at));
  const from = since ?? starts.reduce((least, at) => Math.min(least, at), until);
  const per = ask.per ?? perFor((until - from) / 86_400_000);
  const models = report.models.map((slice) => modelRow(slice, ask)).sort((a, b) => b.runs - a.runs);
  return {
    ask: { ...ask, per },
    runs: report.totals.reduce((sum, { tally }) => sum + tally.runs, 0),
    sessions: report.totals.reduce((sum, { tally }) => sum + tally.sessions, 0),
    coverage: report.coverage,
    totals: report.totals.map(({ provenance, tally }) => ({
      provenance,
      tally,
      cost: costOf(tally),
      causes: causesOf(tally),
    })),
    models: models.slice(0, MODELS_MAX),
    modelsLeftOut: Math.max(0, models.length - MODELS_MAX),
    subagents: report.subagents.map((slice) => modelRow(slice, ask)).sort((a, b) => b.runs - a.runs),
    knownModels: [...new Set(all.flatMap((scan) => scan.runs).map(({ model }) => model))]
      // The empty name cannot stand in an address: there it means every model.
      .filter((model) => model !== "")
      .sort(byteOrder)
      .slice(0, MODELS_MAX),
    chart: healthChart(main, changes, {
      metric: ask.metric,
      per,
      zone: ask.zone,
      from_ms: from,
      to_ms: until + 1,
      threshold: thresholdOf(ask.metric),
    }),
    newest: starts.length === 0 ? null : isoUtc(starts.reduce((most, at) => Math.max(most, at), 0)),
  };
}

/** When the files were looked at, and what each source gave. */
export function healthFacts({ scans, ask, until }: Omit<HealthFacts, "changes">): HealthStamp {
  return {
    asOf: ask.asOfMs === null ? (scans[0]?.scanned_at ?? isoUtc(until)) : isoUtc(until),
    tookMs: scans.reduce((most, scan) => Math.max(most, scan.took_ms), 0),
    sources: scans.map(({ source, provenance, runs, coverage, took_ms, scanned_at, sessions }) => ({
      source,
      provenance,
      runs: runs.reduce((main, { subagent }) => main + (subagent ? 0 : 1), 0),
      coverage,
      took_ms,
      scannedAt: scanned_at,
      bytes: sessions.reduce((sum, head) => sum + head.bytes, 0),
    })),
  };
}

function thresholdOf(metric: Metric): number | null {
  return CHECKS.find((check) => check.metric === metric)?.threshold ?? null;
}

export function ofModel(scan: Scan, model: string | null): Scan {
  return model === null ? scan : { ...scan, runs: scan.runs.filter((row) => row.model === model) };
}

function modelRow({ provenance, model, tally }: ModelSlice, ask: HealthAsk): ModelRow {
  return {
    provenance,
    model,
    runs: tally.runs,
    sessions: tally.sessions,
    ended_on_failed_call: rateOf(tally, "ended_on_failed_call"),
    tool_error_rate: rateOf(tally, "tool_error_rate"),
    cut_short: rateOf(tally, "cut_short"),
    causes: causesOf(tally),
    cost: costOf(tally),
    chartHref: healthHref(ask, { model }),
    sessionsHref: sessionsHref(ask, { model }),
  };
}

function causesOf(tally: Tally): CauseCount[] {
  return sortedCauses(tally).map(([cause, runs]) => ({ cause, runs }));
}

function costOf(tally: Tally): Cost {
  return {
    usd: tally.runs_priced === 0 ? null : tally.cost_usd,
    lowerBound: costIsLowerBound(tally),
    priced: tally.runs_priced,
    runs: tally.runs,
  };
}
