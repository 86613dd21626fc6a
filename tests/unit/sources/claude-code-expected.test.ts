import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { deriveRuns } from "#lib/sources/claude-code/derive.ts";
import type { DerivedRun } from "#lib/sources/claude-code/state.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readLines } from "./claude-code-lines.ts";

type Expected = {
  runs: number;
  subagent_file: boolean;
  prompts_without_response: number;
  session_ids: number;
  run_list: ExpectedRun[];
  sidechain: {
    turns: number;
    tool_calls: number;
    tool_errors: number;
    tool_denied: number;
    usage: object;
  } | null;
  totals: { malformed_args: number };
};
type ExpectedRun = {
  started: string;
  model: string | null;
  models: Record<string, number>;
  mixed_models: boolean;
  turns: number;
  usage: Record<string, number>;
  usage_complete: boolean;
  stop_cause: string;
  stop_cause_inferred: boolean;
  ended_on_failed_call: boolean;
  tool_calls: number;
  tool_results: number;
  calls_without_result: number;
  tool_errors: number;
  schema_invalid_args: number;
  denied_user: number;
  denied_policy: number;
  tool_denied: number;
  tool_cancelled: number;
  is_error_raw: number;
  interruptions: number;
  api_error_messages: number;
  compactions: number;
  machine_continuations: number;
};

/** File, run (0-based) and key where our count differs on purpose, with the argument. There is none. */
const DEVIATIONS: ReadonlyMap<string, string> = new Map();

const NO_USAGE = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

const folder = sharedDir === null ? null : path.join(sharedDir, "data");
const expected = folder === null ? {} : readExpected(path.join(folder, "expected-counts.json"));
const files = Object.keys(expected).filter((name) => name.startsWith("claude-code/"));
const reason = folder === null ? ` (${sharedMissing})` : "";

describe.skipIf(folder === null)(`real files give the expected counts${reason}`, () => {
  test("all of them are here", () => {
    expect(files.length).toBe(54);
    expect(readdirSync(path.join(folder ?? "", "claude-code")).length).toBe(54);
  });

  test.each(files)("%s", (name) => {
    const want = expected[name] as Expected;
    const lines = readFileSync(path.join(folder ?? "", name), "utf8").split("\n");
    const whole = lines.filter((line) => line.trim() !== "");
    const { head, state, unknown, result } = readLines(whole, name);
    // Snapshots and titles without one time stamp among them: no session, and so no run.
    if (head === null || state === null || result === null)
      return expect([want.runs, want.session_ids]).toEqual([0, 0]);
    expect(unknown).toBe(0);
    expect(head.subagent).toBe(want.subagent_file);
    const derived = deriveRuns(state.main);
    expect(state.main.runs.length - derived.length).toBe(want.prompts_without_response);
    expect(withoutDeviations(name, derived.map(countsOf))).toEqual(
      withoutDeviations(name, want.run_list.map(countsWanted)),
    );
    const main = result.runs.filter((row) => row.subagent === head.subagent);
    expect(main).toMatchObject(want.run_list.flatMap((run, index) => rowWanted(run, index, want)));
    expect(result.unfinished).toEqual(startsOf(want, "unfinished"));
    expect(result.provider_errors).toEqual(startsOf(want, "api_error"));
    expect(inlineTotals(result.runs.filter((row) => row.subagent !== head.subagent))).toEqual(
      want.sidechain === null ? null : inlineWanted(want.sidechain),
    );
  });
});

function readExpected(file: string): Record<string, Expected> {
  return (JSON.parse(readFileSync(file, "utf8")) as { files: Record<string, Expected> }).files;
}

function countsOf(run: DerivedRun) {
  const { results } = run;
  const denied = results.denied_user + results.denied_policy + results.denied_unknown;
  const errors = results.error + results.schema_error;
  return {
    started: Date.parse(run.started),
    model: run.model,
    models: Object.fromEntries(run.models),
    mixed_models: run.models.size > 1,
    turns: run.turns,
    usage: run.usage,
    usage_complete: run.usageComplete,
    stop_cause: run.stop,
    stop_cause_inferred: run.stopInferred,
    ended_on_failed_call: run.endedOnFailedCall,
    tool_calls: run.calls,
    tool_results: results.ok + errors + denied + results.cancelled,
    calls_without_result: run.callsWithoutResult,
    tool_errors: errors,
    schema_invalid_args: results.schema_error,
    denied_user: results.denied_user,
    denied_policy: results.denied_policy,
    tool_denied: denied,
    tool_cancelled: results.cancelled,
    is_error_raw: errors + denied + results.cancelled,
    interruptions: run.interruptions,
    api_error_messages: run.apiErrors,
    compactions: run.compactions,
    machine_continuations: run.machineContinuations,
  };
}

