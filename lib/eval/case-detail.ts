import { startOf } from "#lib/utf8.ts";
import { type Mark, markOf } from "./mark.ts";
import { type CaseRun, callsOf, type Report } from "./scorecard.ts";

/** A text of which only the beginning may be here; `full_length` in characters. */
export type Excerpt = { text: string; full_length: number };

/** One run of a case as a reader looks into it. Null: the card does not tell. */
export type RunDetail = {
  run: number;
  mark: Mark;
  error: Excerpt | null;
  failed: { name: Excerpt; detail: Excerpt }[];
  failed_more: number;
  passed: Excerpt[];
  passed_more: number;
  /** Names in the order of the calls. */
  tools: string[] | null;
  tools_more: number;
  /** Where only their number is known. */
  tool_calls: number | null;
  answer: Excerpt;
  turns: number | null;
  elapsed_ms: number | null;
  tokens: { input: number; output: number } | null;
  cost_usd: number | null;
  tool_errors: number | null;
  tool_denied: number | null;
  malformed_tool_args: number | null;
  unknown_tools: number | null;
  stop_cause: string | null;
  transcript: string | null;
};

/** The runs of one case in one card, from `from` on, out of `total`. */
export type CaseDetail = { total: number; from: number; runs: RunDetail[]; not_scored: string | null };

/** Most runs, checks and calls of one answer, and most characters of an answer, of a detail and of a name. */
export type DetailLimits = Record<
  "runs_max" | "checks_max" | "tools_max" | "text_max" | "detail_max" | "name_max",
  number
>;

/** What is sent when a case is opened; one run alone may be asked for with more of it. */
export const CASE_LIMITS: DetailLimits = {
  runs_max: 10,
  checks_max: 20,
  tools_max: 100,
  text_max: 4000,
  detail_max: 1000,
  name_max: 300,
};
export const RUN_LIMITS: DetailLimits = {
  runs_max: 1,
  checks_max: 200,
  tools_max: 2000,
  text_max: 200_000,
  detail_max: 5000,
  name_max: 1000,
};

/** One case of a report, cut down to `limits`; what was cut is counted. `from` counts runs from 0. */
export function caseDetail(report: Report, id: string, from: number, limits: DetailLimits): CaseDetail {
  const runs = report.runs.filter((run) => run.id === id).sort((a, b) => a.run - b.run);
  return {
    total: runs.length,
    from,
    runs: runs.slice(from, from + limits.runs_max).map((run) => runDetail(run, limits)),
    not_scored: report.meta.not_scored.find((one) => one.id === id)?.reason ?? null,
  };
}

function runDetail(run: CaseRun, limits: DetailLimits): RunDetail {
  const { checks_max, tools_max, text_max, detail_max, name_max } = limits;
  const failed = run.checks.filter((check) => !check.passed);
  const passed = run.checks.filter((check) => check.passed);
  const tools = run.tools_called;
  const { usage } = run;
  return {
    run: run.run,
    mark: markOf(run),
    error: run.error === null ? null : excerpt(run.error, text_max),
    failed: failed.slice(0, checks_max).map(({ name, detail }) => ({
      name: excerpt(name, name_max),
      detail: excerpt(detail, detail_max),
    })),
    failed_more: Math.max(0, failed.length - checks_max),
    passed: passed.slice(0, checks_max).map(({ name }) => excerpt(name, name_max)),
    passed_more: Math.max(0, passed.length - checks_max),
    tools: tools?.slice(0, tools_max).map((name) => excerpt(name, name_max).text) ?? null,
    tools_more: Math.max(0, (tools?.length ?? 0) - tools_max),
    tool_calls: callsOf(run),
    answer: excerpt(run.text, text_max),
    turns: run.turns,
    elapsed_ms: run.elapsed_ms,
    tokens: usage && {
      input: usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens,
      output: usage.output_tokens,
    },
    cost_usd: run.cost_usd,
    tool_errors: run.tool_errors,
    tool_denied: run.tool_denied,
    malformed_tool_args: run.malformed_tool_args,
    unknown_tools: run.unknown_tools,
    stop_cause: run.stats?.stop_cause ?? null,
    transcript: run.transcript?.slice(0, 500) ?? null,
  };
}

function excerpt(text: string, max: number): Excerpt {
  return { text: startOf(text, max), full_length: text.length };
}
