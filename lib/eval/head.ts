import type { Usage } from "#lib/transcript/record.ts";
import { type CaseResult, casesOf, passedAll } from "./cases.ts";
import type { CaseRun, Head, Report, TagRow } from "./scorecard.ts";

/** The headline that the runs themselves give. */
export function headOf(runs: readonly CaseRun[]): Head {
  const cases = casesOf(runs);
  const perCase = cases.reduce((most, one) => Math.max(most, one.runs.length), 1);
  const repeated = perCase > 1;
  const checks = runs.flatMap((run) => run.checks);
  const hits = checks.filter((check) => check.passed).length;
  const times = known(runs.map((run) => run.elapsed_ms)).sort((a, b) => a - b);
  const turns = known(runs.map((run) => run.turns));
  return {
    total: cases.length,
    passed: cases.filter(passedAll).length,
    passed_any: repeated ? cases.filter((one) => one.passes > 0).length : null,
    runs_per_case: perCase,
    // Nothing was asserted, so nothing was broken: the format's own rule.
    check_pass_rate: checks.length === 0 ? 1 : hits / checks.length,
    malformed_tool_args: sum(runs.map((run) => run.malformed_tool_args)),
    unknown_tools: sum(runs.map((run) => run.unknown_tools)),
    tool_errors: sum(runs.map((run) => run.tool_errors)),
    runs_errored: runs.filter((run) => run.error !== null).length,
    mean_turns: unknown(runs, turns) ? null : total(turns) / Math.max(1, turns.length),
    median_latency_ms: unknown(runs, times) ? null : (times[Math.floor(times.length / 2)] ?? 0),
    total_usage: sumUsage(runs.map((run) => run.usage)),
    by_tag: tagRows(cases, repeated),
  };
}

/** Sums the known parts; null when there are parts and none is known. */
export function sum(parts: readonly (number | null)[]): number | null {
  const told = known(parts);
  return unknown(parts, told) ? null : total(told);
}

/** Four token counts summed; null when there are parts and none is known. */
export function sumUsage(parts: readonly (Usage | null)[]): Usage | null {
  const told = known(parts);
  if (unknown(parts, told)) return null;
  const of = (key: keyof Usage) => total(told.map((usage) => usage[key]));
  return {
    input_tokens: of("input_tokens"),
    output_tokens: of("output_tokens"),
    cache_creation_input_tokens: of("cache_creation_input_tokens"),
    cache_read_input_tokens: of("cache_read_input_tokens"),
  };
}

/** Runs by how they went: finished and graded, ended in an error, or never started. */
export type Coverage = { scored: number; errored: number; not_scored: number; total: number };

/** Coverage of a report in runs. A case that was not run lacks all its runs; a broken-off one lacks the rest. */
export function coverageOf(report: Report): Coverage {
  const cases = casesOf(report.runs);
  const perCase = cases.reduce((most, one) => Math.max(most, one.runs.length), report.head.runs_per_case);
  const errored = report.runs.filter((run) => run.error !== null).length;
  const absent = cases.reduce((n, one) => n + perCase - one.runs.length, 0);
  const not_scored = absent + report.meta.not_scored.length * perCase;
  return {
    scored: report.runs.length - errored,
    errored,
    not_scored,
    total: report.runs.length + not_scored,
  };
}

function tagRows(cases: readonly CaseResult[], repeated: boolean): TagRow[] {
  const rows = new Map<string, TagRow>();
  for (const one of cases) {
    for (const tag of one.tags) {
      const row = rows.get(tag) ?? { tag, passed: 0, total: 0, passed_any: repeated ? 0 : null };
      rows.set(tag, row);
      row.total += 1;
      if (passedAll(one)) row.passed += 1;
      if (row.passed_any !== null && one.passes > 0) row.passed_any += 1;
    }
  }
  return [...rows.values()];
}

function known<T>(parts: readonly (T | null)[]): T[] {
  return parts.filter((part) => part !== null);
}

function unknown(parts: readonly unknown[], told: readonly unknown[]): boolean {
  return parts.length > 0 && told.length === 0;
}

function total(numbers: readonly number[]): number {
  return numbers.reduce((all, one) => all + one, 0);
}
