import { count, visible } from "#lib/format.ts";
import { shellLine } from "#lib/shell-quote.ts";
import { clipped } from "#lib/utf8.ts";
import type { VerdictView } from "./view.ts";
import {
  chanceShare,
  currencyWords,
  flipSentences,
  LEFT_OUT_WORDS,
  OUTCOMES,
  predictionWords,
  recheckCommand,
  titleOf,
  workShare,
} from "./words.ts";

/** A pull-request comment takes 65 536 characters; a reader takes fewer. */
export const MARKDOWN_MAX = 60_000;
const ONE_MAX = 300;
const LISTED_MAX = 100;

/**
 * A verdict as Markdown for a comment. Every text that a model or a file wrote stands in a code span: there it cannot
 * be a heading, a link, a picture or a call for somebody's attention.
 */
export function verdictMarkdown(view: VerdictView, max = MARKDOWN_MAX): string {
  const { glyph, word } = OUTCOMES[view.outcome ?? "unknown"];
  const head = [`## ${glyph} ${word} ${code(titleOf(view))}`, "", reasonLine(view), "", ...tallyTable(view)];
  const tail = footer(view);
  const parts = [...facts(view), ...lists(view)];
  let left = max - size(head) - size(tail);
  const kept: string[] = [];
  for (const part of parts) {
    if (left < part.length + 2 + LEFT.length) {
      kept.push(LEFT);
      break;
    }
    kept.push(part);
    left -= part.length + 2;
  }
  return `${[...head, "", ...kept.flatMap((part) => [part, ""]), ...tail].join("\n")}\n`;
}

const LEFT = "_The rest does not fit here; the document has it all._";

/** Text that others wrote, as a code span: its own backticks are fenced in by longer ones. */
export function code(text: string): string {
  const line = visible(clipped(text, ONE_MAX));
  const longest = (line.match(/`+/g) ?? []).reduce((most, run) => Math.max(most, run.length), 0);
  const fence = "`".repeat(longest + 1);
  const space = line === "" || /^[` ]|[` ]$/.test(line) ? " " : "";
  return `${fence}${space}${line}${space}${fence}`;
}

function reasonLine(view: VerdictView): string {
  const reason = view.reason === null ? "Not judged." : `${code(view.reason)}.`;
  const rule =
    view.rule === null ? "" : ` Rule ${view.rule.position} of ${view.rule.of}: \`${view.rule.name}\`.`;
  return reason + rule;
}

function tallyTable(view: VerdictView): string[] {
  if (view.slices === null) return ["Selection and holdout: unknown."];
  return [
    "| slice | better | worse | same | by chance alone |",
    "|---|---:|---:|---:|---|",
    ...view.slices.map((one) => {
      const { wins, losses, ties } = one.tally;
      return `| ${one.slice} | ${wins} | ${losses} | ${ties} | ${chanceShare(one)} |`;
    }),
  ];
}

function facts(view: VerdictView): string[] {
  const { baseline, candidate } = view.arms;
  const arm = (one: typeof baseline) =>
    `${code(one.label)}${one.cases === null ? "" : `, ${one.cases.passed}/${one.cases.total} cases`}`;
  const lines = [
    `- **baseline** ${arm(baseline)}`,
    `- **candidate** ${arm(candidate)}`,
    `- **judged** ${currencyWords(view.currency)}`,
  ];
  if (view.work !== null) {
    const { baseline: a, candidate: b } = view.work;
    lines.push(
      `- **work** ${count(Math.round(a))} → ${count(Math.round(b))} tool calls (${workShare(view)})`,
    );
  }
  for (const [name, one] of [
    ["baseline", baseline],
    ["candidate", candidate],
  ] as const) {
    if (one.coverage === null) continue;
    const { scored, errored, not_scored, total } = one.coverage;
    lines.push(
      `- **coverage, ${name}** ${scored} scored, ${errored} errored, ${not_scored} not scored, of ${total} runs`,
    );
  }
  const predicted = predictionWords(view);
  if (predicted !== null) lines.push(`- **predicted** ${code(predicted)}`);
  if (view.prediction?.rationale) lines.push(`- **because** ${code(view.prediction.rationale)}`);
  for (const remark of view.remarks.slice(0, 20)) lines.push(`- **note** ${code(remark)}`);
  return [lines.join("\n")];
}

function lists(view: VerdictView): string[] {
  const named = (change: "improved" | "regressed") =>
    view.changed.filter((one) => one.change === change).map((one) => code(one.id));
  return [
    details("cases that got worse", named("regressed")),
    details("cases that got better", named("improved")),
    details(
      "listed, never scored",
      (view.left_out ?? []).map(({ id, why }) => `${code(id)}: ${LEFT_OUT_WORDS[why]}`),
    ),
    details("what would flip it", view.flips === null ? [] : flipSentences(view.flips)),
    details("unknown in this file", view.unknown),
  ].filter((part) => part !== "");
}

function details(title: string, lines: readonly string[]): string {
  if (lines.length === 0) return "";
  const listed = lines.slice(0, LISTED_MAX).map((line) => `- ${line}`);
  if (lines.length > LISTED_MAX) listed.push(`- and ${lines.length - LISTED_MAX} more`);
  return [`<details><summary>${title} (${lines.length})</summary>`, "", ...listed, "", "</details>"].join(
    "\n",
  );
}

function footer(view: VerdictView): string[] {
  const command = recheckCommand(view);
  const at = view.created_at === null ? "" : `judged ${code(view.created_at)} · `;
  return command === null || view.id === null
    ? []
    : [`<sub>${at}id ${code(view.id)} · check again: ${code(shellLine(command))}</sub>`];
}

function size(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + line.length + 1, 0);
}
