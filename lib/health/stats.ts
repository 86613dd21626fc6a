import { displayWidth, pad } from "#lib/display-width.ts";
import { byteOrder, count, counted, DASH, lowerBoundMoney, modelName, money } from "#lib/format.ts";
import { sortKeys } from "#lib/sort-keys.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";
import type { HealthReport } from "./report.ts";
import { addTally, costIsLowerBound, emptyTally, type ModelSlice, PROVENANCES, type Tally } from "./tally.ts";
import { leftOut, outsideLines } from "./text.ts";

/** What one model cost. Sub-agents stand apart from the runs that called them, and both were paid for. */
export type StatsRow = { provenance: Provenance; model: string; subagent: boolean; tally: Tally };

/** What runs cost: a question of its own beside how they went, in other units. */
export type StatsReport = {
  window: HealthReport["window"];
  coverage: HealthReport["coverage"];
  rows: StatsRow[];
  /** Per provenance, sub-agents included; `sessions` is not counted here. */
  totals: { provenance: Provenance; tally: Tally }[];
};

/** Cost and tokens by (provenance, model), `recorded` first, then model in byte order, sub-agents after main runs. */
export function statsReport(report: HealthReport): StatsReport {
  const slices = [...withRole(report.models, false), ...withRole(report.subagents, true)];
  const rows = PROVENANCES.flatMap((provenance) =>
    slices
      .filter((row) => row.provenance === provenance)
      .sort((a, b) => byteOrder(a.model, b.model) || Number(a.subagent) - Number(b.subagent)),
  );
  const totals = PROVENANCES.map((provenance) => ({
    provenance,
    tally: rows
      .filter((row) => row.provenance === provenance)
      .reduce((sum, { tally }) => addTally(sum, tally), emptyTally()),
  })).filter(({ tally }) => tally.runs > 0);
  return { window: report.window, coverage: report.coverage, rows, totals };
}

function withRole(slices: readonly ModelSlice[], subagent: boolean): StatsRow[] {
  return slices.map((slice) => ({ ...slice, subagent }));
}

/** The text of `sessions stats`, without a final newline. */
export function statsText(report: StatsReport): string {
  const within = report.window.days === null ? "" : `, last ${counted(report.window.days, "day")}`;
  const head = `cost and tokens across ${counted(report.coverage.sessions_read, "session")}${within}`;
  if (report.rows.length === 0) {
    const outside = outsideLines(report.coverage, report.window);
    return [head, "", "no finished run, so nothing to count", ...outside].join("\n");
  }
  const blocks = report.totals.map(({ provenance, tally }) => {
    const rows = report.rows.filter((row) => row.provenance === provenance);
    const lines = [
      [provenance, "runs", "cost", "priced", "input", "output", "cache write", "cache read"],
      ...rows.map((row) => cells(`${modelName(row.model)}${row.subagent ? " (sub-agents)" : ""}`, row.tally)),
      ...(rows.length > 1 ? [cells("total", tally)] : []),
    ];
    return aligned(lines);
  });
  const missing = leftOut(report.coverage);
  return [
    head,
    "",
    blocks.join("\n\n"),
    "",
    "  ≥ marks a lower bound: runs without a price, or whose usage was cut off, are not in it",
    ...(missing.length > 0 ? [`  left out: ${missing.join(" · ")}`] : []),
  ].join("\n");
}

function cells(name: string, tally: Tally): string[] {
  const { usage } = tally;
  const bound = tally.usage_complete_runs < tally.runs ? "≥ " : "";
  return [
    name,
    count(tally.runs),
    costText(tally),
    count(tally.runs_priced),
    `${bound}${count(usage.input_tokens)}`,
    `${bound}${count(usage.output_tokens)}`,
    `${bound}${count(usage.cache_creation_input_tokens)}`,
    `${bound}${count(usage.cache_read_input_tokens)}`,
  ];
}

function costText(tally: Tally): string {
  if (tally.runs_priced === 0) return DASH;
  return costIsLowerBound(tally) ? lowerBoundMoney(tally.cost_usd) : money(tally.cost_usd);
}

/** Names to the left, numbers to the right, each column as wide as its widest cell. */
function aligned(lines: readonly string[][]): string {
  const widths = (lines[0] ?? []).map((_, i) =>
    Math.max(...lines.map((line) => displayWidth(line[i] ?? ""))),
  );
  const placed = (cell: string, i: number) =>
    i === 0 ? `  ${pad(cell, widths[i] ?? 0)}` : pad(cell, widths[i] ?? 0, "right");
  return lines.map((line) => line.map(placed).join("  ")).join("\n");
}

/** The object behind `sessions stats --json`, keys in alphabetical order. A cost of which no run has a part is null. */
export function statsJson(report: StatsReport): unknown {
  return sortKeys({
    schema_version: 1,
    window: report.window,
    coverage: report.coverage,
    by_model: report.rows.map(({ provenance, model, subagent, tally }) => ({
      provenance,
      model,
      subagent,
      sessions: tally.sessions,
      ...costOf(tally),
    })),
    totals: report.totals.map(({ provenance, tally }) => ({ provenance, ...costOf(tally) })),
  });
}

function costOf(tally: Tally) {
  return {
    runs: tally.runs,
    turns: tally.turns,
    usage: tally.usage,
    usage_complete_runs: tally.usage_complete_runs,
    usage_is_lower_bound: tally.usage_complete_runs < tally.runs,
    cost_usd: tally.runs_priced === 0 ? null : tally.cost_usd,
    runs_priced: tally.runs_priced,
    cost_is_lower_bound: costIsLowerBound(tally),
  };
}
