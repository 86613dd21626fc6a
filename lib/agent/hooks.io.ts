import path from "node:path";
import type { HookConfig } from "#lib/config/config.ts";
import { visible } from "#lib/format.ts";
import type { CommandResult } from "#lib/sandbox/confinement.ts";
import { runOpen } from "#lib/sandbox/run.io.ts";
import type { JsonObject } from "./model.ts";
import type { Decision, Hooks } from "./parts.ts";

export type HookOptions = {
  /** In the order of the configuration, which is the order they run in. */
  hooks: readonly HookConfig[];
  /** The workspace; hooks run there. */
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Null: the run is not recorded. */
  session: { id: string; file: string } | null;
  /** Told of a hook after a call that failed. One line. */
  onNote(note: string): void;
};

const OUTPUT_BYTES_MAX = 10_000;
const REASON_LENGTH_MAX = 300;

/**
 * The person's own programs around calls, each given one JSON object on its standard input: `event`, `session`,
 * `workspace`, for calls also `call_id`, `tool` and `input`, and after one its `result`. They run unconfined, without a
 * shell. Before a call, exit status 0 allows and everything else denies: another status, a time-out, a program that
 * cannot be started. After the fact there is nothing left to deny, so a failure is a note.
 *
 * `sessionEnd` gives one line for each that failed; `info` is added to what its programs are told.
 */
export function createHooks(
  options: HookOptions,
): Hooks & { sessionEnd(info: JsonObject, signal?: AbortSignal): Promise<string[]> } {
  return {
    async preTool({ id, name, input }, signal) {
      for (const hook of hooksFor(options, "pre_tool", name)) {
        const problem = await runHook(hook, options, { call_id: id, tool: name, input }, signal);
        if (problem !== null) return { allow: false, by: "hook", why: problem } satisfies Decision;
      }
      return { allow: true };
    },
    async postTool({ id, name, input }, result, signal) {
      for (const hook of hooksFor(options, "post_tool", name)) {
        const problem = await runHook(hook, options, { call_id: id, tool: name, input, result }, signal);
        if (problem !== null) options.onNote(`hook after ${visible(name)}: ${problem}`);
      }
    },
    async sessionEnd(info, signal = new AbortController().signal) {
      const problems: string[] = [];
      for (const hook of hooksFor(options, "session_end", null)) {
        const problem = await runHook(hook, options, info, signal);
        if (problem !== null) problems.push(`hook at the end of the session: ${problem}`);
      }
      return problems;
    },
  };
}

function hooksFor({ hooks }: HookOptions, event: HookConfig["event"], tool: string | null): HookConfig[] {
  return hooks.filter(
    (hook) => hook.event === event && (tool === null || hook.tools.length === 0 || hook.tools.includes(tool)),
  );
}

/** Null: the program ended with status 0. Else one line that says what it was and why. */
async function runHook(
  { event, command, timeout_secs }: HookConfig,
  { cwd, env, session }: HookOptions,
  told: JsonObject,
  signal: AbortSignal,
): Promise<string | null> {
  const stdin = JSON.stringify({ ...told, event, session, workspace: cwd });
  const limits = { timeoutMs: timeout_secs * 1000, outputBytesMax: OUTPUT_BYTES_MAX };
  const result = await runOpen(command, { cwd, env, stdin }, limits, signal);
  const problem = problemOf(result, timeout_secs);
  return problem === null ? null : `${visible(path.basename(command[0] ?? ""))}: ${problem}`;
}

function problemOf(result: CommandResult, timeoutSecs: number): string | null {
  if (result.problem !== null) return visible(result.problem);
  if (result.aborted) return "interrupted";
  if (result.timedOut) return `took longer than ${timeoutSecs} s`;
  if (result.overLimit !== null) return `reached a limit: ${result.overLimit}`;
  if (result.signal !== null) return `ended by ${result.signal}`;
  if (result.exitCode === 0) return null;
  const said = visible(result.stderr.trim().split("\n")[0]?.trim() ?? "");
  return said === "" ? `exit status ${result.exitCode}` : [...said].slice(0, REASON_LENGTH_MAX).join("");
}
