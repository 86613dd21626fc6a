import { count, DASH, fixed, money, percent, visible } from "#lib/format.ts";
import { type Coverage, coverageOf, headOf } from "./head.ts";
import type { CardDoubts } from "./head-check.ts";
import type { CardMeta, CaseRun, Report, TagRow } from "./scorecard.ts";

const LABEL = 20;
const BAR = 10;

/** A scorecard as `mecha eval` prints it. `failures` adds what each failed check says. */
export function scorecardText(report: Omit<Report, "head">, { failures }: { failures: boolean }): string {
  const head = headOf(report.runs);
  const k = head.runs_per_case;
  const passed = `${head.passed}/${head.total}  (${percent({ hits: head.passed, of: head.total }, 0)})`;
  const row = (label: string, value: string) => `  ${label.padEnd(LABEL)}${value}`;
  const lines = [
    `${visible(report.model)}  (${visible(report.provider)})`,
    "─".repeat(60),
    ...(k === 1
      ? [row("cases passed", passed)]
      : [
          row(`pass^${k} (all runs)`, passed),
          row(`pass@${k} (any run)`, `${count(head.passed_any)}/${head.total}`),
        ]),
    row("checks passed", share(head.check_pass_rate)),
    row("malformed arguments", count(head.malformed_tool_args)),
    row("invented tools", count(head.unknown_tools)),
    row("tool errors", count(head.tool_errors)),
    row("runs errored", count(head.runs_errored)),
    row("coverage", coverageWords(coverageOf({ ...report, head }))),
    row("mean turns", decimal(head.mean_turns)),
    row("median latency", seconds(head.median_latency_ms)),
    row("tokens in / out", tokens(head.total_usage)),
    row("wall clock", seconds(report.wall_clock_ms)),
    ...judgeRows(report.meta, row),
    ...tagLines(head.by_tag ?? []),
    ...failedLines(report.runs, k, failures),
  ];
  return `${lines.join("\n")}\n`;
}

/** What the judge took is none of the model's doing, so it stands apart. */
function judgeRows(
  { judge, judge_usage, judge_cost_usd }: CardMeta,
  row: (label: string, value: string) => string,
): string[] {
  if (judge === null) return [];
  const cost = judge_cost_usd === null ? "" : `  (${money(judge_cost_usd)})`;
  return [
    row("judge", `${visible(judge.model)} (${visible(judge.provider)})`),
    row("judge tokens", `${tokens(judge_usage)}${cost}`),
  ];
}

/** How many of ten cells are filled; null over nothing. A tag with any pass at all shows at least one. */
export function barCells(passed: number, total: number): number | null {
  return total === 0 ? null : Math.ceil((BAR * passed) / total);
}

/** `38 scored · 0 errored · 0 not scored · 38 runs`. */
export function coverageWords({ scored, errored, not_scored, total }: Coverage): string {
  return `${scored} scored · ${errored} errored · ${not_scored} not scored · ${total} runs`;
}

/** What a reader has to know about a card before its numbers, one line each; empty for a sound card. */
export function doubtLines(doubts: CardDoubts): string[] {
  const lines = doubts.head.map(
    ({ key, written, recomputed }) =>
      `the headline says ${key} ${visible(written)}, its own cases give ${visible(recomputed)}`,
  );
  if (doubts.contradictions.length > 0) {
    lines.push(`graded against their own checks or errors: ${few(doubts.contradictions)}`);
  }
  if (doubts.doubled.length > 0)
    lines.push(`ids that stand twice in a card of single runs: ${few(doubts.doubled)}`);
  return lines;
}

function few(names: readonly string[]): string {
  const shown = names.slice(0, 5).map(visible).join(", ");
  return names.length > 5 ? `${shown} and ${names.length - 5} more` : shown;
}

function tagLines(rows: readonly TagRow[]): string[] {
  if (rows.length === 0) return [];
  const width = rows.reduce((most, { tag }) => Math.max(most, visible(tag).length), LABEL - 2);
  return [
    "",
    "by tag",
    ...rows.map(({ tag, passed, total, passed_any }) => {
      const cells = barCells(passed, total);
      const bar = cells === null ? DASH.padEnd(BAR) : "█".repeat(cells) + "·".repeat(BAR - cells);
      const any = passed_any === null || passed_any === passed ? "" : `  (any ${passed_any})`;
      return `  ${visible(tag).padEnd(width)}  ${bar}  ${passed}/${total}${any}`;
    }),
  ];
}

function failedLines(runs: readonly CaseRun[], k: number, failures: boolean): string[] {
  const failed = runs.filter((run) => !run.passed);
  if (failed.length === 0) return [];
  return ["", "failed", ...failed.flatMap((run) => failedRun(run, k, failures))];
}

function failedRun(run: CaseRun, k: number, failures: boolean): string[] {
  const name = k === 1 ? visible(run.id) : `${visible(run.id)} (run ${run.run})`;
  const checks = run.checks.filter((check) => !check.passed);
  const why =
    run.error === null ? checks.map((check) => visible(check.name)) : [`error: ${visible(run.error)}`];
  const lines = [`  ${name}: ${why.join(", ") || "no check says why"}`];
  if (failures) {
    for (const { name: check, detail } of checks) {
      if (detail !== "") lines.push(...detailLines(visible(check), detail));
    }
  }
  return lines;
}

/** What a command wrote keeps its lines, further in than what is ours. */
function detailLines(check: string, detail: string): string[] {
  const [first = "", ...rest] = detail.split(/\r?\n/);
  return [`    ${check}: ${visible(first)}`, ...rest.map((line) => `      ${visible(line)}`.trimEnd())];
}

/** A share of 1 as a whole percentage; `—` for null. */
export function share(rate: number | null): string {
  return rate === null ? DASH : percent({ hits: rate, of: 1 }, 0);
}

/** One digit after the point; `—` for null. */
export function decimal(n: number | null): string {
  return n === null ? DASH : fixed(n, 1);
}

/** Milliseconds as the format of a printed scorecard has them: `1.4s`, however many; `—` for null. */
export function seconds(ms: number | null): string {
  return ms === null ? DASH : `${fixed(ms / 1000, 1)}s`;
}

function tokens(usage: Report["head"]["total_usage"]): string {
  if (usage === null) return DASH;
  const input = usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
  return `${count(input)} / ${count(usage.output_tokens)}`;
}
