import { visible } from "#lib/format.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";
import { endOf, startOf } from "#lib/utf8.ts";

/** One day, week or month of a chart, in ms since the epoch, with the names its axis and its table use. */
export type ChartBucket = { key: string; label: string; start: number; end: number };

/** What one model did in one bucket; `outside` says that the rate left its control limits. */
export type ChartPoint = { hits: number; of: number; runs: number; outside: "above" | "below" | null };

/** A point as it travels: hits, of, runs, and 1 or -1 where the rate is above or below its limits. */
export type PackedPoint = [hits: number, of: number, runs: number, outside?: 1 | -1] | 0;

/** Packs a point; 0 = nothing was counted. */
export function packPoint(point: ChartPoint | null): PackedPoint {
  if (point === null) return 0;
  const { hits, of, runs, outside } = point;
  return outside === null ? [hits, of, runs] : [hits, of, runs, outside === "above" ? 1 : -1];
}

/** The point again. */
export function unpackPoint(packed: PackedPoint): ChartPoint | null {
  if (packed === 0) return null;
  const [hits, of, runs, outside] = packed;
  return { hits, of, runs, outside: outside === undefined ? null : outside === 1 ? "above" : "below" };
}

/** One line. `points` and `limits` stand in the order of the buckets; null = nothing was counted. */
export type ChartSeries = {
  provenance: Provenance;
  model: string;
  points: (ChartPoint | null)[];
  /** [low, centre, high] as fractions; empty where there are several lines, which show no limits. */
  limits: ([number, number, number] | null)[];
};

/** A change of settings: when, of which models (none: of the model itself), and in words. */
export type ChartMarker = {
  at: number;
  date: string;
  provenance: Provenance;
  models: string[];
  text: string;
};

/** A chart as it travels to the browser: the same, with packed points. */
export type PackedChart = Omit<ChartData, "series"> & {
  series: (Omit<ChartSeries, "points"> & { points: PackedPoint[] })[];
};

/** The chart again. */
export function unpackChart(packed: PackedChart): ChartData {
  return {
    ...packed,
    series: packed.series.map((one) => ({ ...one, points: one.points.map(unpackPoint) })),
  };
}

/** Everything one chart and the table behind it are drawn from. */
export type ChartData = {
  metric: string;
  buckets: ChartBucket[];
  series: ChartSeries[];
  markers: ChartMarker[];
  /** The share at which doctor speaks up; null = it has no opinion on this metric. */
  threshold: number | null;
};

/** Lines of one chart; more are left to the table. */
export const LINES_MAX = 6;

/** How each line looks: colour, dash and mark, so that no two rest on colour alone. */
export const LOOKS = [
  { color: "var(--series-1)", dash: undefined, mark: "circle" },
  { color: "var(--series-2)", dash: "6 3", mark: "square" },
  { color: "var(--series-3)", dash: "2 2", mark: "triangle" },
  { color: "var(--series-4)", dash: "9 3 2 3", mark: "diamond" },
  { color: "var(--series-5)", dash: "12 4", mark: "cross" },
  { color: "var(--series-6)", dash: "4 2 1 2 1 2", mark: "ring" },
] as const;
export type Look = (typeof LOOKS)[number];

/** The look of the line at `index`; the index never passes `LINES_MAX`. */
export function lookOf(index: number): Look {
  return LOOKS[index % LOOKS.length] ?? LOOKS[0];
}

/** The model in the room beside a chart, and whether it is derived where both kinds are on it. */
export function labelOf(
  one: Pick<ChartSeries, "model" | "provenance"> | undefined,
  all: readonly Pick<ChartSeries, "provenance">[],
): string {
  if (one === undefined) return "";
  const mixed = all.some(({ provenance }) => provenance !== one.provenance);
  return mixed && one.provenance === "derived" ? `${shorten(one.model, 13)} derived` : shorten(one.model, 20);
}

/** Cut in its middle: models of one maker begin alike and differ at the end. */
function shorten(name: string, chars: number): string {
  const text = visible(name);
  if (text.length <= chars) return text;
  const end = Math.floor(chars / 2);
  return `${startOf(text, chars - 1 - end)}…${endOf(text, end)}`;
}
