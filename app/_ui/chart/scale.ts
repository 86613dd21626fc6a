import { RUNS_FLOOR, ratio, wilson } from "#lib/rate.ts";
import type { ChartData } from "./series.ts";

/**
 * The top of the scale: a round share above every point, and above the threshold where the points come near enough
 * to it for the distance to mean something.
 */
export function topOf({ series, threshold }: ChartData): number {
  const points = series.flatMap(({ points }) => points.filter((point) => point !== null));
  const shares = points.map((point) => ratio(point) ?? 0);
  const founded = points.filter(({ runs }) => runs >= RUNS_FLOOR).map((point) => wilson(point)?.[1] ?? 0);
  const highest = Math.max(0.02, ...shares, ...founded);
  const wanted =
    threshold !== null && highest >= threshold / 4 ? Math.max(highest, threshold * 1.12) : highest;
  return [0.02, 0.04, 0.08, 0.12, 0.2, 0.32, 0.4, 0.6, 0.8].find((step) => step >= wanted) ?? 1;
}

/** Moves sorted positions apart by at least `gap`, staying between `min` and `max` as far as they fit. */
export function spread(
  sorted: readonly number[],
  { gap, min, max }: { gap: number; min: number; max: number },
): number[] {
  const placed: number[] = [];
  for (const y of sorted) placed.push(Math.max(y, min, (placed.at(-1) ?? Number.NEGATIVE_INFINITY) + gap));
  let ceiling = max;
  for (let index = placed.length - 1; index >= 0; index--) {
    placed[index] = Math.min(placed[index] ?? max, ceiling);
    ceiling = (placed[index] ?? max) - gap;
  }
  return placed;
}
