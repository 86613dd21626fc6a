import { type ChartMarker, LINES_MAX, type PackedChart, packPoint } from "#app/_ui/chart/series.ts";
import { dateOnly } from "#app/_ui/dates.ts";
import { METRIC_NAME } from "#app/_ui/health/metric-names.ts";
import { visible } from "#lib/format.ts";
import { controlLimits, type LeftLimits } from "#lib/health/control.ts";
import type { ConfigValue, Marker } from "#lib/health/markers.ts";
import { type Series, type SeriesAsk, type SeriesPoint, seriesByModel } from "#lib/health/series.ts";
import { bucketRange } from "#lib/time.ts";
import type { Provenance, RunRow } from "#lib/transcript/run-row.ts";
import { clipped } from "#lib/utf8.ts";

/** Buckets of one chart, and points of all its series: what a screen can show, and what keeps the page small. */
const BUCKETS_MAX = 400;
const POINTS_MAX = 3000;
const SERIES_MAX = 24;
const MARKERS_MAX = 60;

/** That a model left its limits, for a sentence under the chart. */
export type Departure = LeftLimits & { provenance: Provenance; model: string };

export type HealthChart = {
  data: PackedChart;
  departures: Departure[];
  bucketsLeftOut: number;
  seriesLeftOut: number;
  markersLeftOut: number;
};

type ChartAsk = SeriesAsk & { threshold: number | null };

/**
 * The chart of a metric over a window. `rows` may reach back before the window: limits come from a model's whole
 * history, so that a window of five weeks still says what is normal. `changes` are those of the same rows.
 */
export function healthChart(rows: readonly RunRow[], changes: readonly Marker[], ask: ChartAsk): HealthChart {
  const shown = byRuns(seriesByModel(rows, { ...ask, buckets_max: BUCKETS_MAX }));
  const history = seriesByModel(rows, { ...ask, from_ms: earliest(rows, ask.from_ms) });
  const kept = shown.slice(0, seriesMax(shown));
  const controls = new Map(history.map((one) => [keyOf(one), controlLimits(one.points)]));
  const markers = changes.filter(({ at }) => Date.parse(at) >= ask.from_ms && Date.parse(at) < ask.to_ms);
  const marked = mergeMarkers(markers, ask.zone);
  return {
    data: {
      metric: METRIC_NAME[ask.metric],
      threshold: ask.threshold,
      buckets: (kept[0]?.points ?? []).map(({ bucket }) => bucketOf(bucket, ask.zone)),
      series: kept.map((one) => packed(one, controls.get(keyOf(one))?.points ?? [], kept.length === 1)),
      markers: marked.slice(-MARKERS_MAX),
    },
    departures: kept.flatMap(({ provenance, model }) => {
      const left = controls.get(`${provenance} ${model}`)?.left_limits_at;
      return left ? [{ ...left, provenance, model }] : [];
    }),
    bucketsLeftOut: shown[0]?.buckets_left_out ?? 0,
    seriesLeftOut: shown.length - kept.length,
    markersLeftOut: Math.max(0, marked.length - MARKERS_MAX),
  };
}

function keyOf({ provenance, model }: { provenance: Provenance; model: string }): string {
  return `${provenance} ${model}`;
}

/** The models with the most runs come first: they get the lines. */
function byRuns(series: Series[]): Series[] {
  const runs = new Map(series.map((one) => [one, one.points.reduce((sum, point) => sum + point.runs, 0)]));
  return [...series].sort((a, b) => (runs.get(b) ?? 0) - (runs.get(a) ?? 0));
}

function earliest(rows: readonly RunRow[], unless: number): number {
  return rows.reduce((least, row) => Math.min(least, Date.parse(row.started_at)), unless);
}

function seriesMax(series: readonly Series[]): number {
  const buckets = series[0]?.points.length ?? 0;
  return Math.min(SERIES_MAX, Math.max(LINES_MAX, Math.floor(POINTS_MAX / Math.max(1, buckets))));
}

type Control = ReturnType<typeof controlLimits>["points"];

function packed(
  { provenance, model, points }: Series,
  control: Control,
  alone: boolean,
): PackedChart["series"][number] {
  const judged = new Map(control.map((point) => [point.bucket, isCut(point.bucket, points) ? null : point]));
  return {
    provenance,
    model,
    points: points.map(({ bucket, rate, runs }) =>
      packPoint(rate.of === 0 ? null : { ...rate, runs, outside: judged.get(bucket)?.out ?? null }),
    ),
    limits: alone ? points.map(({ bucket }) => limitsOf(judged.get(bucket) ?? null)) : [],
  };
}

function limitsOf(control: Control[number] | null): [number, number, number] | null {
  if (control?.limits == null || control.centre === null) return null;
  return [control.limits[0], control.centre, control.limits[1]];
}

/** The window starts inside this bucket, so the part that is shown cannot be held against the whole bucket's limits. */
function isCut(bucket: string, [first]: readonly SeriesPoint[]): boolean {
  return first?.partial === true && first.bucket === bucket;
}

function bucketOf(key: string, zone: string) {
  const range = bucketRange(key, zone) ?? { from_ms: 0, to_ms: 0 };
  return {
    key,
    label: key.slice(key.length > 7 && !key.includes("W") ? 5 : key.includes("W") ? 5 : 0),
    start: range.from_ms,
    end: range.to_ms,
  };
}

/** Changes of one model at one moment are one flag, and so is the same change of several models on one day. */
function mergeMarkers(markers: readonly Marker[], zone: string): ChartMarker[] {
  const moments = new Map<string, ChartMarker>();
  for (const marker of markers) {
    const key = `${marker.at} ${marker.provenance} ${marker.model ?? ""}`;
    const known = moments.get(key);
    if (known) known.text += `, ${textOf(marker)}`;
    else moments.set(key, flagOf(marker, zone));
  }
  const days = new Map<string, ChartMarker>();
  for (const marker of moments.values()) {
    const key = `${marker.date} ${marker.provenance} ${marker.text}`;
    const known = days.get(key);
    if (known) known.models.push(...marker.models);
    else days.set(key, marker);
  }
  return [...days.values()];
}

function flagOf(marker: Marker, zone: string): ChartMarker {
  return {
    at: Date.parse(marker.at),
    date: dateOnly(marker.at, zone),
    provenance: marker.provenance,
    models: marker.model === null ? [] : [marker.model],
    text: textOf(marker),
  };
}

const KEY_NAME: Partial<Record<Marker["key"], string>> = {
  harness_version: "harness",
  system_prompt_sha: "system prompt",
  tools_sha: "tools",
};

function textOf({ key, from, to, kind }: Marker): string {
  const name = KEY_NAME[key] ?? key;
  if (kind === "appeared") return `${name} ${valueText(to)} first used beside ${valueText(from)}`;
  return `${name} ${valueText(from)} → ${valueText(to)}`;
}

function valueText(value: ConfigValue): string {
  return value === null || value === "" ? "unset" : visible(clipped(String(value), 80));
}
