/** One episode in one arm: what it cost (lower is better, null = neutral) and how many tool calls it attempted (null = not told). */
export type Episode = {
  episode: string;
  cost: number | null;
  work: number | null;
  /** The runs that `work` is summed over, where the arms may differ in it. Absent = the same in both arms. */
  runs?: number;
};

export type Pair = {
  episode: string;
  base_cost: number | null;
  cand_cost: number | null;
  work_base: number;
  work_cand: number;
};

export type Pairing = { pairs: Pair[]; baseline_only: string[]; candidate_only: string[] };

/**
 * Matches the episodes of two arms by id. Those of one arm only are named and left out: counted as a tie or a loss
 * they would flatter a change that dies on the hard ones. Throws a RangeError on a doubled id, or a cost or an
 * amount of work that is no number: a caller's bug that would rank wrongly in silence.
 */
export function pairEpisodes(baseline: readonly Episode[], candidate: readonly Episode[]): Pairing {
  const base = byId(baseline);
  const cand = byId(candidate);
  const pairs: Pair[] = [];
  for (const [episode, b] of base) {
    const c = cand.get(episode);
    if (c !== undefined) pairs.push(pairOf(b, c));
  }
  return {
    pairs,
    baseline_only: [...base.keys()].filter((id) => !cand.has(id)),
    candidate_only: [...cand.keys()].filter((id) => !base.has(id)),
  };
}

function byId(episodes: readonly Episode[]): Map<string, Episode> {
  const map = new Map<string, Episode>();
  for (const one of episodes) {
    if (map.has(one.episode)) throw new RangeError(`episode ${one.episode} stands twice in one arm`);
    if (one.cost !== null && !Number.isFinite(one.cost)) {
      throw new RangeError(`episode ${one.episode} costs ${one.cost}`);
    }
    if (one.work !== null && !(Number.isFinite(one.work) && one.work >= 0)) {
      throw new RangeError(`episode ${one.episode} did ${one.work} calls of work`);
    }
    map.set(one.episode, one);
  }
  return map;
}

function pairOf(base: Episode, cand: Episode): Pair {
  return {
    episode: base.episode,
    base_cost: base.cost,
    cand_cost: cand.cost,
    // Work that one side does not tell is compared on neither.
    work_base: cand.work === null ? 0 : (base.work ?? 0) * scale(base, cand),
    work_cand: base.work === null ? 0 : (cand.work ?? 0) * scale(cand, base),
  };
}

/** An arm that lost a run of an episode did not work less per run: its work is brought to the other's count. */
function scale(own: Episode, other: Episode): number {
  if (!own.runs || !other.runs || own.runs >= other.runs) return 1;
  return other.runs / own.runs;
}
