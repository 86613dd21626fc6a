import { type Rate, RUNS_FLOOR, ratio } from "#lib/rate.ts";

/** What a chart point must hold to be judged; a series point does. */
export type Judgeable = { bucket: string; rate: Rate; runs: number };

/** The limits of one bucket, as fractions. All rates here are costs: `above` is worse, `below` is better. */
export type ControlPoint = {
  bucket: string;
  /** Pooled rate of the earlier buckets; null while there are too few of them. */
  centre: number | null;
  /** Null where the bucket is not judged: under 20 runs, nothing counted, or too few earlier buckets. */
  limits: [number, number] | null;
  out: "above" | "below" | null;
};

/** The bucket in which the streak began that still lasts at the newest judged bucket, and which way it went. */
export type LeftLimits = { bucket: string; direction: "above" | "below" };

export type Control = { points: ControlPoint[]; left_limits_at: LeftLimits | null };

/**
 * Three earlier buckets: the spread between buckets is estimated from the steps between neighbours, and one step alone
 * says next to nothing. In simulation (rates 2-20 %, 13 buckets) two earlier buckets gave half again to twice the
 * false alarms of three; five would leave a chart of a quarter's months or of few weeks without any limit.
 */
export const EARLIER_BUCKETS_MIN = 3;

/**
 * A p-chart of one series, oldest point first: is a bucket within what the series' own earlier buckets make likely?
 * Centre line p̄ = hits / counts pooled over the earlier buckets with 20 runs or more that were inside their limits.
 * A bucket that left its limits never enters a later centre line, so a lasting step stays flagged.
 *
 * Limits are p̄ ± 3 σ, cut to [0, 1]. The textbook σ = sqrt(p̄(1−p̄)/n) is too narrow here in three ways, each with
 * its remedy, none of which matters once there is much data:
 * - p̄ itself is an estimate from N counts, so the variance is that of a difference: 1/n + 1/N in place of 1/n;
 * - no failure in 50 runs does not mean that the rate is 0, so σ is taken at (hits + 2)/(N + 4) (Agresti and Coull);
 * - calls of one run fail together and tasks differ from day to day, so buckets vary more than a binomial does, and at
 *   thousands of calls a binomial band is a hair that every bucket leaves. Laney's p′ chart multiplies σ by σz, the
 *   spread of the earlier buckets' z-scores taken from their moving ranges (mean / 1.128). It is used for every
 *   metric, for runs share a day as well, but never below 1: with this few buckets a σz under 1 is luck.
 * In the same simulation the textbook limits flagged 1-15 % of buckets in which nothing had happened, and 30-45 % of
 * overdispersed call rates; these flag under 1 % and 2-9 %.
 * Sources: D. B. Laney, "Improved control charts for attributes", Quality Engineering 14 (2002) 531-537;
 * A. Agresti and B. A. Coull, "Approximate is better than exact", The American Statistician 52 (1998) 119-126.
 */
export function controlLimits(series: readonly Judgeable[]): Control {
  const earlier: Rate[] = [];
  const points = series.map(({ bucket, rate, runs }): ControlPoint => {
    const enough = earlier.length >= EARLIER_BUCKETS_MIN;
    const centre = enough ? pooled(earlier) : null;
    if (runs < RUNS_FLOOR || rate.of === 0)
      return { bucket, centre: centre && ratio(centre), limits: null, out: null };
    const limits = centre === null ? null : limitsFor(rate.of, centre, earlier);
    const out = limits === null ? null : sideOf(rate.hits / rate.of, limits);
    if (out === null) earlier.push(rate);
    return { bucket, centre: centre && ratio(centre), limits, out };
  });
  return { points, left_limits_at: currentStreak(points) };
}

function limitsFor(of: number, centre: Rate, earlier: readonly Rate[]): [number, number] {
  const likely = (centre.hits + 2) / (centre.of + 4);
  const binomial = likely * (1 - likely);
  const reach = 3 * sigmaZ(earlier, centre, binomial) * Math.sqrt(binomial * (1 / of + 1 / centre.of));
  const middle = centre.hits / centre.of;
  return [Math.max(0, middle - reach), Math.min(1, middle + reach)];
}

/** Spread of the buckets' z-scores by their mean moving range; 1 = no more than a binomial has. */
function sigmaZ(earlier: readonly Rate[], centre: Rate, binomial: number): number {
  const middle = centre.hits / centre.of;
  const scores = earlier.map(({ hits, of }) => (hits / of - middle) / Math.sqrt(binomial / of));
  const ranges = scores.slice(1).map((score, i) => Math.abs(score - (scores[i] ?? score)));
  const mean = ranges.reduce((sum, range) => sum + range, 0) / ranges.length;
  return Math.max(1, mean / 1.128);
}

function pooled(rates: readonly Rate[]): Rate {
  return rates.reduce((sum, { hits, of }) => ({ hits: sum.hits + hits, of: sum.of + of }), {
    hits: 0,
    of: 0,
  });
}

function sideOf(share: number, [low, high]: [number, number]): "above" | "below" | null {
  if (share > high) return "above";
  return share < low ? "below" : null;
}

/** Buckets that could not be judged neither begin nor end a streak. */
function currentStreak(points: readonly ControlPoint[]): LeftLimits | null {
  const judged = points.filter((point) => point.limits !== null);
  const direction = judged.at(-1)?.out ?? null;
  if (direction === null) return null;
  const before = judged.findLastIndex((point) => point.out !== direction);
  const first = judged[before + 1];
  return first === undefined ? null : { bucket: first.bucket, direction };
}
