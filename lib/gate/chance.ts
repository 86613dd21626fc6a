import { FLOORS } from "./rules.ts";
import { pairsIn, type Tally } from "./tally.ts";

/** What a fair coin says about a slice. Context for a reader, never a rule. */
export type Chance = {
  /** Pairs that were not ties: the only ones that say anything. */
  untied: number;
  /** Probability that a change without any effect shows at least as many wins among them; null when all tied. */
  as_good: number | null;
  /** Exact two-sided sign test of the same counts; null when all tied. */
  two_sided: number | null;
  /** The smallest probability a slice of this size can show: every pair won. null for an empty slice. */
  best: number | null;
};

/** What the floors can show at most: every pair of a slice just large enough won. */
export const FLOOR_CHANCE = { selection: 2 ** -FLOORS.selection, holdout: 2 ** -FLOORS.holdout };

/** Beyond this the exact sum costs more than the context is worth, and the numbers are left out. */
const EXACT_MAX = 20_000;

/** The exact sign test of a slice's wins against its losses. */
export function chanceOf(tally: Tally): Chance {
  const untied = tally.wins + tally.losses;
  const pairs = pairsIn(tally);
  const stated = untied > 0 && untied <= EXACT_MAX;
  return {
    untied,
    as_good: stated ? tail(tally.wins, untied) : null,
    two_sided: stated ? Math.min(1, 2 * tail(Math.max(tally.wins, tally.losses), untied)) : null,
    best: pairs === 0 ? null : 2 ** -pairs,
  };
}

/** P(X ≥ wins) for a fair coin tossed n times; in integers, so that every machine gets the same double. */
function tail(wins: number, n: number): number {
  let term = 1n;
  let sum = 1n;
  // From n heads downwards: C(n, k-1) = C(n, k) · k / (n-k+1).
  for (let k = n; k > wins; k--) {
    term = (term * BigInt(k)) / BigInt(n - k + 1);
    sum += term;
  }
  return quotient(sum, n);
}

/** sum / 2^n, rounded down to 64 bits first: more than a double holds. */
function quotient(sum: bigint, n: number): number {
  const bits = sum.toString(2).length;
  const drop = Math.max(0, bits - 64);
  return Number(sum >> BigInt(drop)) * 2 ** (drop - n);
}
