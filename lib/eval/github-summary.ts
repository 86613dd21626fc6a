import { count, percent, visible } from "#lib/format.ts";
import { startOf } from "#lib/utf8.ts";
import { coverageOf, headOf } from "./head.ts";
import type { CaseRun, Report } from "./scorecard.ts";
import { coverageWords } from "./scorecard-text.ts";

/** GitHub cuts a step's summary at 1 MiB; what stands here stays far below. */
const FAILED_MAX = 50;
const CELL_MAX = 200;

/** A report as the Markdown of a step summary. Everything a model wrote is text in it. */
export function githubSummary(report: Omit<Report, "head">, problems: readonly string[]): string {
  const head = headOf(report.runs);
  const k = head.runs_per_case;
  const failed = report.runs.filter((run) => !run.passed);
  const passed = `${head.passed}/${head.total} (${percent({ hits: head.passed, of: head.total }, 0)})`;
  const rows: [string, string][] = [
    [k === 1 ? "cases passed" : `pass^${k} (all runs)`, passed],
    ...(k === 1
      ? []
      : [[`pass@${k} (any run)`, `${count(head.passed_any)}/${head.total}`] as [string, string]]),
    ["coverage", coverageWords(coverageOf({ ...report, head }))],
    ["tool errors", count(head.tool_errors)],
  ];
  const lines = [
    `### mecha eval: ${cell(report.model)} (${cell(report.provider)})`,
    "",
    ...problems.map((problem) => `- **${cell(problem)}**`),
    ...(problems.length > 0 ? [""] : []),
    "| | |",
    "|---|---|",
    ...rows.map(([label, value]) => `| ${label} | ${cell(value)} |`),
    ...(failed.length === 0 ? [] : failedTable(failed, k)),
  ];
  return `${lines.join("\n")}\n`;
}

function failedTable(failed: readonly CaseRun[], k: number): string[] {
  const shown = failed.slice(0, FAILED_MAX);
  return [
    "",
    `${failed.length} failed run(s)${failed.length > shown.length ? `, the first ${shown.length} of them` : ""}:`,
    "",
    "| case | failed checks |",
    "|---|---|",
    ...shown.map((run) => {
      const checks = run.checks.filter((check) => !check.passed).map((check) => check.name);
      const why = run.error === null ? checks.join(", ") : `error: ${run.error}`;
      return `| ${cell(k === 1 ? run.id : `${run.id} (run ${run.run})`)} | ${cell(why)} |`;
    }),
  ];
}

/** Text that stays text in Markdown: no tag, no link, no mention, no formula, no row of its own. */
function cell(text: string): string {
  const line = startOf(visible(text).replace(/\s+/g, " "), CELL_MAX);
  const bare = line.replace(/[\\`*_{}[\]()#+!|<>&@~$-]/g, (char) => `&#${char.charCodeAt(0)};`);
  return bare.replace(/:(?=\/\/)|www(?=\.)|&#(?:64|35);/gi, `$&${JOINER}`);
}

/** Unseen. GitHub looks for addresses, names and numbers of issues once more in the text that it shows, where a mark is a mark however it was written. */
const JOINER = "&#8288;";
