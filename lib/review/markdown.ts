import { counted, modelName } from "#lib/format.ts";
import { METRICS } from "#lib/health/tally.ts";
import { code } from "#lib/verdict/markdown.ts";
import { OUTCOMES } from "#lib/verdict/words.ts";
import { firstOf, SHOWN } from "./bounds.ts";
import { TONES, weekChanges } from "./changes.ts";
import type { WeekFinding } from "./findings.ts";
import { markerGroups } from "./marker-words.ts";
import type { ModelReview } from "./models.ts";
import { fateArrow, kindText, predictionWords, proposalWords, verdictSubject } from "./outcome-words.ts";
import type { ReviewReport } from "./report.ts";
import {
  againstLimits,
  costText,
  coverageParts,
  RATE_WORDS,
  rangeText,
  rateText,
  short,
  spanText,
  titleOf,
  type Word,
} from "./words.ts";

/**
 * A review as Markdown. Every text that a model or a file wrote stands in a code span: there it cannot be a heading, a
 * link, a picture or a call for somebody's attention.
 */
export function reviewMarkdown(report: ReviewReport): string {
  const { findings, coverage } = report;
  const parts = [
    `# ${titleOf(report)}`,
    spanText(report),
    "## What changed",
    weekChanges(report)
      .map(({ tone, words }) => `- ${TONES[tone].glyph} ${wordsText(words)}`)
      .join("\n"),
    "## By model, against the eight weeks before",
    ...models(report),
    "## Settings",
    settings(report),
    "## Findings",
    findingTable([
      ["new", findings.new],
      ["standing", findings.standing],
      ["resolved", findings.resolved],
    ]),
    "## Verdicts",
    verdicts(report),
    "## Proposals",
    proposals(report),
    `<sub>${coverageParts(report).join(" · ")}</sub>`,
    ...firstOf(coverage.problems, SHOWN.problems).shown.map(
      ({ place, problem }) => `! ${code(`${place}: ${problem}`)}`,
    ),
  ];
  return `${parts.join("\n\n")}\n`;
}

function wordsText(words: readonly Word[]): string {
  return words.map((word) => (typeof word === "string" ? word : code(short(word.named)))).join("");
}

/** A code span in a table: a bar would end the cell, and only a backslash before it keeps it in. */
function cell(text: string): string {
  return code(short(text)).replaceAll("|", "\\|");
}

function models({ models: all }: ReviewReport): string[] {
  if (all.length === 0) return ["No run in this week or the eight before."];
  const { shown, more } = firstOf(all, SHOWN.models);
  const lines = [
    "| model | rate | this week | limits | the eight weeks before |",
    "|---|---|---:|---|---:|",
    ...shown.flatMap(modelRows),
  ];
  return [lines.join("\n"), ...(more === 0 ? [] : [`and ${counted(more, "more model")} with fewer runs`])];
}

function modelRows(model: ModelReview): string[] {
  const derived = model.provenance === "derived" ? " derived" : "";
  const name = `${cell(modelName(model.model))}${derived}`;
  const rates = METRICS.map((metric) => {
    const review = model.rates[metric];
    const limits = review.limits === null ? "" : ` (${rangeText(review.limits)})`;
    return `| ${name} | ${RATE_WORDS[metric]} | ${rateText(review.rate)} | ${againstLimits(review, model.runs)}${limits} | ${rateText(review.before)} |`;
  });
  return [
    `| ${name} | runs | ${model.runs} | | ${model.runs_before} |`,
    ...rates,
    `| ${name} | cost | ${costText(model.cost)} | | ${costText(model.cost_before)} |`,
  ];
}

function settings({ markers, week }: ReviewReport): string {
  const items = markerGroups(markers, week.zone).map(({ words }) => wordsText(words));
  return list(items, SHOWN.markers, "No change of model or settings is dated in this week.");
}

function findingTable(groups: [string, readonly WeekFinding[]][]): string {
  const rows = groups.flatMap(([name, found]) => {
    const { shown, more } = firstOf(found, SHOWN.findings);
    const lines = shown.map(({ severity, summary }) => `| ${name} | ${severity} | ${cell(summary)} |`);
    return more === 0 ? lines : [...lines, `| ${name} | | and ${more} more |`];
  });
  if (rows.length === 0) return "None new, none standing, none resolved.";
  return ["| | severity | finding |", "|---|---|---|", ...rows].join("\n");
}

function verdicts({ verdicts: reached, verdicts_left_out }: ReviewReport): string {
  const items = reached.map((verdict) => {
    const { glyph, word } = OUTCOMES[verdict.outcome];
    const predicted = predictionWords(verdict);
    const after = predicted.length === 0 ? "" : `; ${wordsText(predicted)}`;
    return `**${glyph} ${word}** ${wordsText(verdictSubject(verdict))}: ${code(short(verdict.reason))}${after} (${code(verdict.id.slice(0, 12))})`;
  });
  return list(items, SHOWN.verdicts, "No verdict was reached.", verdicts_left_out);
}

function proposals({ proposals: made, proposals_left_out }: ReviewReport): string {
  const items = made.map((proposal) => {
    return `**${kindText(proposal)}** ${wordsText(proposalWords(proposal))} for ${code(short(proposal.subject))} by ${code(short(proposal.model))} ${fateArrow(proposal.fate)}`.trimEnd();
  });
  return list(items, SHOWN.proposals, "No diagnosis was run.", proposals_left_out);
}

function list(items: readonly string[], max: number, none: string, beyond = 0): string {
  if (items.length === 0) return none;
  const { shown, more } = firstOf(items, max);
  const rest = more + beyond === 0 ? [] : [`- and ${more + beyond} more`];
  return [...shown.map((item) => `- ${item}`), ...rest].join("\n");
}
