import {
  type ArmName,
  type Disposition,
  decide,
  type Evidence,
  erroredMost,
  FLOORS,
  WORK_FLOOR,
} from "./rules.ts";
import type { Slice } from "./split.ts";
import { pairsIn, type Tally } from "./tally.ts";

/** What would have to be different: `by` more of it (pairs, runs or calls, by its name). */
export type Lever =
  | `${"" | "cases_"}${Slice}_${keyof Tally}`
  | "work_candidate_more"
  | "work_candidate_less"
  | `${ArmName}_errored_more`
  | `${ArmName}_errored_less`;
export type Change = { lever: Lever; by: number };

/** A smallest set of changes that leads to another disposition. Wins, losses and ties are added pairs. */
export type Flip = { to: Disposition; changes: Change[] };

/**
 * The smallest changes that would turn the decision, the smallest first: repairs of what stood in the way, and,
 * where nothing did or the evidence was thin, what would have been in the way.
 */
export function flipsOf(evidence: Evidence): Flip[] {
  const now = decide(evidence).disposition;
  const flips: Flip[] = [];
  if (now !== "accept") flips.push(...repaired(evidence));
  if (now !== "reject") flips.push(...broken(evidence));
  return flips.sort((a, b) => size(a) - size(b));
}

/** Lifts one rule after the other, from a rejection to anything else and from a proposal to acceptance. */
function repaired(evidence: Evidence): Flip[] {
  const now = decide(evidence).disposition;
  const changes: Change[] = [];
  let state = evidence;
  // Each rule is lifted at most once, so twice their number is ample.
  for (let step = 0; step < 20; step++) {
    const decision = decide(state);
    const to = decision.disposition;
    if (to === "accept" || (now === "reject" && to === "propose")) return [{ to, changes }];
    const change = repairOf(state);
    if (change === null) return [];
    merge(changes, change);
    state = apply(state, change);
  }
  return [];
}

/** The least that lifts the rule which decides now; null where none can. */
function repairOf(state: Evidence): Change | null {
  const { tallies, passes, work } = state;
  const { reason, numbers } = decide(state);
  switch (reason) {
    case "work_fell":
      return { lever: "work_candidate_more", by: Math.ceil(WORK_FLOOR * work.baseline - work.candidate) };
    case "runs_errored": {
      const arm = numbers.arm === "baseline" ? "baseline" : "candidate";
      const runs = state.runs[arm];
      return { lever: `${arm}_errored_less`, by: runs.errored - erroredMost(runs) };
    }
    case "selection_thin":
      return filling("selection", tallies.selection);
    case "holdout_thin":
      return filling("holdout", tallies.holdout);
    case "not_better_on_selection":
      return { lever: "selection_wins", by: deficit(tallies.selection) + 1 };
    case "lost_on_holdout":
      return { lever: "holdout_wins", by: deficit(tallies.holdout) };
    case "cases_lost_on_selection":
      return passes && { lever: "cases_selection_wins", by: deficit(passes.selection) };
    case "cases_lost_on_holdout":
      return passes && { lever: "cases_holdout_wins", by: deficit(passes.holdout) };
    case "class_needs_person":
    case "measured":
      return null;
    default:
      return reason satisfies never;
  }
}

/** A slice already won needs only more pairs, whatever they show; any other needs them won. */
function filling(slice: Slice, tally: Tally): Change {
  const kind = tally.wins > tally.losses ? "ties" : "wins";
  return { lever: `${slice}_${kind}`, by: FLOORS[slice] - pairsIn(tally) };
}

/** Each single change that would have led to something worse. */
function broken(evidence: Evidence): Flip[] {
  const now = decide(evidence).disposition;
  const { tallies, passes, work, runs } = evidence;
  const options: Change[] = [
    // A slice just filled may already be enough: what stands behind its floor is then asked.
    { lever: "selection_losses", by: FLOORS.selection - pairsIn(tallies.selection) },
    { lever: "selection_losses", by: atLeast("selection", tallies.selection, 0) },
    { lever: "holdout_losses", by: FLOORS.holdout - pairsIn(tallies.holdout) },
    { lever: "holdout_losses", by: atLeast("holdout", tallies.holdout, 1) },
    { lever: "work_candidate_less", by: Math.floor(work.candidate - WORK_FLOOR * work.baseline) + 1 },
  ];
  if (passes) {
    options.push({ lever: "cases_selection_losses", by: atLeast("selection", passes.selection, 1) });
    options.push({ lever: "cases_holdout_losses", by: atLeast("holdout", passes.holdout, 1) });
  }
  for (const arm of ["baseline", "candidate"] as const) {
    const { errored, scored } = runs[arm];
    const by = erroredMost(runs[arm]) - errored + 1;
    if (by <= scored) options.push({ lever: `${arm}_errored_more`, by });
  }
  const seen = new Set<Lever>();
  return options.flatMap((change) => {
    if (change.by < 1 || seen.has(change.lever)) return [];
    const to = decide(apply(evidence, change)).disposition;
    if (to === now || to === "accept") return [];
    seen.add(change.lever);
    return [{ to, changes: [change] }];
  });
}

/** Losses that put a slice over its floor and `over` losses beyond its wins. */
function atLeast(slice: Slice, tally: Tally, over: number): number {
  return Math.max(FLOORS[slice] - pairsIn(tally), tally.wins - tally.losses + over);
}

function deficit(tally: Tally): number {
  return tally.losses - tally.wins;
}

/** The evidence as it would be with one change. */
export function apply(evidence: Evidence, { lever, by }: Change): Evidence {
  const next = structuredClone(evidence);
  if (lever === "work_candidate_more") next.work.candidate += by;
  else if (lever === "work_candidate_less") next.work.candidate -= by;
  else if (lever.endsWith("_more") || lever.endsWith("_less")) {
    const arm = lever.startsWith("baseline") ? "baseline" : "candidate";
    const errored = lever.endsWith("_more") ? by : -by;
    next.runs[arm].errored += errored;
    next.runs[arm].scored -= errored;
  } else addPairs(next, lever, by);
  return next;
}

function addPairs(state: Evidence, lever: Lever, by: number): void {
  const tallies = lever.startsWith("cases_") ? state.passes : state.tallies;
  const slice = lever.includes("selection") ? "selection" : "holdout";
  for (const kind of ["wins", "losses", "ties"] as const) {
    if (tallies && lever.endsWith(kind)) tallies[slice][kind] += by;
  }
}

function merge(changes: Change[], change: Change): void {
  const same = changes.find(({ lever }) => lever === change.lever);
  if (same) same.by += change.by;
  else changes.push({ ...change });
}

/** Pairs weigh before runs, runs before calls: an episode is what a person can imagine otherwise. */
function size({ changes }: Flip): number {
  return changes.reduce((sum, { lever, by }) => sum + by * weight(lever), 0);
}

function weight(lever: Lever): number {
  if (lever.startsWith("work")) return 1e6;
  return lever.includes("errored") ? 1e3 : 1;
}
