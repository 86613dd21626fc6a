import { SESSIONS_MAX } from "#lib/doctor/population.ts";
import { count, counted, fixed, percent } from "#lib/format.ts";
import type { Rate } from "#lib/rate.ts";
import type { Evidence } from "./evidence.ts";
import type { FindingFact } from "./finding-fact.ts";

/** The evidence as plain lines: the whole of what a diagnostician is told about the runs, and what `--dry-run` prints. */
export function briefText(evidence: Evidence): string {
  const { runs, compactions, turns } = evidence;
  const rows: [string, string][] = [
    ["model", `${evidence.model} (${whence(evidence)})`],
    ["window", windowWords(evidence.window)],
    ["read", `${counted(evidence.sessions_read, "session")}, ${counted(runs, "run")} of this model`],
    ["", ""],
    ["stop causes", evidence.stop_causes.map(({ cause, runs: n }) => `${cause} ${count(n)}`).join(" · ")],
    ["cut short", share(evidence.cut_short, "run")],
    ["ended on a failed call", share(evidence.ended_on_failed_call, "run")],
    ["failed tool calls", share(evidence.tool_error_rate, "call")],
    ["refused tool calls", count(evidence.tool_denied)],
    ["tool calls held back", known(evidence.tool_staged)],
    ["malformed arguments", known(evidence.malformed_tool_args)],
    ["blocked sends", known(evidence.blocked_sends)],
    ["compactions", `${count(compactions)}${perRun(compactions, runs)}`],
    ["turns", `${count(turns)}${perRun(turns, runs)}`],
    ["", ""],
    ["settings now", knobWords(evidence.knobs)],
  ];
  const lines = rows.map(([label, value]) => (label === "" ? "" : `${label.padEnd(24)}${value}`));
  return [HEAD, "", ...lines, "", ...findingLines(evidence)].join("\n");
}

const HEAD = "Counters of agent runs. A program counted all of them.";

function whence({ provenance }: Evidence): string {
  return provenance === "recorded"
    ? "recorded by this harness"
    : "derived from another program's transcripts";
}

function windowWords({ days, limit }: Evidence["window"]): string {
  const age = days === null ? "" : `, of the last ${counted(days, "day")}`;
  return `at most the newest ${counted(limit, "session")}${age}`;
}

/** A rate over nothing is not zero, and is said to be no rate. */
function share(rate: Rate, unit: string): string {
  if (rate.of === 0) return `rate unknown, no ${unit}s to count`;
  return `${count(rate.hits)} of ${counted(rate.of, unit)} (${percent(rate, 1)})`;
}

function perRun(n: number, runs: number): string {
  return runs === 0 ? "" : ` (${fixed(n / runs, 1)} a run)`;
}

function known(n: number | null): string {
  return n === null ? "not known" : count(n);
}

function knobWords(knobs: Evidence["knobs"]): string {
  return Object.entries(knobs)
    .map(([key, value]) => `${key} ${value ?? "not set"}`)
    .join(" · ");
}

const FINDINGS = `findings, of any model and trigger, over the newest ${SESSIONS_MAX} sessions`;

function findingLines({ findings, findings_unknown, model }: Evidence): string[] {
  if (findings.length + findings_unknown === 0) return ["findings: none"];
  const more =
    findings_unknown === 0 ? [] : [`- ${counted(findings_unknown, "finding")} of a kind without numbers`];
  return [FINDINGS, ...findings.map((fact) => `- ${factLine(fact, model)}`), ...more];
}

function factLine(fact: FindingFact, subject: string): string {
  switch (fact.check) {
    case "ended_on_failed_call":
      return `${owner(fact, subject)} ends on a failed call: ${share(fact.rate, "run")}`;
    case "tool_error_rate":
      return `${owner(fact, subject)} fails its calls: ${share(fact.rate, "call")}`;
    case "cut_short":
      return `${owner(fact, subject)} is cut short: ${share(fact.rate, "run")}`;
    case "trigger_tool_error_rate":
      return `trigger ${fact.trigger} fails its calls: ${share(fact.rate, "call")}, last ${counted(fact.runs, "run")}`;
    case "trigger_last_run_failed":
      return `trigger ${fact.trigger} failed last: ${count(fact.failed)} of ${counted(fact.runs, "run")}`;
    case "trigger_did_no_work":
      return `trigger ${fact.trigger} made no call last; ${counted(fact.earlier_calls, "call")} in ${counted(fact.earlier_runs, "run")} before`;
    case "trigger_missed_slots":
      return `trigger ${fact.trigger} misses its slots`;
    default:
      return fact satisfies never;
  }
}

function owner({ model, derived }: Extract<FindingFact, { model: string }>, subject: string): string {
  return `${model === subject ? "this model" : model}${derived ? " (derived)" : ""}`;
}
