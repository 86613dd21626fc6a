import { byteOrder } from "#lib/format.ts";
import { type Rate, RUNS_FLOOR, wilson } from "#lib/rate.ts";
import { type Bucket, bucketKey, bucketsBetween, isoUtc, type Per, stampMs } from "#lib/time.ts";
import { CUT_SHORT } from "#lib/transcript/record.ts";
import type { Provenance, RunRow } from "#lib/transcript/run-row.ts";
import { type Metric, PROVENANCES } from "./tally.ts";

/** One bucket of one model. `rate.of` is 0 where nothing happened: a gap in the line, never a dip to zero. */
export type SeriesPoint = {
  bucket: string;
  /** RFC 3339: the local midnight the bucket starts at. */
  start: string;
  rate: Rate;
  runs: number;
  /**
   * Wilson 95 % interval as fractions. For `tool_error_rate` it treats calls as independent, which calls of one run
   * are not, so it is the narrowest interval that can be true.
   */
  interval: [number, number] | null;
  /** Fewer than 20 runs: too little to state a rate. */
  faded: boolean;
  /** The window starts or ends inside this bucket. */
  partial: boolean;
};

export type Series = {
  provenance: Provenance;
  model: string;
  points: SeriesPoint[];
  /** Older buckets of the window beyond the bound on points. */
  buckets_left_out: number;
};

/** Which rate, how wide the buckets are, and the window [`from_ms`, `to_ms`). */
export type SeriesAsk = {
  metric: Metric;
  per: Per;
  zone: string;
  from_ms: number;
  to_ms: number;
  /** Bound on the points of one series; the newest are kept. Default: three years of days. */
  buckets_max?: number;
};

const BUCKETS_MAX = 1100;

type Cell = { rate: Rate; runs: number };

/**
 * A metric over time for each (provenance, model) with a run in the window, `recorded` first, then model in byte
 * order. Every bucket of the window has a point. Sub-agents are left out.
 */
export function seriesByModel(rows: readonly RunRow[], ask: SeriesAsk): Series[] {
  const { buckets, left_out } = bucketsBetween(
    ask.from_ms,
    ask.to_ms,
    ask.zone,
    ask.per,
    ask.buckets_max ?? BUCKETS_MAX,
  );
  const cells: Record<Provenance, Map<string, Map<string, Cell>>> = {
    recorded: new Map(),
    derived: new Map(),
  };
  for (const row of rows) {
    const at = stampMs(row.started_at);
    if (row.subagent || !(at >= ask.from_ms && at < ask.to_ms)) continue;
    addTo(cellOf(cells[row.provenance], row.model, bucketKey(at, ask.zone, ask.per)), row, ask.metric);
  }
  return PROVENANCES.flatMap((provenance) =>
    [...cells[provenance]]
      .sort(([a], [b]) => byteOrder(a, b))
      .map(([model, found]) => ({
        provenance,
        model,
        points: buckets.map((bucket) => pointOf(bucket, found.get(bucket.key), ask)),
        buckets_left_out: left_out,
      })),
  );
}

function cellOf(models: Map<string, Map<string, Cell>>, model: string, bucket: string): Cell {
  let buckets = models.get(model);
  if (buckets === undefined) {
    buckets = new Map();
    models.set(model, buckets);
  }
  let cell = buckets.get(bucket);
  if (cell === undefined) {
    cell = { rate: { hits: 0, of: 0 }, runs: 0 };
    buckets.set(bucket, cell);
  }
  return cell;
}

function addTo(cell: Cell, row: RunRow, metric: Metric): void {
  const { hits, of } = rateOfRun(row, metric);
  cell.runs += 1;
  cell.rate.hits += hits;
  cell.rate.of += of;
}

/** What one run adds to a metric. */
export function rateOfRun(row: RunRow, metric: Metric): Rate {
  switch (metric) {
    case "ended_on_failed_call":
      return { hits: row.ended_on_failed_call ? 1 : 0, of: 1 };
    case "tool_error_rate":
      return { hits: row.tool_errors, of: row.tool_calls };
    case "cut_short":
      return { hits: row.stop_cause !== null && CUT_SHORT.has(row.stop_cause) ? 1 : 0, of: 1 };
    default:
      return metric satisfies never;
  }
}

function pointOf(bucket: Bucket, cell: Cell | undefined, ask: SeriesAsk): SeriesPoint {
  const { rate, runs } = cell ?? { rate: { hits: 0, of: 0 }, runs: 0 };
  return {
    bucket: bucket.key,
    start: isoUtc(bucket.from_ms),
    rate,
    runs,
    interval: wilson(rate),
    faded: runs < RUNS_FLOOR,
    partial: bucket.from_ms < ask.from_ms || bucket.to_ms > ask.to_ms,
  };
}
