import type { Pair } from "./pair.ts";
import { type Slice, sliceOf } from "./split.ts";

/** How the pairs of a slice went, from the candidate's side. */
export type Tally = { wins: number; losses: number; ties: number };
export type Tallies = Record<Slice, Tally>;

export type Outcome = "win" | "loss" | "tie";

/** Costs closer than this are equal: a mean of shares carries rounding, and rounding must not win. */
const SAME = 1e-12;

/** Lower cost wins; a cost that nothing can be said about ties. */
export function outcomeOf(base: number | null, cand: number | null): Outcome {
  if (base === null || cand === null) return "tie";
  if (Math.abs(base - cand) <= SAME * Math.max(1, Math.abs(base), Math.abs(cand))) return "tie";
  return cand < base ? "win" : "loss";
}

const COUNTER = { win: "wins", loss: "losses", tie: "ties" } as const;

/** Wins, losses and ties of each slice. */
export function tallyPairs(pairs: readonly Pair[], holdoutIn: number): Tallies {
  const tallies: Tallies = {
    selection: { wins: 0, losses: 0, ties: 0 },
    holdout: { wins: 0, losses: 0, ties: 0 },
  };
  for (const pair of pairs) {
    tallies[sliceOf(pair.episode, holdoutIn)][COUNTER[outcomeOf(pair.base_cost, pair.cand_cost)]]++;
  }
  return tallies;
}

/** Pairs in a slice; ties fill it too. */
export function pairsIn(tally: Tally): number {
  return tally.wins + tally.losses + tally.ties;
}
