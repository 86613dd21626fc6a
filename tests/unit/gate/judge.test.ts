import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { dispositionOf, judge } from "#lib/gate/judge.ts";
import { type Pair, pairEpisodes } from "#lib/gate/pair.ts";
import type { ChangeClass } from "#lib/gate/rules.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { base, cand, ids, inputOf, judgePairs, type Options, pairsOf } from "./arms.ts";

const WON = ["++++++++", "++++"] as const;
const verdict = (selection: string, holdout: string, options: Options = {}) => {
  const judgement = judgePairs(pairsOf(selection, holdout), options);
  return `${dispositionOf(judgement.disposition)}: ${judgement.reason}`;
};

describe("pairs and slices: episodes differ more than arms do, and a choice is checked where it was not made", () => {
  it("only pairs of the same episode are compared, never the arms' totals", () => {
    // The candidate's total is lower; pair by pair it loses as often as it wins.
    const pairs = pairsOf("++++----", "++++").map((pair, i) =>
      i < 4 ? { ...pair, base_cost: 100, cand_cost: 1 } : pair,
    );
    expect(judgePairs(pairs).reason).toBe("not_better_on_selection");
  });

  it("the holdout is another slice than the one that chose", () => {
    const judgement = judgePairs(pairsOf("+++++++==", "-+=="));
    expect(judgement.selection).toEqual({ wins: 7, losses: 0, ties: 2 });
    expect(judgement.holdout).toEqual({ wins: 1, losses: 1, ties: 2 });
  });

  it("a gain that is not confirmed on the holdout is rejected", () => {
    expect(verdict("++++++++", "-===")).toBe("reject: lost_on_holdout");
    expect(verdict("++++++++", "-+==")).toBe("accept: measured");
  });
});

describe("the work guardrail stands above every score: fewer errors come cheap to those who attempt less", () => {
  const less = (share: number) =>
    pairsOf(...WON).map((pair) => ({ ...pair, work_base: 100, work_cand: share }));
  it("under three quarters of the calls is rejected, not ranked", () => {
    expect(judgePairs(less(74)).reason).toBe("work_fell");
    expect(judgePairs(less(75)).reason).toBe("measured");
    expect(judgePairs(less(1000)).reason).toBe("measured");
  });

  it("one call below the line is below it, though the shares round alike", () => {
    const [first, ...rest] = less(75);
    if (!first) throw new Error("no pairs");
    expect(judgePairs([{ ...first, work_cand: 74 }, ...rest]).reason).toBe("work_fell");
  });

  it("it is asked before all else, also of thin and of lost evidence", () => {
    const idle = pairsOf("-", "-").map((pair) => ({ ...pair, work_cand: 0 }));
    expect(judgePairs(idle).reason).toBe("work_fell");
  });

  it("a baseline without calls has nothing to fall below", () => {
    const none = pairsOf(...WON).map((pair) => ({ ...pair, work_base: 0, work_cand: 0 }));
    expect(judgePairs(none).reason).toBe("measured");
  });
});

describe("thin evidence proposes and cannot reject: that nothing was seen is no sign of harm", () => {
  it("seven pairs are too few to select, eight will do", () => {
    expect(verdict("+++++++", "++++")).toBe("propose: selection_thin");
    expect(verdict("++++++++", "++++")).toBe("accept: measured");
  });

  it("three pairs are too few to confirm, four will do", () => {
    expect(verdict("++++++++", "+++")).toBe("propose: holdout_thin");
    expect(verdict("++++++++", "---")).toBe("propose: holdout_thin");
  });

  it("a thin slice that lost every pair still proposes", () => {
    expect(verdict("-------", "----")).toBe("propose: selection_thin");
    expect(verdict("", "")).toBe("propose: selection_thin");
  });

  it("ties fill a floor", () => {
    expect(verdict("+=======", "====")).toBe("accept: measured");
  });

  it("a slice above its floor that is not better is rejected, before a thin holdout is looked at", () => {
    expect(verdict("========", "")).toBe("reject: not_better_on_selection");
    expect(verdict("++++----", "++++")).toBe("reject: not_better_on_selection");
  });
});

