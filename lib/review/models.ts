import { byteOrder } from "#lib/format.ts";
import { type ControlPoint, controlLimits } from "#lib/health/control.ts";
import type { Marker } from "#lib/health/markers.ts";
import { type SeriesPoint, seriesByModel } from "#lib/health/series.ts";
import {
  costIsLowerBound,
  emptyTally,
  METRICS,
  type Metric,
  PROVENANCES,
  rateOf,
  type Tally,
  tallyByModel,
} from "#lib/health/tally.ts";
import { type Rate, RUNS_FLOOR, wilson } from "#lib/rate.ts";
import { stampMs } from "#lib/time.ts";
import type { Provenance, RunRow } from "#lib/transcript/run-row.ts";
import type { Week } from "./week.ts";

/** One week of one rate: the point, and the limits that the weeks before it give. */
export type WeekPoint = SeriesPoint & Pick<ControlPoint, "centre" | "limits" | "out">;

/** One rate of one model: this week, and the eight before it together. Nothing is divided here but the intervals. */
export type RateReview = {
  rate: Rate;
  /** Wilson 95 % interval of this week's rate, as fractions; null over nothing. */
  interval: [number, number] | null;
  before: Rate;
  /** Limits that the weeks before make likely, as fractions; null where this week is not judged. */
  limits: [number, number] | null;
  /** This week against those limits; all rates here are costs, so `above` is worse. */
  out: "above" | "below" | null;
  /** The newest judged week before this one was outside, and this one is not. */
  back_inside: boolean;
  /** Nine weeks, oldest first. */
  weeks: WeekPoint[];
};

/** What runs cost; `usd` is null where no run has a price. */
export type CostReview = { usd: number | null; lower_bound: boolean; runs_priced: number; runs: number };

export type ModelReview = {
  provenance: Provenance;
  model: string;
  runs: number;
  sessions: number;
  runs_before: number;
  /** Of the eight weeks before, how many have a run of this model. */
  weeks_before: number;
  /** Under 20 runs this week: too few to state a rate. */
  faded: boolean;
  rates: Record<Metric, RateReview>;
  cost: CostReview;
  cost_before: CostReview;
};

/**
 * Every (provenance, model) with a run in the nine weeks: `recorded` first, then by this week's runs, then by the runs
 * before, then by name. Sub-agents are left out.
 */
export function modelReviews(rows: readonly RunRow[], week: Week): ModelReview[] {
  const first = week.buckets[0]?.from_ms ?? week.from_ms;
  const [now, before]: [RunRow[], RunRow[]] = [[], []];
  for (const row of rows) {
    const at = stampMs(row.started_at);
    if (row.subagent || !(at >= first && at <= week.until_ms)) continue;
    (at >= week.from_ms ? now : before).push(row);
  }
  const tallies = { now: byModel(now), before: byModel(before) };
  const weeks = weeksByModel([...before, ...now], week, first);
  return [...weeks]
    .map(([key, one]) => reviewOf(one, tallies.now.get(key), tallies.before.get(key)))
    .sort(inOrder);
}

/** The changes of a model's settings, and of the model itself. */
export function markersOf({ provenance, model }: ModelReview, markers: readonly Marker[]): Marker[] {
  return markers.filter((one) => one.provenance === provenance && (one.model ?? model) === model);
}

type ModelWeeks = { provenance: Provenance; model: string; points: Record<Metric, SeriesPoint[]> };

function weeksByModel(rows: readonly RunRow[], week: Week, from_ms: number): Map<string, ModelWeeks> {
  const models = new Map<string, ModelWeeks>();
  for (const metric of METRICS) {
    // The last bucket ends where the looking does, so that a week in progress says it is one.
    const ask = { metric, per: "week" as const, zone: week.zone, from_ms, to_ms: week.until_ms + 1 };
    for (const { provenance, model, points } of seriesByModel(rows, ask)) {
      const key = keyOf(provenance, model);
      const known = models.get(key) ?? { provenance, model, points: noPoints() };
      known.points[metric] = points;
      models.set(key, known);
    }
  }
  return models;
}

function noPoints(): ModelWeeks["points"] {
  return { ended_on_failed_call: [], tool_error_rate: [], cut_short: [] };
}

function byModel(rows: readonly RunRow[]): Map<string, Tally> {
  return new Map(tallyByModel(rows).map(({ provenance, model, tally }) => [keyOf(provenance, model), tally]));
}

function keyOf(provenance: Provenance, model: string): string {
  return `${provenance} ${model}`;
}

function reviewOf(
  { provenance, model, points }: ModelWeeks,
  now = emptyTally(),
  before = emptyTally(),
): ModelReview {
  const rate = (metric: Metric) => rateReview(points[metric], rateOf(now, metric), rateOf(before, metric));
  return {
    provenance,
    model,
    runs: now.runs,
    sessions: now.sessions,
    runs_before: before.runs,
    weeks_before: points.cut_short.slice(0, -1).filter(({ runs }) => runs > 0).length,
    faded: now.runs < RUNS_FLOOR,
    rates: {
      ended_on_failed_call: rate("ended_on_failed_call"),
      tool_error_rate: rate("tool_error_rate"),
      cut_short: rate("cut_short"),
    },
    cost: costOf(now),
    cost_before: costOf(before),
  };
}

function rateReview(points: readonly SeriesPoint[], rate: Rate, before: Rate): RateReview {
  const control = controlLimits(points).points;
  const weeks = points.map((point, at): WeekPoint => {
    const { centre, limits, out } = control[at] ?? { centre: null, limits: null, out: null };
    return { ...point, centre, limits, out };
  });
  const last = weeks.at(-1);
  const judgedBefore = weeks.slice(0, -1).findLast(({ limits }) => limits !== null);
  return {
    rate,
    interval: wilson(rate),
    before,
    limits: last?.limits ?? null,
    out: last?.out ?? null,
    back_inside: last?.limits != null && last.out === null && judgedBefore?.out != null,
    weeks,
  };
}

function costOf(tally: Tally): CostReview {
  return {
    usd: tally.runs_priced === 0 ? null : tally.cost_usd,
    lower_bound: costIsLowerBound(tally),
    runs_priced: tally.runs_priced,
    runs: tally.runs,
  };
}

function inOrder(a: ModelReview, b: ModelReview): number {
  return (
    PROVENANCES.indexOf(a.provenance) - PROVENANCES.indexOf(b.provenance) ||
    b.runs - a.runs ||
    b.runs_before - a.runs_before ||
    byteOrder(a.model, b.model)
  );
}
