import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Agent, LaunchRequest } from "#lib/agent/launch-request.ts";
import { outcomeOf } from "#lib/agent/outcome.ts";
import type { RunResult } from "#lib/agent/parts.ts";
import { defaultConfig } from "#lib/config/defaults.ts";
import { type LedgerRow, parseLedger } from "#lib/trigger/ledger.ts";
import type { Unattended } from "#lib/unattended/attempt.io.ts";
import { aRunOptions } from "#tests/support/run-options.ts";

/** A triggers folder in a new place; `remove` takes it away. */
export function triggersFolder(): { dir: string; remove(): void } {
  const home = mkdtempSync(path.join(tmpdir(), "mecha-unattended-"));
  return { dir: path.join(home, "triggers"), remove: () => rmSync(home, { recursive: true, force: true }) };
}

export function rowsIn(dir: string): LedgerRow[] {
  return parseLedger(readFileSync(path.join(dir, "runs.jsonl"))).rows;
}

export function aResult(what: Partial<RunResult> = {}): RunResult {
  const usage = {
    input_tokens: 10,
    output_tokens: 2,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  const counts = {
    ...{ turns: 2, usage, cost_usd: 0.5, usage_complete: true, stop_cause: "completed" as const },
    ...{ malformed_tool_args: 0, blocked_sends: 1, compactions: 0 },
    taint: { private: true, untrusted: false },
  };
  return {
    failure: null,
    outcome: outcomeOf(counts, []),
    text: "\n  All is well. \nMore of it.",
    refused: false,
    trace: [],
    unknownTools: 0,
    conversation: { messages: [], taint: counts.taint },
    ...what,
  };
}

/** What a run comes to, told as it would be by a conversation with a model that takes `ms`, or until it is stopped. */
export function anAgent(ms: number, result: RunResult = aResult(), stops = true): Agent & { closed: number } {
  const agent = {
    closed: 0,
    session: { id: "20260805T091500-3f2a1b7c", file: "/nowhere" },
    tools: [],
    notices: [],
    send: (_prompt: string, { signal }: { signal: AbortSignal }) =>
      new Promise<RunResult>((resolve) => {
        const timer = setTimeout(() => resolve(result), ms);
        const stop = () => {
          clearTimeout(timer);
          resolve({ ...result, outcome: { ...result.outcome, stop_cause: "interrupted" } });
        };
        if (!stops) return;
        if (signal.aborted) stop();
        else signal.addEventListener("abort", stop);
      }),
    conversation: () => ({ messages: [], taint: { private: false, untrusted: false } }),
    close: async () => {
      agent.closed += 1;
    },
  };
  return agent;
}

export function aRequest(): LaunchRequest {
  return {
    config: defaultConfig(),
    options: aRunOptions({ provider: "scripted", model: "scripted", workspace: "/tmp", systemPrompt: null }),
    surface: { mcp: false, hooks: false, outbox: false, fallbacks: false, search: false },
    session: { kind: "none" },
    conversation: { messages: [], taint: { private: false, untrusted: false } },
    recordOrder: "summary",
    approve: async () => ({ allow: true }),
    ask: null,
    outboxDir: "/nowhere",
    env: {},
  };
}

export function parts(triggersDir: string, what: Partial<Unattended> = {}): Unattended {
  return {
    triggersDir,
    launch: async () => anAgent(0),
    request: async () => aRequest(),
    signal: new AbortController().signal,
    watch: () => ({ onEvent: () => undefined, onNotice: () => undefined, onAnswer: () => undefined }),
    ...what,
  };
}

/**
 * The file of a program that a child process runs: one look at the triggers of a folder, each run taking `ms`. It looks
 * at `at_ms`, so that several look at the same time however long each takes to start.
 */
export function tickProgram(dir: string, ms: number, at_ms: number): string {
  const here = (name: string) => JSON.stringify(path.join(import.meta.dirname, name));
  const lib = (name: string) => JSON.stringify(path.resolve("lib", name));
  const file = path.join(path.dirname(dir), `tick-${Math.random().toString(36).slice(2)}.mts`);
  writeFileSync(
    file,
    `import { anAgent, parts } from ${here("a-runner.ts")};
import { tick } from ${lib("unattended/tick.io.ts")};
await new Promise((resolve) => setTimeout(resolve, ${at_ms} - Date.now()));
const done = await tick(parts(${JSON.stringify(dir)}, { launch: async () => anAgent(${ms}) }), { zone: "UTC", at_once: 4, onFired: () => undefined });
console.log(JSON.stringify(done.fired));
`,
  );
  return file;
}
