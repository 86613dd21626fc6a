import type { Provenance } from "#lib/transcript/run-row.ts";

/** One day, week or month of a chart, in ms since the epoch, with the names its axis and its table use. */
export type ChartBucket = { key: string; label: string; start: number; end: number };

/** What one model did in one bucket; `outside` says that the rate left its control limits. */
export type ChartPoint = { hits: number; of: number; runs: number; outside: "above" | "below" | null };

/** One line. `points` and `limits` stand in the order of the buckets; null = nothing was counted. */
export type ChartSeries = {
  provenance: Provenance;
  model: string;
  points: (ChartPoint | null)[];
  /** [low, centre, high] as fractions. */
  limits: ([number, number, number] | null)[];
};

/** A change of settings: when, and in words. */
export type ChartMarker = { at: number; date: string; provenance: Provenance; model: string; text: string };

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
