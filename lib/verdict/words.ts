import { count, DASH, percent } from "#lib/format.ts";
import type { Change, Flip, Lever } from "#lib/gate/flip.ts";
import type { Disposition } from "#lib/gate/rules.ts";
import type { LeftOut } from "./document.ts";
import type { SliceView, VerdictView } from "./view.ts";

/** A glyph, a word, and the word that the command line has for it: never colour alone. */
export const OUTCOMES: Record<Disposition | "unknown", { glyph: string; word: string; shout: string }> = {
  accept: { glyph: "✓", word: "ACCEPT", shout: "BETTER" },
  propose: { glyph: "?", word: "PROPOSE", shout: "READ IT" },
  reject: { glyph: "✕", word: "REJECT", shout: "NO" },
  unknown: { glyph: DASH, word: "NOT JUDGED", shout: "NOT JUDGED" },
};

/** The arms over a column: the gate weighs a baseline and a candidate, logs and the command line have letters. */
export const ARM_NAMES = { baseline: "Baseline (arm\u00a0A)", candidate: "Candidate (arm\u00a0B)" } as const;

/** What would turn a judgement, one sentence each, the smallest first. */
export function flipSentences(flips: readonly Flip[]): string[] {
  return flips.map(({ to, changes }) => `${changes.map(changeWords).join(", and ")} → ${to}`);
}

function changeWords({ lever, by }: Change): string {
  const n = by === 1 ? "one" : count(by);
  const [what, place] = leverWords(lever, by === 1);
  return `${n} ${what}${place}`;
}

function leverWords(lever: Lever, single: boolean): [string, string] {
  const s = single ? "" : "s";
  if (lever === "work_candidate_more") return [`tool call${s} more by the candidate`, ""];
  if (lever === "work_candidate_less") return [`tool call${s} fewer by the candidate`, ""];
  const errored = /^(baseline|candidate)_errored_(more|less)$/.exec(lever);
  if (errored) {
    const word = errored[2] === "more" ? "more" : "fewer";
    return [`errored run${s} ${word} in the ${errored[1]} arm`, ""];
  }
  const slice = lever.includes("selection") ? "selection slice" : "holdout";
  const kind = lever.startsWith("cases_") ? "case" : "pair";
  if (lever.endsWith("wins")) return [`more won ${kind}${s}`, ` on the ${slice}`];
  if (lever.endsWith("losses")) return [`more lost ${kind}${s}`, ` on the ${slice}`];
  return [`more ${kind}${s}`, ` on the ${slice}, however ${single ? "it goes" : "they go"}`];
}

export const LEFT_OUT_WORDS: Record<LeftOut, string> = {
  baseline_only: "ran in the baseline only",
  candidate_only: "ran in the candidate only",
  unequal_runs: "ran more often in one arm than in the other",
  errored: "all its runs errored in one arm",
};

/** How often a change without effect would win at least as many of the untied pairs. */
export function chanceShare({ tally, chance }: SliceView): string {
  if (chance.untied === 0) return tally.ties === 0 ? "empty" : "all tied";
  return chance.as_good === null ? "too many to work out" : smallShare(chance.as_good);
}

/** The same as a line: "by chance alone this often: 14%". */
export function chanceWords(slice: SliceView): string {
  const share = chanceShare(slice);
  return slice.chance.as_good === null ? share : `by chance alone this often: ${share}`;
}

/** A small probability keeps a digit that says something. */
export function smallShare(share: number): string {
  if (share < 0.0001) return "under 0.01%";
  if (share < 0.01) return `${(share * 100).toFixed(2)}%`;
  return percent({ hits: share, of: 1 }, share < 0.1 ? 1 : 0);
}

/** What the floors can show at most, said once beside the tallies. */
export const FLOOR_WORDS =
  "Context, not a rule: 8 pairs that were all won happen by chance once in 256 times, 4 once in 16; ties fill a floor and tell nothing.";

/** What was predicted and what became of it; null where nothing was. */
export function predictionWords({ prediction }: VerdictView): string | null {
  if (prediction === null || prediction.metric === null) return null;
  const when = prediction.made_at === null ? "" : ` (written down ${prediction.made_at})`;
  return `lower ${prediction.metric}${when}: ${prediction.kept ?? "unknown"}`;
}

/** The first line of every rendering: what was changed and what came of it. */
export function titleOf(view: VerdictView): string {
  return view.prediction?.change ?? `${view.arms.candidate.label} against ${view.arms.baseline.label}`;
}

/** The candidate's work as a share of the baseline's. */
export function workShare(view: VerdictView): string {
  return view.work === null ? DASH : percent({ hits: view.work.candidate, of: view.work.baseline }, 0);
}

/** What is judged, in words. */
export function currencyWords(currency: string | null): string {
  if (currency === null) return "unknown";
  return currency === "case_passes" ? "case passes" : `the runs' own ${currency}`;
}

/** The name under which a verdict is saved as a file; null for one without an id. */
export function fileNameOf(view: VerdictView): string | null {
  return view.id === null ? null : `verdict-${view.id.slice(0, 12)}.json`;
}

/** The command that checks a saved verdict again, as argv. */
export function recheckCommand(view: VerdictView): string[] | null {
  const file = fileNameOf(view);
  return file === null ? null : ["mecha", "verdict", "verify", file];
}
