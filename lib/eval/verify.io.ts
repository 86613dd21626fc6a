import { type CommandLimits, type CommandResult, USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { runConfined, runOpen } from "#lib/sandbox/run.io.ts";
import { endOf } from "#lib/utf8.ts";
import type { Check } from "./scorecard.ts";

/** However short a person set the limit of the shell tool: a test suite may take longer than a command. */
const TIMEOUT_FLOOR_SECS = 120;
const TAIL_MAX = 600;

/** Where the commands of a case run, and with what. */
type Place = {
  workspace: string;
  writable: boolean;
  unconfined: boolean;
  env: Readonly<Record<string, string | undefined>>;
};
export type VerifyOptions = Omit<Place, "writable"> & { shellTimeoutSecs: number };

/**
 * Runs a case's `verify` in its own workspace, after the run: what counts is not what the model says of its work but
 * whether the work holds. Passes when the command exits 0.
 */
export async function verifyCheck(
  command: string,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<Check> {
  const secs = Math.max(options.shellTimeoutSecs, TIMEOUT_FLOOR_SECS);
  const limits = {
    ...USUAL_LIMITS,
    timeoutMs: secs * 1000,
    outputBytesMax: 64 * 1024,
    fileBytesMax: 256 * 1024 * 1024,
    processesMax: 256,
  };
  const result = await runForCase(command, { ...options, writable: true }, limits, signal);
  const problem = problemOf(result, command, secs);
  return { name: "verify", passed: problem === null, detail: problem ?? "" };
}

/** Runs a command as `verify` is run, or, unconfined, as the person; never with a key of any provider. */
export function runForCase(
  command: string,
  { workspace, writable, unconfined, env }: Place,
  limits: CommandLimits,
  signal: AbortSignal,
): Promise<CommandResult> {
  const argv = ["bash", "-lc", command];
  if (unconfined) return runOpen(argv, { cwd: workspace, env: openEnv(env) }, limits, signal);
  const confinement = { workspace, writable, cwd: workspace, network: false, env: {} };
  return runConfined(argv, confinement, limits, signal);
}

function problemOf(result: CommandResult, command: string, secs: number): string | null {
  if (result.problem !== null) return `${command}: could not be run: ${result.problem}`;
  if (result.timedOut) return `${command}: still running after ${secs} s`;
  if (result.exitCode === 0) return null;
  const output = `${result.stdout}${result.stderr}`.trim();
  const tail = output.length > TAIL_MAX ? `…${endOf(output, TAIL_MAX)}` : output;
  return `${command}: exit code ${result.exitCode ?? -1}${tail === "" ? "" : `\n${tail}`}`;
}

/** No more than a plain command needs. */
function openEnv(env: Place["env"]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"]) {
    const value = env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
