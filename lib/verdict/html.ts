import { count, DASH, percent, visible } from "#lib/format.ts";
import { shellLine } from "#lib/shell-quote.ts";
import { clipped } from "#lib/utf8.ts";
import { slicesChart, workChart } from "./charts.ts";
import { STYLE } from "./html-style.ts";
import { escapeXml, svgText } from "./svg.ts";
import type { ArmView, ChangedCase, SliceView, VerdictView } from "./view.ts";
import {
  ARM_NAMES,
  chanceShare,
  currencyWords,
  FLOOR_WORDS,
  fileNameOf,
  flipSentences,
  LEFT_OUT_WORDS,
  OUTCOMES,
  predictionWords,
  recheckCommand,
  titleOf,
  workShare,
} from "./words.ts";

/** Entries of a list that are drawn; of more, the number is said. Two printed pages hold no more. */
const LISTED_MAX = 40;
const TEXT_MAX = 1500;

/** What a server adds to the page that it sends: the nonce of its own policy, and where the document is had. */
export type Served = { nonce?: string; document?: string };

/** A verdict as one file that needs nothing else. */
export function verdictHtml(view: VerdictView, served: Served = {}): string {
  const { glyph, word } = OUTCOMES[view.outcome ?? "unknown"];
  const content = `<h1><span class="outcome">${glyph} ${word}</span> ${safe(titleOf(view))}</h1>
${lead(view)}
${section("Better, worse, the same", slices(view))}
${section("Work", work(view))}
${section("Case passes beside it", passes(view))}
${section("Changed cases", changed(view))}
${section("Listed, never scored", leftOut(view))}
${section("What would flip it", list(view.flips === null ? [] : flipSentences(view.flips).map(safe)))}
${section("The arms", arms(view))}
${section("Remarks", list(view.remarks.map(safe)))}
${section("Unknown in this file", list(view.unknown.map(safe)))}
${section("How to check it again", recheck(view, served.document))}`;
  return pageHtml({ title: `${glyph} ${word} ${titleOf(view)}`, content, after: footer(view), ...served });
}

/**
 * A page around `content`, which is markup already, that needs nothing else: no script, no picture, no font from
 * anywhere. Its policy forbids all of that, so that a text which slipped through escaping could still load and run
 * nothing. `style`: other looks than a verdict's.
 */
export function pageHtml({
  title,
  content,
  after = "",
  style = STYLE,
  nonce,
}: { title: string; content: string; after?: string; style?: string } & Served): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${safe(title)}</title>
<style${nonce === undefined ? "" : ` nonce="${escapeXml(nonce)}"`}>${style}</style>
</head>
<body>
<main>
${content}
</main>
${after}
</body>
</html>
`;
}

/** Text for a page: control and bidirectional characters shown, length bounded, markup escaped. */
function safe(text: string): string {
  return escapeXml(visible(clipped(text, TEXT_MAX)));
}

function section(title: string, content: string): string {
  return content === "" ? "" : `<section><h2>${title}</h2>\n${content}\n</section>`;
}

function lead(view: VerdictView): string {
  const reason =
    view.reason === null ? "Nobody judged it: the file holds what was measured." : `${view.reason}.`;
  const rule =
    view.rule === null
      ? ""
      : `Rule ${view.rule.position} of ${view.rule.of}: <code>${safe(view.rule.name)}</code>. `;
  const predicted = predictionWords(view);
  return [
    `<p class="lead">${safe(capital(reason))}</p>`,
    `<p class="soft">${rule}Judged: ${safe(currencyWords(view.currency))}.</p>`,
    predicted === null ? "" : `<p>Predicted: ${safe(predicted)}.</p>`,
    view.prediction?.rationale ? `<p>Because: <code>${safe(view.prediction.rationale)}</code></p>` : "",
  ].join("\n");
}

function slices(view: VerdictView): string {
  if (view.slices === null) return "<p>Unknown: the file does not say which cases were held out.</p>";
  const rows = view.slices.map(sliceRow).join("\n");
  return `${svgText(slicesChart(view.slices))}