describe("an episode of one arm only is left out: else dying on the hard ones would pay", () => {
  it("it is neither tie nor loss, and its work counts for nobody", () => {
    const pairs = pairsOf(...WON);
    const judgement = judge({
      ...inputOf(pairs),
      baseline: {
        episodes: [...base(pairs), { episode: "only-a", cost: 0, work: 1e6 }],
        runs: { scored: 13, errored: 0, not_scored: 0 },
      },
    });
    expect(judgement.selection).toEqual({ wins: 8, losses: 0, ties: 0 });
    expect(judgement.work_baseline).toBe(120);
    expect(judgement.reason).toBe("measured");
  });

  it("both kinds are named", () => {
    const pairs = pairsOf("++", "");
    const pairing = pairEpisodes(base(pairs.slice(0, 1)), cand(pairs.slice(1)));
    expect(pairing).toEqual({ pairs: [], baseline_only: ["ep-1"], candidate_only: ["ep-2"] });
  });
});

describe("counts decide, no significance test does: the raw counts and the probabilities only ride along", () => {
  it("a single win among ties is accepted, however likely a coin would do it", () => {
    const judgement = judgePairs(pairsOf("+=======", "===="));
    expect(judgement.chance.selection).toEqual({ untied: 1, as_good: 0.5, two_sided: 1, best: 2 ** -8 });
    expect(judgement.chance.holdout).toEqual({ untied: 0, as_good: null, two_sided: null, best: 2 ** -4 });
    expect(judgement.disposition).toBe("Accept");
  });
});

describe("one gate for both currencies: counters and case passes meet the same rules", () => {
  it("the name of the currency changes no judgement", () => {
    const input = inputOf(pairsOf("++++++--", "+-=="));
    const asCases = judge({ ...input, currency: "case_passes" });
    const asTurns = judge({ ...input, currency: "turns" });
    expect({ ...asTurns, currency: "case_passes" }).toEqual(asCases);
  });
});

describe("changes of architecture or security go to a person, whatever they scored", () => {
  it.each([
    ["config", "accept: measured"],
    ["prose", "accept: measured"],
    ["architecture", "propose: class_needs_person"],
    ["security", "propose: class_needs_person"],
  ] as [ChangeClass, string][])("%s that won everywhere: %s", (change_class, expected) => {
    expect(verdict(...WON, { change_class })).toBe(expected);
  });

  it("measured badly they are rejected before a person is asked", () => {
    expect(verdict("--------", "----", { change_class: "security" })).toBe("reject: not_better_on_selection");
    expect(verdict("++++++++", "----", { change_class: "architecture" })).toBe("reject: lost_on_holdout");
  });
});

describe("an arm that lost too many of its runs to errors cannot be accepted", () => {
  const runs = (errored: number, ran: number) => ({ scored: ran - errored, errored, not_scored: 0 });
  it("one run in ten may be missing, more proposes, in either arm", () => {
    expect(verdict(...WON, { cand_runs: runs(2, 20) })).toBe("accept: measured");
    expect(verdict(...WON, { cand_runs: runs(3, 20) })).toBe("propose: runs_errored");
    expect(verdict(...WON, { base_runs: runs(3, 20) })).toBe("propose: runs_errored");
  });

  it("it is asked after the work guardrail, before the selection floor", () => {
    const broken = { cand_runs: runs(12, 12) };
    expect(verdict("--------", "----", broken)).toBe("propose: runs_errored");
    expect(verdict("+", "", broken)).toBe("propose: runs_errored");
    const idle = pairsOf(...WON).map((pair) => ({ ...pair, work_cand: 0 }));
    expect(judgePairs(idle, broken).reason).toBe("work_fell");
  });

  it("runs that were never started are no errors", () => {
    expect(verdict(...WON, { cand_runs: { scored: 12, errored: 0, not_scored: 500 } })).toBe(
      "accept: measured",
    );
  });
});

describe("a predicted counter has case passes as a second guardrail", () => {
  const withPasses = (selection: string, holdout: string) => ({ passes: pairsOf(selection, holdout) });
  it("more cases broken than fixed rejects on either slice, after that slice has won on the counter", () => {
    expect(verdict(...WON, withPasses("==-=====", "===="))).toBe("reject: cases_lost_on_selection");
    expect(verdict(...WON, withPasses("========", "-==="))).toBe("reject: cases_lost_on_holdout");
    expect(verdict(...WON, withPasses("+-======", "+-=="))).toBe("accept: measured");
  });

  it("the counter is asked first", () => {
    expect(verdict("--------", "----", withPasses("--------", "----"))).toBe(
      "reject: not_better_on_selection",
    );
    expect(verdict("++++++++", "----", withPasses("++++++++", "----"))).toBe("reject: lost_on_holdout");
    expect(verdict("++++++++", "---", withPasses("++++++++", "----"))).toBe("propose: holdout_thin");
  });

  it("cases below a floor say nothing", () => {
    expect(verdict(...WON, withPasses("-------", "---"))).toBe("accept: measured");
  });

  it("rules are numbered among those that were asked", () => {
    expect(judgePairs(pairsOf(...WON)).rule).toMatchObject({ position: 8, of: 8 });
    expect(judgePairs(pairsOf(...WON), withPasses("========", "====")).rule).toMatchObject({
      position: 10,
      of: 10,
    });
    expect(judgePairs(pairsOf("--------", "")).rule).toEqual({
      position: 4,
      of: 8,
      numbers: { wins: 0, losses: 8, ties: 0 },
    });
  });
});

