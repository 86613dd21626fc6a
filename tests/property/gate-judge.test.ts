import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { dispositionOf, type JudgeInput, judge } from "#lib/gate/judge.ts";
import type { Episode } from "#lib/gate/pair.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";
import { sliceOf } from "#lib/gate/split.ts";

const cost = fc.option(fc.constantFrom(0, 0.25, 1 / 3, 1, 7), { freq: 8 });
const episode = fc.record({ cost, work: fc.nat({ max: 30 }) });
/** Up to 60 episodes, each in one arm or in both. */
const arms = fc.array(fc.tuple(fc.option(episode, { freq: 9 }), fc.option(episode, { freq: 9 })), {
  maxLength: 60,
});
const runs = fc.record({ scored: fc.nat({ max: 60 }), errored: fc.nat({ max: 4 }), not_scored: fc.nat(9) });

const input: fc.Arbitrary<JudgeInput> = fc
  .record({
    arms,
    base: runs,
    cand: runs,
    change_class: fc.constantFrom(...CHANGE_CLASSES),
    n: fc.integer({ min: 2, max: 6 }),
  })
  .map(({ arms, base, cand, change_class, n }) => ({
    change_class,
    holdout_in: n,
    currency: "turns",
    baseline: { episodes: named(arms.map(([one]) => one)), runs: base },
    candidate: { episodes: named(arms.map(([, one]) => one)), runs: cand },
    passes: null,
    predicted: true,
  }));

function named(list: ({ cost: number | null; work: number } | null)[]): Episode[] {
  return list.flatMap((one, i) => (one ? [{ episode: `ep-${i}`, ...one }] : []));
}

describe("the gate, whatever the arms", () => {
  it("swapping the arms swaps wins and losses", () => {
    fc.assert(
      fc.property(input, (one) => {
        const there = judge(one);
        const back = judge({ ...one, baseline: one.candidate, candidate: one.baseline });
        for (const slice of ["selection", "holdout"] as const) {
          const { wins, losses, ties } = there[slice];
          expect(back[slice]).toEqual({ wins: losses, losses: wins, ties });
        }
        expect(back.work_baseline).toBe(there.work_candidate);
      }),
    );
  });

  it("the order of episodes changes nothing", () => {
    fc.assert(
      fc.property(input, fc.nat(), (one, seed) => {
        const shuffled = {
          ...one,
          baseline: { ...one.baseline, episodes: shuffle(one.baseline.episodes, seed) },
          candidate: { ...one.candidate, episodes: shuffle(one.candidate.episodes, seed + 1) },
        };
        expect(judge(shuffled)).toEqual(judge(one));
      }),
    );
  });

  it("one more tie never turns a rejection into acceptance: ties only fill floors, and below a floor nothing is rejected for its tally", () => {
    fc.assert(
      fc.property(input, fc.nat({ max: 500 }), (one, at) => {
        const before = judge(one);
        const after = judge(withTie(one, `tie-${at}`));
        if (dispositionOf(before.disposition) === "reject" && after.disposition === "Accept") {
          // Equal work on both sides can lift a share over its line; a tally cannot be lifted by a tie.
          expect(before.reason).toBe("work_fell");
        }
        if (dispositionOf(before.disposition) === "propose" && after.disposition === "Accept") {
          // This is the floor: a slice one pair short becomes just large enough.
          expect(["selection_thin", "holdout_thin"]).toContain(before.reason);
        }
      }),
    );
  });

  it("a tie without work never turns a rejection into acceptance at all", () => {
    fc.assert(
      fc.property(input, fc.nat({ max: 500 }), (one, at) => {
        const before = judge(one);
        const after = judge(withTie(one, `tie-${at}`, 0));
        if (dispositionOf(before.disposition) === "reject") expect(after.disposition).not.toBe("Accept");
      }),
    );
  });

  it("more holdout episodes never change the selection tally", () => {
    fc.assert(
      fc.property(input, arms, (one, more) => {
        const extra = (side: 0 | 1) =>
          more.flatMap((pair, i) => {
            const id = `more-${i}`;
            const it = pair[side];
            return it && sliceOf(id, one.holdout_in) === "holdout" ? [{ episode: id, ...it }] : [];
          });
        const grown = {
          ...one,
          baseline: { ...one.baseline, episodes: [...one.baseline.episodes, ...extra(0)] },
          candidate: { ...one.candidate, episodes: [...one.candidate.episodes, ...extra(1)] },
        };
        expect(judge(grown).selection).toEqual(judge(one).selection);
      }),
    );
  });

  it("an episode that only one arm ran changes nothing", () => {
    fc.assert(
      fc.property(input, episode, (one, lone) => {
        const grown = {
          ...one,
          candidate: {
            ...one.candidate,
            episodes: [...one.candidate.episodes, { episode: "lone", ...lone }],
          },
        };
        expect(judge(grown)).toEqual(judge(one));
      }),
    );
  });

  it("thin evidence is never rejected for its tally", () => {
    fc.assert(
      fc.property(input, (one) => {
        const { selection, reason, disposition } = judge(one);
        const pairs = selection.wins + selection.losses + selection.ties;
        if (pairs < 8 && dispositionOf(disposition) === "reject") expect(reason).toBe("work_fell");
      }),
    );
  });
});

function withTie(one: JudgeInput, episode: string, work = 10): JudgeInput {
  const add = (list: readonly Episode[]) => [...list, { episode, cost: 1, work }];
  return {
    ...one,
    baseline: { ...one.baseline, episodes: add(one.baseline.episodes) },
    candidate: { ...one.candidate, episodes: add(one.candidate.episodes) },
  };
}

function shuffle<T>(list: readonly T[], seed: number): T[] {
  return list
    .map((item, i) => ({ item, key: Math.sin((i + 1) * (seed + 1)) }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}
