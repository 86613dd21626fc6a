import { type Chance, chanceOf, FLOOR_CHANCE } from "./chance.ts";
import { type Flip, flipsOf } from "./flip.ts";
import type { CostMetric } from "./metrics.ts";
import { type Episode, type Pair, pairEpisodes } from "./pair.ts";
import { reasonText } from "./reason-text.ts";
import {
  type ChangeClass,
  type Decision,
  type Disposition,
  decide,
  type Evidence,
  FLOORS,
  type Reason,
  RULE_VERSION,
  RULES,
  type RunCoverage,
} from "./rules.ts";
import type { Slice } from "./split.ts";
import { pairsIn, type Tallies, type Tally, tallyPairs } from "./tally.ts";

/** One arm as the gate sees it. */
export type Arm = { episodes: readonly Episode[]; runs: RunCoverage };

export type JudgeInput = {
  change_class: ChangeClass;
  /** One in so many episodes is held out; an integer ≥ 2. */
  holdout_in: number;
  /** What the costs are: "case_passes" (0 passed, 1 not), or a counter metric. */
  currency: "case_passes" | CostMetric;
  baseline: Arm;
  candidate: Arm;
  /** Case passes of the same arms, as a second guardrail beside a predicted counter; null without a prediction. */
  passes: { baseline: readonly Episode[]; candidate: readonly Episode[] } | null;
  /** Whether a prediction of a lower cost was made before measuring. */
  predicted: boolean;
};

/** `{ "Propose": "why" }` and the like: the spelling in which the judgement travels between programs. */
export type DispositionJson = "Accept" | { Propose: string } | { Reject: string };

/** The judgement, ready to be written as JSON. The first five keys are those other readers know. */
export type Judgement = {
  disposition: DispositionJson;
  selection: Tally;
  holdout: Tally;
  work_baseline: number;
  work_candidate: number;
  reason: Reason;
  rule: { position: number; of: number; numbers: Record<string, number | string> };
  rule_version: number;
  change_class: ChangeClass;
  currency: "case_passes" | CostMetric;
  holdout_in: number;
  coverage: { baseline: RunCoverage; candidate: RunCoverage };
  passes: Tallies | null;
  /** Whether the predicted cost fell; null where nothing was predicted. */
  prediction: "kept" | "missed" | "unknown" | null;
  flips: Flip[];
  chance: { selection: Chance; holdout: Chance; floors: Record<Slice, number> };
};

/** Judges two arms. Pure: the same arms, in any order of their episodes, give the same judgement. */
export function judge(input: JudgeInput): Judgement {
  const { pairs } = pairEpisodes(input.baseline.episodes, input.candidate.episodes);
  const evidence = evidenceOf(input, pairs);
  const decision = decide(evidence);
  const { selection, holdout } = evidence.tallies;
  return {
    disposition: dispositionJson(decision),
    selection,
    holdout,
    work_baseline: evidence.work.baseline,
    work_candidate: evidence.work.candidate,
    reason: decision.reason,
    rule: { ...placeOf(decision.reason, evidence.passes !== null), numbers: decision.numbers },
    rule_version: RULE_VERSION,
    change_class: input.change_class,
    currency: input.currency,
    holdout_in: input.holdout_in,
    coverage: evidence.runs,
    passes: evidence.passes,
    prediction: input.predicted ? predictionOf(evidence.tallies) : null,
    flips: flipsOf(evidence),
    chance: { selection: chanceOf(selection), holdout: chanceOf(holdout), floors: { ...FLOOR_CHANCE } },
  };
}

/** The word of a disposition in its travelling form. */
export function dispositionOf(json: DispositionJson): Disposition {
  if (json === "Accept") return "accept";
  return "Propose" in json ? "propose" : "reject";
}

function evidenceOf(input: JudgeInput, pairs: readonly Pair[]): Evidence {
  // Summed by id: the order in which episodes arrive must not move the last bit of a scaled amount.
  const sorted = [...pairs].sort((a, b) => (a.episode < b.episode ? -1 : 1));
  const passes = input.passes && pairEpisodes(input.passes.baseline, input.passes.candidate).pairs;
  return {
    change_class: input.change_class,
    tallies: tallyPairs(sorted, input.holdout_in),
    passes: passes && tallyPairs(passes, input.holdout_in),
    work: {
      baseline: sorted.reduce((sum, pair) => sum + pair.work_base, 0),
      candidate: sorted.reduce((sum, pair) => sum + pair.work_cand, 0),
    },
    runs: { baseline: { ...input.baseline.runs }, candidate: { ...input.candidate.runs } },
  };
}

function dispositionJson(decision: Decision): DispositionJson {
  const { disposition } = decision;
  switch (disposition) {
    case "accept":
      return "Accept";
    case "propose":
      return { Propose: reasonText(decision) };
    case "reject":
      return { Reject: reasonText(decision) };
    default:
      return disposition satisfies never;
  }
}

/** Where the rule stands among those that were asked: without case passes beside, two of them are not. */
function placeOf(reason: Reason, withPasses: boolean): { position: number; of: number } {
  const asked = RULES.filter((rule) => withPasses || !rule.startsWith("cases_"));
  return { position: asked.indexOf(reason) + 1, of: asked.length };
}

/** Kept: better on selection and not worse on the holdout. Below a floor nobody can say. */
function predictionOf({ selection, holdout }: Tallies): "kept" | "missed" | "unknown" {
  const selected = pairsIn(selection) >= FLOORS.selection;
  const confirmed = pairsIn(holdout) >= FLOORS.holdout;
  if (selected && selection.wins <= selection.losses) return "missed";
  if (confirmed && holdout.wins < holdout.losses) return "missed";
  return selected && confirmed ? "kept" : "unknown";
}
