import type { Decision } from "./rules.ts";

/** Why, in one sentence without a full stop, from the numbers the rule looked at. */
export function reasonText({ reason, numbers: n }: Pick<Decision, "reason" | "numbers">): string {
  switch (reason) {
    case "work_fell":
      return `it attempted ${n.work_candidate} tool calls where the baseline attempted ${n.work_baseline}: less than 75% of the work can look better by doing less`;
    case "runs_errored":
      return `${n.errored} of ${n.ran} runs of the ${n.arm} arm ended in an error: with more than 10% missing nothing is accepted`;
    case "selection_thin":
      return `${n.pairs} paired episodes on the selection slice are too few to decide on, ${n.floor} are needed`;
    case "not_better_on_selection":
      return `no better on the selection slice: ${n.wins} won, ${n.losses} lost`;
    case "cases_lost_on_selection":
      return `the predicted cost fell, but more cases broke than were fixed on the selection slice: ${n.losses} against ${n.wins}`;
    case "holdout_thin":
      return `better on the selection slice, but ${n.pairs} paired episodes on the holdout cannot confirm it, ${n.floor} are needed`;
    case "lost_on_holdout":
      return `the gain did not carry over to the holdout: ${n.wins} won, ${n.losses} lost there`;
    case "cases_lost_on_holdout":
      return `the predicted cost fell, but more cases broke than were fixed on the holdout: ${n.losses} against ${n.wins}`;
    case "class_needs_person":
      return `measured well, but a person decides about a change of class ${n.change_class}`;
    case "measured":
      return "better on the selection slice and no worse on the holdout";
    default:
      return reason satisfies never;
  }
}
