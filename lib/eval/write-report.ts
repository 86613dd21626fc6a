import { sortKeys } from "#lib/sort-keys.ts";
import type { Usage } from "#lib/transcript/record.ts";
import { mendedTexts } from "#lib/utf8.ts";
import { headOf } from "./head.ts";
import type { CardMeta, CaseRun, Report } from "./scorecard.ts";

/**
 * A report as the text of its file, its headline computed from its runs. Key order is part of the format: the
 * scorecard's in the order of its meaning, a run's by the alphabet. What is not known is written as null, and half a
 * character of a model's as one that other readers accept.
 */
export function writeReport(report: Omit<Report, "head">): string {
  const cases = report.runs.map(runJson);
  return `${JSON.stringify({ scorecard: scorecardJson(report), cases }, mendedTexts, 2)}\n`;
}

function scorecardJson(report: Omit<Report, "head">): object {
  const head = headOf(report.runs);
  const { passed_any, by_tag } = head;
  return {
    model: report.model,
    provider: report.provider,
    total: head.total,
    passed: head.passed,
    ...(passed_any === null ? {} : { passed_any }),
    runs_per_case: head.runs_per_case,
    check_pass_rate: head.check_pass_rate,
    malformed_tool_args: head.malformed_tool_args,
    unknown_tools: head.unknown_tools,
    tool_errors: head.tool_errors,
    runs_errored: head.runs_errored,
    mean_turns: head.mean_turns,
    median_latency_ms: head.median_latency_ms,
    total_usage: usageInOrder(head.total_usage),
    wall_clock_ms: report.wall_clock_ms,
    by_tag: by_tag?.map(({ tag, passed, total, passed_any: any }) =>
      any === null ? { tag, passed, total } : { tag, passed, total, passed_any: any },
    ),
    ...metaInOrder(report.meta),
  };
}

function metaInOrder(meta: CardMeta): CardMeta {
  return {
    case_set_sha256: meta.case_set_sha256,
    fixture_sha256: meta.fixture_sha256,
    judge: meta.judge && { provider: meta.judge.provider, model: meta.judge.model },
    concurrency: meta.concurrency,
    grader_version: meta.grader_version,
    seed: meta.seed,
    sandbox: meta.sandbox,
    created_at: meta.created_at,
    partial: meta.partial,
    cost_usd: meta.cost_usd,
    judge_usage: usageInOrder(meta.judge_usage),
    judge_cost_usd: meta.judge_cost_usd,
    not_scored: meta.not_scored,
  };
}

function usageInOrder(usage: Usage | null): Usage | null {
  return (
    usage && {
      input_tokens: usage.input_tokens,
      output_tokens: usage.output_tokens,
      cache_creation_input_tokens: usage.cache_creation_input_tokens,
      cache_read_input_tokens: usage.cache_read_input_tokens,
    }
  );
}

/** Keys that only newer readers know are left out where there is nothing to say. */
const OPTIONAL: readonly (keyof CaseRun)[] = [
  "cost_usd",
  "error",
  "stats",
  "tool_calls",
  "tool_denied",
  "transcript",
];

function runJson(run: CaseRun): unknown {
  const kept = Object.entries(run).filter(
    ([key, value]) => value !== null || !(OPTIONAL as readonly string[]).includes(key),
  );
  return sortKeys(Object.fromEntries(kept));
}
