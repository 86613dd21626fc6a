import { pairsIn, type Tallies, type Tally } from "./tally.ts";

/** Bumped whenever the same evidence could be judged differently. */
export const RULE_VERSION = 1;

/** Low on purpose: an episode costs a model run in each arm, and the holdout does what a larger sample would. */
export const FLOORS = { selection: 8, holdout: 4 } as const;
/** Less work than this share of the baseline's, and fewer mistakes may only mean fewer attempts. */
export const WORK_FLOOR = 0.75;
/** An arm that lost more than one in so many of its runs to errors is too incomplete to be accepted. */
const ERRORED_ONE_IN = 10;

export const CHANGE_CLASSES = ["config", "prose", "architecture", "security"] as const;
export type ChangeClass = (typeof CHANGE_CLASSES)[number];

export type Disposition = "accept" | "propose" | "reject";

/** The rules in the order in which they are asked; the first that applies decides. */
export const RULES = [
  "work_fell",
  "runs_errored",
  "selection_thin",
  "not_better_on_selection",
  "cases_lost_on_selection",
  "holdout_thin",
  "lost_on_holdout",
  "cases_lost_on_holdout",
  "class_needs_person",
  "measured",
] as const;
export type Reason = (typeof RULES)[number];

/** How complete an arm is, in runs: finished and graded, ended in an error, never started. */
export type RunCoverage = { scored: number; errored: number; not_scored: number };

export type ArmName = "baseline" | "candidate";

/** All that a decision rests on. */
export type Evidence = {
  change_class: ChangeClass;
  tallies: Tallies;
  /** Case passes as a second guardrail, where the judged cost is a predicted counter; null without one. */
  passes: Tallies | null;
  work: Record<ArmName, number>;
  runs: Record<ArmName, RunCoverage>;
};

export type Decision = {
  disposition: Disposition;
  reason: Reason;
  /** What the rule looked at. */
  numbers: Record<string, number | string>;
};

/** Asks the rules in order. Thin evidence never rejects: that nothing was seen is not a sign of harm. */
export function decide(evidence: Evidence): Decision {
  return guardrails(evidence) ?? onSelection(evidence) ?? onHoldout(evidence) ?? last(evidence);
}

function guardrails({ work, runs }: Evidence): Decision | null {
  if (work.baseline > 0 && work.candidate < WORK_FLOOR * work.baseline) {
    const numbers = { work_baseline: work.baseline, work_candidate: work.candidate, floor: WORK_FLOOR };
    return { disposition: "reject", reason: "work_fell", numbers };
  }
  for (const arm of ["baseline", "candidate"] as const) {
    const { errored, scored } = runs[arm];
    if (mostlyErrored(runs[arm])) {
      const numbers = { arm, errored, ran: errored + scored, limit: 1 / ERRORED_ONE_IN };
      return { disposition: "propose", reason: "runs_errored", numbers };
    }
  }
  return null;
}

/** Did an arm lose more of its runs to errors than may be missing? */
export function mostlyErrored(runs: Ended): boolean {
  return runs.errored > erroredMost(runs);
}

/** So many of the runs that ended may have ended in an error. */
export function erroredMost({ scored, errored }: Ended): number {
  return Math.floor((scored + errored) / ERRORED_ONE_IN);
}

type Ended = Pick<RunCoverage, "scored" | "errored">;

function onSelection({ tallies: { selection }, passes }: Evidence): Decision | null {
  if (pairsIn(selection) < FLOORS.selection) return thin("selection_thin", selection, FLOORS.selection);
  if (selection.wins <= selection.losses) {
    return { disposition: "reject", reason: "not_better_on_selection", numbers: { ...selection } };
  }
  if (passes && fewerCases(passes.selection, FLOORS.selection)) {
    return { disposition: "reject", reason: "cases_lost_on_selection", numbers: { ...passes.selection } };
  }
  return null;
}

function onHoldout({ tallies: { holdout }, passes }: Evidence): Decision | null {
  if (pairsIn(holdout) < FLOORS.holdout) return thin("holdout_thin", holdout, FLOORS.holdout);
  if (holdout.wins < holdout.losses) {
    return { disposition: "reject", reason: "lost_on_holdout", numbers: { ...holdout } };
  }
  if (passes && fewerCases(passes.holdout, FLOORS.holdout)) {
    return { disposition: "reject", reason: "cases_lost_on_holdout", numbers: { ...passes.holdout } };
  }
  return null;
}

function last({ change_class, tallies }: Evidence): Decision {
  const numbers = {
    change_class,
    selection_wins: tallies.selection.wins,
    selection_losses: tallies.selection.losses,
    holdout_wins: tallies.holdout.wins,
    holdout_losses: tallies.holdout.losses,
  };
  // However well they scored: a loop that may widen its own confinement will in time argue well for it.
  const forPerson = change_class === "architecture" || change_class === "security";
  return forPerson
    ? { disposition: "propose", reason: "class_needs_person", numbers }
    : { disposition: "accept", reason: "measured", numbers };
}

function thin(reason: Reason, tally: Tally, floor: number): Decision {
  return { disposition: "propose", reason, numbers: { pairs: pairsIn(tally), floor } };
}

function fewerCases(tally: Tally, floor: number): boolean {
  return pairsIn(tally) >= floor && tally.losses > tally.wins;
}
