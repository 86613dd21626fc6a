/** A share that keeps its denominator: `hits` of `of`. Only a renderer divides. */
export type Rate = { hits: number; of: number };

/** Fewer than this many runs is too little evidence to state a rate. */
export const RUNS_FLOOR = 20;

/** hits / of, or null over an empty denominator: a component that did no work has no error rate, and 0 would call it well. */
export function ratio({ hits, of }: Rate): number | null {
  return of === 0 ? null : hits / of;
}

const Z95 = 1.959963984540054;

/**
 * Wilson score interval of a proportion at 95 %, as fractions [low, high]; null over a zero denominator.
 * Source: E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927).
 */
export function wilson({ hits, of }: Rate): [number, number] | null {
  if (of === 0) return null;
  const p = hits / of;
  const z2 = Z95 * Z95;
  const centre = (p + z2 / (2 * of)) / (1 + z2 / of);
  const half = (Z95 * Math.sqrt((p * (1 - p)) / of + z2 / (4 * of * of))) / (1 + z2 / of);
  // At the ends the bound is exact; the arithmetic is not.
  return [hits === 0 ? 0 : Math.max(0, centre - half), hits === of ? 1 : Math.min(1, centre + half)];
}