describe("a prediction", () => {
  const kept = (selection: string, holdout: string) =>
    judgePairs(pairsOf(selection, holdout), { predicted: true }).prediction;
  it("is kept when the cost fell on selection and did not rise on the holdout", () => {
    expect(kept("++++++++", "====")).toBe("kept");
    expect(kept("+++++++-", "+-==")).toBe("kept");
  });
  it("is missed when either slice says otherwise", () => {
    expect(kept("========", "++++")).toBe("missed");
    expect(kept("++++++++", "-===")).toBe("missed");
  });
  it("is unknown below a floor, and absent where nothing was predicted", () => {
    expect(kept("+++++++", "++++")).toBe("unknown");
    expect(kept("++++++++", "+++")).toBe("unknown");
    expect(kept("-------", "----")).toBe("missed");
    expect(judgePairs(pairsOf(...WON)).prediction).toBeNull();
  });
});

describe("a caller's mistake that would rank wrongly is thrown", () => {
  const [a] = ids(1, 0).selection;
  it.each([
    ["the same episode twice", [0, 1].map(() => ({ episode: a ?? "", cost: 0, work: 1 }))],
    ["a cost that is no number", [{ episode: "a", cost: Number.NaN, work: 1 }]],
    ["negative work", [{ episode: "a", cost: 0, work: -1 }]],
  ])("%s", (_, episodes) => {
    expect(() => pairEpisodes(episodes, [])).toThrow(RangeError);
    expect(() => pairEpisodes([], episodes)).toThrow(RangeError);
  });
});

describe("work of an episode whose runs differ in number", () => {
  it("is compared per run", () => {
    const pairing = pairEpisodes(
      [{ episode: "a", cost: 1, work: 50, runs: 5 }],
      [{ episode: "a", cost: 0, work: 30, runs: 3 }],
    );
    expect(pairing.pairs[0]).toMatchObject({ work_base: 50, work_cand: 50 });
  });

  it("is brought to the larger number, whichever arm has it", () => {
    const pairing = pairEpisodes(
      [{ episode: "a", cost: 1, work: 20, runs: 2 }],
      [{ episode: "a", cost: 0, work: 33, runs: 3 }],
    );
    expect(pairing.pairs[0]).toMatchObject({ work_base: 30, work_cand: 33 });
  });
});

describe("work that one arm does not tell", () => {
  it.each([
    ["baseline", null, 7],
    ["candidate", 7, null],
  ])("counts on neither side: %s", (_, inBase, inCand) => {
    const { pairs } = pairEpisodes(
      [{ episode: "a", cost: 0, work: inBase }],
      [{ episode: "a", cost: 0, work: inCand }],
    );
    expect(pairs[0]).toMatchObject({ work_base: 0, work_cand: 0 });
  });
});

it("the order of the episodes does not move the last bit of their work", () => {
  const amounts = [0.1, 0.2, 0.3];
  const pairs = pairsOf("+++", "").map((pair, i) => ({ ...pair, work_base: amounts[i] ?? 0 }));
  const forward = judgePairs(pairs).work_baseline;
  expect(judgePairs(pairs.toReversed()).work_baseline).toBe(forward);
});

type Vector = {
  name: string;
  class: ChangeClass;
  holdout_in: number;
  pairs: Pair[];
  expect: Record<string, unknown> & { disposition: string };
};

describe.skipIf(!sharedDir)(`the shared gate vectors${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  it("are judged alike, key by key", () => {
    const file = path.join(sharedDir ?? "", "spec/vectors.json");
    const { gate } = JSON.parse(readFileSync(file, "utf8")) as { gate: { vectors: Vector[] } };
    expect(gate.vectors.length).toBeGreaterThan(15);
    for (const vector of gate.vectors) {
      const judgement = judgePairs(vector.pairs, {
        change_class: vector.class,
        holdout_in: vector.holdout_in,
      });
      const { disposition, ...numbers } = vector.expect;
      expect(dispositionOf(judgement.disposition), vector.name).toBe(disposition);
      expect(judgement, vector.name).toMatchObject(numbers);
    }
  });
});
