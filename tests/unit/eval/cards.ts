import { headOf } from "#lib/eval/head.ts";
import type { Card, CardMeta, CaseRun, Report } from "#lib/eval/scorecard.ts";

export const noMeta: CardMeta = {
  case_set_sha256: null,
  fixture_sha256: null,
  judge: null,
  concurrency: null,
  grader_version: null,
  seed: null,
  sandbox: null,
  created_at: null,
  partial: null,
  cost_usd: null,
  judge_usage: null,
  judge_cost_usd: null,
  not_scored: [],
};

export function aRun(parts: Partial<CaseRun> = {}): CaseRun {
  const passed = parts.passed ?? true;
  return {
    id: "a",
    run: 1,
    passed,
    tags: ["t"],
    checks: [{ name: "says it", passed, detail: passed ? "" : "not in the answer" }],
    turns: 2,
    elapsed_ms: 1000,
    malformed_tool_args: 0,
    unknown_tools: 0,
    tool_errors: 0,
    tool_denied: null,
    tools_called: ["fs_read"],
    tool_calls: null,
    usage: {
      input_tokens: 100,
      output_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    },
    cost_usd: null,
    error: null,
    text: "Done.",
    stats: null,
    transcript: null,
    ...parts,
  };
}

export function aReport(runs: CaseRun[], parts: Partial<Report> = {}): Report {
  return {
    model: "qwen3-moe",
    provider: "local",
    head: headOf(runs),
    wall_clock_ms: 1500,
    meta: noMeta,
    runs,
    ...parts,
  };
}

/** A card from marks: `{ a: "✓✗" }` is case a, passed once and failed once; `!` is an errored run. */
export function aCard(name: string, marks: Record<string, string>, parts: Partial<Report> = {}): Card {
  const runs = Object.entries(marks).flatMap(([id, text]) =>
    [...text].map((mark, i) =>
      aRun({ id, run: i + 1, passed: mark === "✓", ...(mark === "!" ? { error: "boom", checks: [] } : {}) }),
    ),
  );
  return { name, report: aReport(runs, parts) };
}
