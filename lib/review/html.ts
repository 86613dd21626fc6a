import { counted, visible } from "#lib/format.ts";
import { pageHtml } from "#lib/verdict/html.ts";
import { OUTCOMES } from "#lib/verdict/words.ts";
import { firstOf, SHOWN } from "./bounds.ts";
import { TONES, weekChanges } from "./changes.ts";
import type { WeekFinding } from "./findings.ts";
import { modelsHtml, moreModelsHtml } from "./html-models.ts";
import { STYLE } from "./html-style.ts";
import { safe, section, wordsHtml } from "./html-text.ts";
import { markerGroups } from "./marker-words.ts";
import { fateArrow, kindText, predictionWords, proposalWords, verdictSubject } from "./outcome-words.ts";
import type { ReviewReport } from "./report.ts";
import type { WeekProposal, WeekVerdict } from "./stored.ts";
import { CELL_MAX, coverageParts, FINDING_MAX, short, spanText, titleOf, type Word } from "./words.ts";

/** A review as one file that needs nothing else. */
export function reviewHtml(report: ReviewReport): string {
  const content = `<h1>${safe(titleOf(report))}</h1>
<p class="soft">${safe(spanText(report))}</p>
${section("What changed", changes(report))}
${section("By model, against the eight weeks before", modelsHtml(report))}
<div class="${report.models.length > 0 ? "second" : ""}">
${section("More models", moreModelsHtml(report))}
${section("Settings", settings(report))}
${section("Findings", findings(report))}
<div class="pair">
${section("Verdicts", verdicts(report))}
${section("Proposals", proposals(report))}
</div>
</div>`;
  const after = `<footer>${safe(coverageParts(report).join(" · "))}${problems(report)}</footer>`;
  return pageHtml({ title: titleOf(report), content, after, style: STYLE });
}

function changes(report: ReviewReport): string {
  const items = weekChanges(report).map(({ tone, words }) => {
    const { glyph, word } = TONES[tone];
    const title = word === "" ? "" : ` title="${word}"`;
    return `<li><span class="${tone}"${title}>${glyph}</span><span>${wordsHtml(words)}</span></li>`;
  });
  return `<ul class="changes">${items.join("\n")}</ul>`;
}

function settings({ markers, week }: ReviewReport): string {
  return list(
    markerGroups(markers, week.zone).map(({ words }) => wordsHtml(words)),
    SHOWN.markers,
    "No change of model or settings is dated in this week.",
  );
}

function findings({ findings: { new: fresh, standing, resolved } }: ReviewReport): string {
  return `<div class="lists">
${findingList("New", fresh)}
${findingList("Standing", standing)}
${findingList("Resolved", resolved)}
</div>`;
}

function findingList(title: string, found: readonly WeekFinding[]): string {
  const items = found.map(
    ({ severity, summary }) => `<b>${severity}</b> <bdi>${safe(short(summary, FINDING_MAX))}</bdi>`,
  );
  return `<div><h4>${title} (${found.length})</h4>${list(items, SHOWN.findings, "None.")}</div>`;
}

function verdicts({ verdicts: reached, verdicts_left_out }: ReviewReport): string {
  return list(reached.map(verdictItem), SHOWN.verdicts, "No verdict was reached.", verdicts_left_out);
}

function verdictItem(verdict: WeekVerdict): string {
  const { glyph, word } = OUTCOMES[verdict.outcome];
  const said: Word[] = [{ named: verdict.reason }];
  const predicted = predictionWords(verdict);
  if (predicted.length > 0) said.push(" · ", ...predicted);
  return `<b>${glyph} ${word}</b> <code>${wordsHtml(verdictSubject(verdict))}</code> <span class="soft">${wordsHtml(said)}</span>`;
}

function proposals({ proposals: made, proposals_left_out }: ReviewReport): string {
  return list(made.map(proposalItem), SHOWN.proposals, "No diagnosis was run.", proposals_left_out);
}

function proposalItem(proposal: WeekProposal): string {
  const { subject, model } = proposal;
  const about: Word[] = [
    " for ",
    { named: short(subject, CELL_MAX) },
    " by ",
    { named: short(model, CELL_MAX) },
  ];
  const fate = ` <span class="soft">${safe(fateArrow(proposal.fate))}</span>`;
  return `<b>${kindText(proposal)}</b> <code>${wordsHtml(proposalWords(proposal))}</code><span class="soft">${wordsHtml(about)}</span>${fate}`;
}

/** `beyond`: rows that the report itself has left out. */
function list(items: readonly string[], max: number, none: string, beyond = 0): string {
  if (items.length === 0) return `<p class="soft">${none}</p>`;
  const { shown, more } = firstOf(items, max);
  const rest = more + beyond === 0 ? "" : `<li class="soft">and ${more + beyond} more</li>`;
  return `<ul>${shown.map((item) => `<li>${item}</li>`).join("\n")}${rest}</ul>`;
}

function problems({ coverage }: ReviewReport): string {
  const { shown, more } = firstOf(coverage.problems, SHOWN.problems);
  const said = shown.map(({ place, problem }) => `<br>! ${safe(`${place}: ${problem}`)}`);
  return said.join("") + (more === 0 ? "" : `<br>! ${visible(counted(more, "more problem"))}`);
}
