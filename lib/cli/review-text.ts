import { counted, modelName, visible } from "#lib/format.ts";
import { METRICS } from "#lib/health/tally.ts";
import { firstOf, SHOWN } from "#lib/review/bounds.ts";
import { type Change, TONES, weekChanges } from "#lib/review/changes.ts";
import type { WeekFinding } from "#lib/review/findings.ts";
import { markerGroups } from "#lib/review/marker-words.ts";
import type { ModelReview } from "#lib/review/models.ts";
import {
  fateArrow,
  kindText,
  predictionWords,
  proposalWords,
  verdictSubject,
} from "#lib/review/outcome-words.ts";
import type { ReviewReport } from "#lib/review/report.ts";
import {
  againstLimits,
  costText,
  coverageParts,
  plain,
  RATE_WORDS,
  rangeText,
  rateText,
  short,
  spanText,
  titleOf,
} from "#lib/review/words.ts";
import { OUTCOMES } from "#lib/verdict/words.ts";
import type { Style } from "./style.ts";
import { type Column, tableLines } from "./table.ts";

/** The text of `mecha review`, without a final newline. `room`: columns of a line; null = as many as it takes. */
export function reviewText(report: ReviewReport, style: Style, room: number | null): string {
  const { findings } = report;
  const sections: [string, string[]][] = [
    ["what changed", weekChanges(report).map((change) => changeLine(change, style))],
    ["by model, against the eight weeks before", models(report, room)],
    ["settings", settings(report)],
    ["findings, new", findingLines(findings.new)],
    ["findings, standing", findingLines(findings.standing)],
    ["findings, resolved", findingLines(findings.resolved)],
    ["verdicts", verdicts(report)],
    ["proposals", proposals(report)],
  ];
  const head = `${titleOf(report)}, ${spanText(report)}`;
  const blocks = sections.map(([title, lines]) => [
    style.bold(title),
    ...(lines.length === 0 ? ["  none"] : lines.map((line) => `  ${line}`)),
  ]);
  return [[style.bold(head)], ...blocks, footer(report)].map((lines) => lines.join("\n")).join("\n\n");
}

function changeLine({ tone, words }: Change, style: Style): string {
  const paint = { worse: style.red, better: style.green, neutral: style.dim }[tone];
  return `${paint(TONES[tone].glyph)} ${plain(words)}`;
}

const COLUMNS: Column[] = [
  { header: "model", shrinkTo: 12 },
  { header: "" },
  { header: "this week", align: "right" },
  { header: "before", align: "right" },
  { header: "limits", shrinkTo: 16 },
];

function models({ models: all }: ReviewReport, room: number | null): string[] {
  if (all.length === 0) return ["no run in this week or the eight before"];
  const { shown, more } = firstOf(all, SHOWN.models);
  const lines = tableLines(COLUMNS, shown.flatMap(modelRows), room === null ? null : room - 2);
  return more === 0 ? lines : [...lines, `and ${counted(more, "more model")} with fewer runs`];
}

function modelRows(model: ModelReview): string[][] {
  const name = `${modelName(model.model)}${model.provenance === "derived" ? " (derived)" : ""}`;
  return [
    [name, "runs", String(model.runs), String(model.runs_before), ""],
    ...METRICS.map((metric) => {
      const review = model.rates[metric];
      const range = review.limits === null ? "" : `, ${rangeText(review.limits)}`;
      return [
        "",
        RATE_WORDS[metric],
        rateText(review.rate),
        rateText(review.before),
        `${againstLimits(review, model.runs)}${range}`,
      ];
    }),
    ["", "cost", costText(model.cost), costText(model.cost_before), ""],
  ];
}

function settings({ markers, week }: ReviewReport): string[] {
  return list(
    markerGroups(markers, week.zone).map(({ words }) => plain(words)),
    SHOWN.markers,
  );
}

function findingLines(found: readonly WeekFinding[]): string[] {
  return list(
    found.map(({ severity, summary }) => `[${severity}] ${visible(short(summary))}`),
    SHOWN.findings,
  );
}

function verdicts({ verdicts: reached, verdicts_left_out }: ReviewReport): string[] {
  const lines = reached.map((verdict) => {
    const { glyph, word } = OUTCOMES[verdict.outcome];
    const predicted = plain(predictionWords(verdict));
    const after = predicted === "" ? "" : `; ${predicted}`;
    return `${glyph} ${word}  ${plain(verdictSubject(verdict))}: ${visible(short(verdict.reason))}${after}  (${verdict.id.slice(0, 12)})`;
  });
  return list(lines, SHOWN.verdicts, verdicts_left_out);
}

function proposals({ proposals: made, proposals_left_out }: ReviewReport): string[] {
  const lines = made.map((proposal) => {
    const about = `for ${visible(short(proposal.subject))} by ${visible(short(proposal.model))}`;
    return `${kindText(proposal)}  ${plain(proposalWords(proposal))} ${about} ${fateArrow(proposal.fate)}`.trimEnd();
  });
  return list(lines, SHOWN.proposals, proposals_left_out);
}

/** `beyond`: rows that the report itself has left out. */
function list(lines: readonly string[], max: number, beyond = 0): string[] {
  const { shown, more } = firstOf(lines, max);
  return more + beyond === 0 ? shown : [...shown, `and ${more + beyond} more`];
}

function footer(report: ReviewReport): string[] {
  const { shown, more } = firstOf(report.coverage.problems, SHOWN.problems);
  return [
    coverageParts(report).join(" · "),
    ...shown.map(({ place, problem }) => `! ${visible(`${place}: ${problem}`)}`),
    ...(more === 0 ? [] : [`! ${counted(more, "more problem")}`]),
  ];
}