<table><thead><tr><th>slice</th><th class="n">better</th><th class="n">worse</th><th class="n">same</th><th>won of the untied</th><th>by chance</th></tr></thead><tbody>
${rows}
</tbody></table>
<p class="soft">Won of the untied: with its 95% interval. By chance: how often a change without effect would win at least as many. ${safe(FLOOR_WORDS)}</p>`;
}

function sliceRow(one: SliceView): string {
  const { wins, losses, ties } = one.tally;
  const [low, high] = one.interval ?? [null, null];
  const share =
    low === null || high === null
      ? DASH
      : `${percent({ hits: wins, of: wins + losses }, 0)} (${percent({ hits: low, of: 1 }, 0)} to ${percent({ hits: high, of: 1 }, 0)})`;
  return `<tr><th>${one.slice}</th><td class="n">${wins}</td><td class="n">${losses}</td><td class="n">${ties}</td><td>${share}</td><td>${safe(chanceShare(one))}</td></tr>`;
}

function work(view: VerdictView): string {
  if (view.work === null) return "";
  const { baseline, candidate } = view.work;
  const said = `${count(Math.round(baseline))} → ${count(Math.round(candidate))} tool calls (${workShare(view)}). Under 75% a gain is rejected: it may only be less work.`;
  return `${svgText(workChart(view.work))}\n<p class="soft">${said}</p>`;
}

function passes(view: VerdictView): string {
  if (view.passes === null) return "";
  const words = (["selection", "holdout"] as const).map((slice) => {
    const { wins, losses, ties } = view.passes?.[slice] ?? { wins: 0, losses: 0, ties: 0 };
    return `<li>${slice}: ${wins} fixed, ${losses} broken, ${ties} the same</li>`;
  });
  return `<ul>${words.join("")}</ul>`;
}

function changed(view: VerdictView): string {
  if (view.changed.length === 0) return "<p>No case changed.</p>";
  const named = (wanted: ChangedCase["change"], sign: string) =>
    view.changed
      .filter(({ change }) => change === wanted)
      .map(({ id, slice }) => {
        const where = slice === null ? "" : ` <span class="soft">${slice}</span>`;
        return `<span class="sign">${sign}</span><span class="id">${safe(id)}</span> ${wanted}${where}`;
      });
  return list(named("regressed", "−"), LISTED_MAX / 2) + list(named("improved", "+"), LISTED_MAX / 2);
}

function leftOut(view: VerdictView): string {
  if (view.left_out === null) return "<p>Unknown.</p>";
  return list(
    view.left_out.map(({ id, why }) => `<span class="id">${safe(id)}</span> ${LEFT_OUT_WORDS[why]}`),
  );
}

function list(items: readonly string[], max = LISTED_MAX): string {
  if (items.length === 0) return "";
  const shown = items.slice(0, max).map((item) => `<li>${item}</li>`);
  const more = items.length - max;
  if (more > 0) shown.push(`<li class="soft">and ${more} more, all of them in the document</li>`);
  return `<ul${items.length > 8 ? ' class="many"' : ""}>${shown.join("")}</ul>`;
}

function arms({ arms: { baseline, candidate } }: VerdictView): string {
  const rows: [string, (arm: ArmView) => string | null][] = [
    ["label", (arm) => arm.label],
    ["cases passed", ({ cases }) => cases && `${cases.passed} of ${cases.total}`],
    ["runs", coverage],
    ["model", ({ source }) => source?.model ?? null],
    ["provider", ({ source }) => source?.provider ?? null],
    ["runs per case", ({ source }) => source && number(source.runs_per_case)],
    ["report", (arm) => arm.name],
    ["file, SHA-256", ({ source }) => source?.sha256 ?? null],
    ["case set", ({ source }) => source?.case_set_sha256 ?? null],
    ["judge", ({ source }) => (source?.judge ? `${source.judge.provider}/${source.judge.model}` : null)],
    [
      "seed, concurrency",
      ({ source }) => source && `${number(source.seed) ?? DASH}, ${number(source.concurrency) ?? DASH}`,
    ],
    ["measured", ({ source }) => source?.created_at ?? null],
  ];
  const body = rows.map(
    ([name, of]) =>
      `<tr><th>${name}</th><td>${safe(of(baseline) ?? DASH)}</td><td>${safe(of(candidate) ?? DASH)}</td></tr>`,
  );
  return `<table class="arms"><thead><tr><td></td><th>${ARM_NAMES.baseline}</th><th>${ARM_NAMES.candidate}</th></tr></thead><tbody>\n${body.join("\n")}\n</tbody></table>`;
}

function coverage({ coverage: runs }: ArmView): string | null {
  return (
    runs && `${runs.scored} scored, ${runs.errored} errored, ${runs.not_scored} not scored, of ${runs.total}`
  );
}

function number(n: number | null): string | null {
  return n === null ? null : count(n);
}

function recheck(view: VerdictView, document: string | undefined): string {
  const command = recheckCommand(view);
  if (command === null) return "";
  const save =
    document === undefined
      ? "Save the document"
      : `<a href="${escapeXml(document)}" download="${safe(fileNameOf(view) ?? "")}">Save the document</a>`;
  return `<p>${save} as <code>${safe(fileNameOf(view) ?? "")}</code>, then:</p>\n<p><code>${safe(shellLine(command))}</code></p>`;
}

function footer(view: VerdictView): string {
  const parts = [
    view.created_at === null ? "" : `judged ${safe(view.created_at)}`,
    view.made_by === null ? "" : `by ${safe(view.made_by)}`,
    view.holdout_in === null ? "" : `one in ${view.holdout_in} held out by a hash of its id`,
    view.id === null ? "" : `id <span class="id">${safe(view.id)}</span>`,
  ];
  return `<footer>${parts.filter((part) => part !== "").join(" · ")}</footer>`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
