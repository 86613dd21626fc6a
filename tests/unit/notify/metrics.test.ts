import { expect, test } from "vitest";
import type { Finding } from "#lib/doctor/finding.ts";
import { healthReport, type Window } from "#lib/health/report.ts";
import { expositionText } from "#lib/notify/exposition.ts";
import { type MetricsFacts, metricFamilies } from "#lib/notify/metrics.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aScan } from "#tests/support/a-scan.ts";
import { readExposition, sampleOf } from "#tests/support/exposition.ts";
import { finding } from "./a-finding.ts";

const WINDOW: Window = {
  days: 7,
  since: "2026-07-30T12:00:00Z",
  limit: null,
  zone: "UTC",
  as_of: "2026-08-06T12:00:00Z",
};
const NOWHERE = { source: { kind: "mecha", place: "/secret" }, found: true, problem: null } as const;

function metrics(runs: RunRow[], over: Partial<MetricsFacts> = {}) {
  const scans = [aScan(runs.filter(({ source }) => source === "mecha"))];
  const derived = runs.filter(({ source }) => source !== "mecha");
  if (derived.length > 0) scans.push(aScan(derived));
  const report = healthReport(scans, WINDOW);
  const facts = { report, findings: [], sources: [NOWHERE], scanned_ms: 1_785_000_000_500, ...over };
  const text = expositionText(metricFamilies(facts));
  const families = readExposition(text);
  const value = (name: string, labels = {}) => sampleOf(families, name, labels);
  return { text, families, value };
}

const derived = {
  source: "claude-code",
  provenance: "derived",
  tool_staged: null,
  tool_cancelled: 2,
} as const;

test("one model of two provenances is two lines, and nothing is their sum", () => {
  const { families, value } = metrics([
    aRun({ tool_calls: 5, tool_errors: 1, cost_usd: 0.5 }),
    aRun({ tool_calls: 7, tool_errors: 2, ...derived }),
  ]);
  expect(value("mecha_tool_calls", { provenance: "recorded", model: "m", window: "7d" })).toBe(5);
  expect(value("mecha_tool_calls", { provenance: "derived", model: "m", window: "7d" })).toBe(7);
  const calls = families.find(({ name }) => name === "mecha_tool_calls");
  expect(calls?.samples).toHaveLength(2);
  expect(calls?.type).toBe("gauge");
});

test("what a format cannot say is no line, and neither is the cost of runs without a price", () => {
  const { value } = metrics([aRun({ cost_usd: 0.5 }), aRun(derived)]);
  expect(value("mecha_tool_staged", { provenance: "recorded" })).toBe(0);
  expect(value("mecha_tool_staged", { provenance: "derived" })).toBeUndefined();
  expect(value("mecha_tool_cancelled", { provenance: "recorded" })).toBeUndefined();
  expect(value("mecha_tool_cancelled", { provenance: "derived" })).toBe(2);
  expect(value("mecha_cost_usd", { provenance: "recorded" })).toBe(0.5);
  expect(value("mecha_cost_usd", { provenance: "derived" })).toBeUndefined();
  expect(value("mecha_runs_priced", { provenance: "derived" })).toBe(0);
});

test("sub-agents are families of their own", () => {
  const { value } = metrics([aRun({ tool_calls: 1 }), aRun({ tool_calls: 10, subagent: true })]);
  expect(value("mecha_tool_calls", { model: "m" })).toBe(1);
  expect(value("mecha_subagent_tool_calls", { model: "m" })).toBe(10);
});

test("stop causes and tokens by kind", () => {
  const usage = {
    input_tokens: 1,
    output_tokens: 2,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 4,
  };
  const { value } = metrics([
    aRun({ stop_cause: "loop", usage }),
    aRun({ stop_cause: "completed" }),
    aRun({ stop_cause: null }),
  ]);
  for (const stop_cause of ["loop", "completed", "unrecorded"])
    expect(value("mecha_runs_by_stop_cause", { stop_cause })).toBe(1);
  expect(value("mecha_runs_cut_short")).toBe(1);
  for (const [kind, tokens] of [
    ["input", 1],
    ["output", 2],
    ["cache_creation_input", 3],
    ["cache_read_input", 4],
  ] as const)
    expect(value("mecha_tokens", { kind })).toBe(tokens);
});

test("of very many models those with the most runs are told, and the rest is counted", () => {
  const runs = Array.from({ length: 250 }, (_, n) => aRun({ model: `m${n}` }));
  const { families, value } = metrics([...runs, aRun({ model: "m249" })]);
  expect(families.find(({ name }) => name === "mecha_runs")?.samples).toHaveLength(200);
  expect(value("mecha_runs", { model: "m249" })).toBe(2);
  expect(value("mecha_models_left_out")).toBe(50);
  expect(value("mecha_runs_left_out")).toBe(50);
});

test("findings are counted, zeros too; an unreadable source shows, and no path does", () => {
  const store: Finding = { ...finding("store/unreadable//secret"), component: "store" };
  const sources = [
    NOWHERE,
    { ...NOWHERE, problem: "cannot be read: /secret" },
    { source: { kind: "claude-code", place: "/secret" }, found: false, problem: null },
  ] as const;
  const { text, families, value } = metrics([], { findings: [finding("a"), finding("b"), store], sources });
  expect(value("mecha_findings", { component: "runs", severity: "attention" })).toBe(2);
  expect(value("mecha_findings", { component: "store", severity: "attention" })).toBe(1);
  expect(families.find(({ name }) => name === "mecha_findings")?.samples).toHaveLength(6);
  const readable = families.find(({ name }) => name === "mecha_source_readable");
  expect(readable?.samples.map(({ labels, value }) => [labels.source, value])).toEqual([["mecha", 0]]);
  expect(value("mecha_scan_timestamp_seconds")).toBe(1_785_000_000.5);
  expect(text).not.toContain("secret");
});

test("nothing at all is still an answer that can be read", () => {
  const report = healthReport([], { ...WINDOW, days: null, since: null });
  const families = readExposition(
    expositionText(metricFamilies({ report, findings: [], sources: [], scanned_ms: null })),
  );
  expect(families.map(({ name }) => name)).toEqual([
    "mecha_models_left_out",
    "mecha_runs_left_out",
    "mecha_findings",
  ]);
});