function countsWanted(run: ExpectedRun): ReturnType<typeof countsOf> {
  const keys = Object.keys(countsOf(NO_RUN)) as (keyof ExpectedRun)[];
  const counts = Object.fromEntries(keys.map((key) => [key, run[key]]));
  const { usage, started } = run;
  return { ...counts, usage: { ...NO_USAGE, ...usage }, started: Date.parse(started) } as ReturnType<
    typeof countsOf
  >;
}

/** The row of a run under our stop causes; none where the run has not finished or the provider failed. */
function rowWanted(run: ExpectedRun, index: number, file: Expected): object[] {
  const causes: Record<string, string> = {
    completed: "completed",
    interrupted: "interrupted",
    denied: "interrupted",
  };
  if (run.stop_cause === "unfinished" || run.stop_cause === "api_error") return [];
  return [
    {
      source: "claude-code",
      provenance: "derived",
      run: index + 1,
      model: run.model ?? "",
      subagent: file.subagent_file,
      turns: run.turns,
      usage: { ...NO_USAGE, ...run.usage },
      usage_complete: run.usage_complete,
      cost_usd: null,
      stop_cause: causes[run.stop_cause],
      exhausted: false,
      ended_on_failed_call: run.ended_on_failed_call,
      tool_calls: run.tool_calls,
      tool_errors: run.tool_errors,
      tool_denied: run.tool_denied,
      tool_cancelled: run.tool_cancelled,
      tool_staged: null,
      malformed_tool_args: null,
      blocked_sends: null,
      compactions: run.compactions,
      taint: null,
    },
  ];
}

function startsOf(file: Expected, stop: string): string[] {
  return file.run_list.filter((run) => run.stop_cause === stop).map((run) => run.started);
}

type Row = NonNullable<ReturnType<typeof readLines>["result"]>["runs"][number];

function inlineTotals(rows: readonly Row[]) {
  if (rows.length === 0) return null;
  const sum = (pick: (row: Row) => number) => rows.reduce((total, row) => total + pick(row), 0);
  return {
    turns: sum((row) => row.turns),
    tool_calls: sum((row) => row.tool_calls),
    tool_errors: sum((row) => row.tool_errors),
    tool_denied: sum((row) => row.tool_denied),
    usage: {
      input_tokens: sum((row) => row.usage.input_tokens),
      output_tokens: sum((row) => row.usage.output_tokens),
      cache_creation_input_tokens: sum((row) => row.usage.cache_creation_input_tokens),
      cache_read_input_tokens: sum((row) => row.usage.cache_read_input_tokens),
    },
  };
}

function inlineWanted({
  turns,
  tool_calls,
  tool_errors,
  tool_denied,
  usage,
}: NonNullable<Expected["sidechain"]>) {
  return { turns, tool_calls, tool_errors, tool_denied, usage };
}

function withoutDeviations<T extends object>(name: string, runs: T[]): T[] {
  return runs.map((run, index) => {
    const kept = Object.entries(run).filter(([key]) => !DEVIATIONS.has(`${name} ${index} ${key}`));
    return Object.fromEntries(kept) as T;
  });
}

const NO_RUN: DerivedRun = {
  session: null,
  mark: null,
  started: "",
  model: null,
  models: new Map(),
  turns: 0,
  usage: NO_USAGE,
  usageComplete: true,
  stop: "completed",
  stopInferred: false,
  spoke: true,
  endedOnFailedCall: false,
  calls: 0,
  callsWithoutResult: 0,
  results: {
    ok: 0,
    error: 0,
    schema_error: 0,
    denied_user: 0,
    denied_policy: 0,
    denied_unknown: 0,
    cancelled: 0,
  },
  interruptions: 0,
  apiErrors: 0,
  compactions: 0,
  machineContinuations: 0,
  config: {},
};
