/** A source of numbers that gives the same ones for the same seed (mulberry32 by Tommy Ettinger, public domain). */
export type Random = {
  /** In [0, 1). */
  next(): number;
  /** A whole number from `low` to `high`, both included. */
  between(low: number, high: number): number;
  pick<T>(items: readonly [T, ...T[]]): T;
  /** A new array in another order. */
  shuffle<T>(items: readonly T[]): T[];
  hex(digits: number): string;
};

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  const between = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1));
  return {
    next,
    between,
    pick: (items) => items[between(0, items.length - 1)] ?? items[0],
    shuffle: (items) =>
      items
        .map((item) => ({ item, at: next() }))
        .sort((a, b) => a.at - b.at)
        .map(({ item }) => item),
    hex: (digits) => Array.from({ length: digits }, () => between(0, 15).toString(16)).join(""),
  };
}

/**
 * Splits `total` into one whole number per weight, each at least `least[i]` and at most `most`, summing to exactly `total`.
 * Throws when that cannot be done: the plan is at fault then, not the data.
 */
export function share(
  total: number,
  weights: number[],
  least: number[],
  most = Number.POSITIVE_INFINITY,
): number[] {
  const parts = weights.map((_, i) => least[i] ?? 0);
  let left = total - parts.reduce((sum, part) => sum + part, 0);
  if (left < 0) throw new Error(`cannot share ${total}: the least parts already sum to ${total - left}`);
  while (left > 0) {
    let best = -1;
    let bestNeed = 0;
    // One at a time to the part that lags furthest behind its weight: exact, and the sums here are small.
    for (const [i, weight] of weights.entries()) {
      const part = parts[i] ?? 0;
      const need = part >= most ? 0 : weight / (part + 1 - (least[i] ?? 0));
      if (need > bestNeed) [best, bestNeed] = [i, need];
    }
    if (best < 0) throw new Error(`cannot share ${total}: ${left} left over`);
    parts[best] = (parts[best] ?? 0) + 1;
    left -= 1;
  }
  return parts;
}
