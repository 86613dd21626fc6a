import { type JudgeInput, type Judgement, judge } from "#lib/gate/judge.ts";
import type { Episode, Pair } from "#lib/gate/pair.ts";
import type { ChangeClass, RunCoverage } from "#lib/gate/rules.ts";
import { sliceOf } from "#lib/gate/split.ts";

/** Ids of the wanted number on each slice (one in three held out), in the order ep-0, ep-1, … */
export function ids(selection: number, holdout: number): { selection: string[]; holdout: string[] } {
  const out = { selection: [] as string[], holdout: [] as string[] };
  const want = { selection, holdout };
  for (let i = 0; out.selection.length < selection || out.holdout.length < holdout; i++) {
    const id = `ep-${i}`;
    const slice = sliceOf(id, 3);
    if (out[slice].length < want[slice]) out[slice].push(id);
  }
  return out;
}

/** "+" the candidate wins, "-" it loses, "=" a tie; ten calls of work on either side. */
export function pairsOf(selection: string, holdout: string): Pair[] {
  const named = ids(selection.length, holdout.length);
  return [...zip(named.selection, selection), ...zip(named.holdout, holdout)];
}

function zip(names: string[], marks: string): Pair[] {
  return names.map((episode, i) => {
    const mark = marks[i];
    const base_cost = mark === "+" ? 1 : 0;
    const cand_cost = mark === "-" ? 1 : 0;
    return { episode, base_cost, cand_cost, work_base: 10, work_cand: 10 };
  });
}

export type Options = {
  change_class?: ChangeClass;
  holdout_in?: number;
  passes?: Pair[];
  base_runs?: RunCoverage;
  cand_runs?: RunCoverage;
  predicted?: boolean;
};

export function judgePairs(pairs: Pair[], options: Options = {}): Judgement {
  return judge(inputOf(pairs, options));
}

export function inputOf(pairs: Pair[], options: Options = {}): JudgeInput {
  const runs = { scored: pairs.length, errored: 0, not_scored: 0 };
  return {
    change_class: options.change_class ?? "config",
    holdout_in: options.holdout_in ?? 3,
    currency: options.passes ? "turns" : "case_passes",
    baseline: { episodes: base(pairs), runs: options.base_runs ?? runs },
    candidate: { episodes: cand(pairs), runs: options.cand_runs ?? runs },
    passes: options.passes ? { baseline: base(options.passes), candidate: cand(options.passes) } : null,
    predicted: options.predicted ?? options.passes !== undefined,
  };
}

export const base = (pairs: Pair[]): Episode[] =>
  pairs.map((p) => ({ episode: p.episode, cost: p.base_cost, work: p.work_base }));
export const cand = (pairs: Pair[]): Episode[] =>
  pairs.map((p) => ({ episode: p.episode, cost: p.cand_cost, work: p.work_cand }));
