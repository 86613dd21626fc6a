import type { Fate } from "#lib/diagnose/fate.ts";
import { DASH } from "#lib/format.ts";
import { OUTCOMES } from "#lib/verdict/words.ts";
import type { WeekProposal, WeekVerdict } from "./stored.ts";
import { short, type Word } from "./words.ts";

/** What a verdict judged: the change, else one arm against the other. */
export function verdictSubject({ change, candidate, baseline }: WeekVerdict): Word[] {
  if (change !== null) return [{ named: short(change) }];
  return [{ named: short(candidate, 80) }, " against ", { named: short(baseline, 80) }];
}

/** What was predicted and whether it held; empty where nothing was. */
export function predictionWords({ predicted_metric, prediction }: WeekVerdict): Word[] {
  if (predicted_metric === null) return [];
  return ["predicted lower ", { named: short(predicted_metric, 40) }, `: ${prediction ?? "unknown"}`];
}

const KIND_WORDS: Record<WeekProposal["kind"], string> = {
  proposal: "proposed",
  declined: "declined",
  refused: "refused",
  unparsable: "not understood",
  failed: "failed",
};

/** What a diagnosis came to, in a word. */
export function kindText({ kind }: WeekProposal): string {
  return KIND_WORDS[kind];
}

/** What a diagnosis said: the change and what it is to lower, or why there is none. */
export function proposalWords({ change, metric, reason }: WeekProposal): Word[] {
  if (change === null) return [{ named: short(reason ?? "no reason given") }];
  const lowers: Word[] = metric === null ? [] : [", to lower ", { named: short(metric, 40) }];
  return [{ named: short(change) }, ...lowers];
}

/** What became of a proposal; `—` for what proposes nothing. */
function fateText(fate: Fate): string {
  switch (fate.kind) {
    case "nothing_to_measure":
      return DASH;
    case "not_measured":
      return "not measured";
    case "queued":
      return fate.state === "queued" ? "waits to be measured" : "being measured";
    case "not_finished":
      return fate.state === "cancelled" ? "measuring was cancelled" : "measuring ended without a verdict";
    case "verdict": {
      const { glyph, word } = OUTCOMES[fate.outcome];
      return `${glyph} ${word}, prediction ${fate.prediction}`;
    }
    default:
      return fate satisfies never;
  }
}

/** The same behind an arrow; empty for what proposes nothing. */
export function fateArrow(fate: Fate): string {
  return fate.kind === "nothing_to_measure" ? "" : `→ ${fateText(fate)}`;
}
