import { count, visible } from "#lib/format.ts";
import { shellLine } from "#lib/shell-quote.ts";
import type { ArmView, VerdictView } from "./view.ts";
import {
  chanceWords,
  currencyWords,
  FLOOR_WORDS,
  flipSentences,
  LEFT_OUT_WORDS,
  OUTCOMES,
  predictionWords,
  recheckCommand,
  titleOf,
  workShare,
} from "./words.ts";

/**
 * The block that a measurement ends with: both arms, the cases that flipped, the tallies, the work, the verdict.
 * `header` names the kind of measurement: `config A/B`.
 */
export function verdictBlock(view: VerdictView, header: string): string {
  const { baseline, candidate } = view.arms;
  const lines = [
    `── ${header} ──`,
    armLine("A", baseline),
    armLine("B", candidate),
    ...view.changed.map(({ id, change }) => `  ${change.toUpperCase()}: ${visible(id)}`),
    "",
    ...tallyLines(view),
    "",
    verdictLine(view),
  ];
  return `${lines.join("\n")}\n`;
}

/** The whole verdict as `mecha verdict show` prints it: the block, and below it what it rests on. */
export function verdictText(view: VerdictView): string {
  const { glyph, word } = OUTCOMES[view.outcome ?? "unknown"];
  const rule =
    view.rule === null ? "" : `   (rule ${view.rule.position} of ${view.rule.of}: ${view.rule.name})`;
  const sections = [
    [`${glyph} ${word}   ${visible(titleOf(view))}${rule}`],
    verdictBlock(view, blockName(view)).trimEnd().split("\n"),
    contextLines(view),
    listed("would flip it", view.flips === null ? [] : flipSentences(view.flips)),
    listed(
      "listed, never scored",
      (view.left_out ?? []).map(({ id, why }) => `${visible(id)}: ${LEFT_OUT_WORDS[why]}`),
    ),
    listed("remarks", view.remarks.map(visible)),
    listed("unknown in this file", view.unknown),
    originLines(view),
  ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

export function verdictLine(view: VerdictView): string {
  const { shout } = OUTCOMES[view.outcome ?? "unknown"];
  return `verdict: ${shout}${view.reason === null ? "" : ` — ${visible(view.reason)}`}`;
}

function blockName(view: VerdictView): string {
  if (view.kind === "ab_rules") return "rules A/B";
  return view.kind === "ab_config" ? "config A/B" : "verdict";
}

function armLine(letter: string, arm: ArmView): string {
  const cases = arm.cases === null ? "passes not graded" : `${arm.cases.passed}/${arm.cases.total} cases`;
  return `arm ${letter} (${visible(arm.label)}): ${cases}`;
}

function tallyLines(view: VerdictView): string[] {
  if (view.slices === null) return ["selection and holdout: unknown"];
  const tallies = view.slices.map(
    ({ slice, tally }) => `${slice.padEnd(9)}  ${tally.wins}+ ${tally.losses}- ${tally.ties}=`,
  );
  const [selection, holdout] = tallies;
  const work =
    view.work === null
      ? "work       unknown"
      : `work       ${whole(view.work.baseline)} tool calls → ${whole(view.work.candidate)}`;
  return [`${selection}    ${holdout?.replace(/^holdout +/, "holdout  ")}`, work];
}

function contextLines(view: VerdictView): string[] {
  const lines = [row("judged", currencyWords(view.currency))];
  const predicted = predictionWords(view);
  if (predicted !== null) lines.push(row("predicted", predicted));
  if (view.prediction?.rationale) lines.push(row("because", visible(view.prediction.rationale)));
  for (const slice of view.slices ?? []) lines.push(row(slice.slice, chanceWords(slice)));
  if (view.slices !== null) lines.push(row("", FLOOR_WORDS));
  if (view.passes !== null) {
    const { selection: s, holdout: h } = view.passes;
    lines.push(
      row(
        "case passes",
        `selection ${s.wins}+ ${s.losses}- ${s.ties}=, holdout ${h.wins}+ ${h.losses}- ${h.ties}=`,
      ),
    );
  }
  lines.push(row("work", `${workShare(view)} of the baseline's calls; under 75% is rejected`));
  lines.push(
    row("coverage A", coverageWords(view.arms.baseline)),
    row("coverage B", coverageWords(view.arms.candidate)),
  );
  return lines;
}

function coverageWords({ coverage }: ArmView): string {
  if (coverage === null) return "unknown";
  const { scored, errored, not_scored, total } = coverage;
  return `${scored} scored · ${errored} errored · ${not_scored} not scored · ${total} runs`;
}

function originLines(view: VerdictView): string[] {
  const lines: string[] = [];
  if (view.created_at !== null)
    lines.push(row("judged at", `${visible(view.created_at)} by ${visible(view.made_by ?? "")}`));
  if (view.id !== null) lines.push(row("id", visible(view.id)));
  const command = recheckCommand(view);
  if (command !== null) lines.push(row("re-check", shellLine(command)));
  return lines;
}

function listed(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines.map((line) => `  ${line}`)];
}

function row(label: string, value: string): string {
  return `  ${label.padEnd(12)}${value}`;
}

function whole(n: number): string {
  return count(Math.round(n));
}
