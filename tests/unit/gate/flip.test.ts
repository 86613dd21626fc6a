import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { apply, type Flip, flipsOf } from "#lib/gate/flip.ts";
import { CHANGE_CLASSES, decide, type Evidence } from "#lib/gate/rules.ts";

const tally = (wins: number, losses: number, ties: number) => ({ wins, losses, ties });
const sound: Evidence = {
  change_class: "config",
  tallies: { selection: tally(6, 2, 19), holdout: tally(3, 0, 10) },
  passes: null,
  work: { baseline: 1841, candidate: 1902 },
  runs: {
    baseline: { scored: 40, errored: 0, not_scored: 0 },
    candidate: { scored: 40, errored: 0, not_scored: 0 },
  },
};

const said = (flips: Flip[]) =>
  flips.map((flip) => `${flip.to}: ${flip.changes.map((c) => `${c.by} ${c.lever}`).join(" + ")}`);

describe("what would turn a judgement", () => {
  it("an acceptance: the smallest loss on each count", () => {
    expect(said(flipsOf(sound))).toEqual([
      "reject: 4 selection_losses",
      "reject: 4 holdout_losses",
      "propose: 5 baseline_errored_more",
      "propose: 5 candidate_errored_more",
      "reject: 522 work_candidate_less",
    ]);
  });

  it("a gain that did not carry over: wins on the holdout", () => {
    const lost = { ...sound, tallies: { ...sound.tallies, holdout: tally(0, 2, 11) } };
    expect(said(flipsOf(lost))).toEqual(["accept: 2 holdout_wins"]);
  });

  it("several obstacles: all that have to go", () => {
    const bad: Evidence = {
      ...sound,
      tallies: { selection: tally(1, 3, 8), holdout: tally(0, 1, 1) },
      work: { baseline: 101, candidate: 10 },
    };
    expect(said(flipsOf(bad))).toEqual(["propose: 66 work_candidate_more + 3 selection_wins"]);
  });

  it("thin evidence: what would accept and what would reject", () => {
    const thin = { ...sound, tallies: { ...sound.tallies, selection: tally(7, 0, 0) } };
    expect(said(flipsOf(thin))).toEqual([
      "accept: 1 selection_ties",
      "reject: 7 selection_losses",
      "reject: 522 work_candidate_less",
    ]);
    const losing = { ...sound, tallies: { ...sound.tallies, selection: tally(0, 7, 0) } };
    expect(said(flipsOf(losing))).toEqual([
      "reject: 1 selection_losses",
      "accept: 8 selection_wins",
      "reject: 522 work_candidate_less",
    ]);
  });

  it("a change for a person: no measurement accepts it", () => {
    const flips = flipsOf({ ...sound, change_class: "security" });
    expect(flips.length).toBeGreaterThan(0);
    expect(flips.every((flip) => flip.to === "reject")).toBe(true);
  });

  it("a thin holdout: filling it is enough where cases were lost on it", () => {
    const tallies = { ...sound.tallies, holdout: tally(2, 0, 0) };
    const passes = { selection: tally(0, 0, 0), holdout: tally(0, 1, 3) };
    expect(said(flipsOf({ ...sound, tallies, passes }))).toContain("reject: 2 holdout_losses");
  });

  it("an arm full of errors: runs that would have to be graded", () => {
    const runs = { ...sound.runs, candidate: { scored: 30, errored: 10, not_scored: 0 } };
    expect(said(flipsOf({ ...sound, runs }))).toContain("accept: 6 candidate_errored_less");
  });
});

const count = fc.nat({ max: 12 });
const tallies = fc.record({ wins: count, losses: count, ties: count });
const slices = fc.record({ selection: tallies, holdout: tallies });
const runs = fc.record({ scored: count, errored: fc.nat({ max: 3 }), not_scored: count });
const evidence: fc.Arbitrary<Evidence> = fc.record({
  change_class: fc.constantFrom(...CHANGE_CLASSES),
  tallies: slices,
  passes: fc.option(slices),
  work: fc.record({ baseline: fc.nat({ max: 400 }), candidate: fc.nat({ max: 400 }) }),
  runs: fc.record({ baseline: runs, candidate: runs }),
});

describe("every flip that is named", () => {
  it("leads where it says, and one less of its last change does not", () => {
    fc.assert(
      fc.property(evidence, (state) => {
        for (const flip of flipsOf(state)) {
          const turned = flip.changes.reduce(apply, state);
          expect(decide(turned).disposition).toBe(flip.to);
          expect(flip.to).not.toBe(decide(state).disposition);
          const last = flip.changes.at(-1);
          if (!last) throw new Error("a flip without a change");
          const almost = [...flip.changes.slice(0, -1), { ...last, by: last.by - 1 }].reduce(apply, state);
          expect(decide(almost).disposition).not.toBe(flip.to);
        }
      }),
      { numRuns: 5000 },
    );
  });

  it("is there for every judgement that a measurement could turn", () => {
    fc.assert(
      fc.property(evidence, (state) => {
        // A class that goes to a person is accepted by nothing, so a proposal about it may stand whatever is measured.
        const person = state.change_class === "architecture" || state.change_class === "security";
        if (!person || decide(state).disposition === "reject") expect(flipsOf(state)).not.toEqual([]);
      }),
    );
  });
});
