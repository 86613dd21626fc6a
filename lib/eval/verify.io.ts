import { type CommandResult, USUAL_LIMITS } from "#lib/sandbox/confinement.ts";
import { runConfined, runOpen } from "#lib/sandbox/run.io.ts";
import type { Check } from "./scorecard.ts";

/** However short a person set the limit of the shell tool: a test suite may take longer than a command. */
const TIMEOUT_FLOOR_SECS = 120;
const TAIL_MAX = 600;

export type VerifyOptions = {
  workspace: string;
  shellTimeoutSecs: number;
  unconfined: boolean;
  env: Readonly<Record<string, string | undefined>>;
};

/**
 * Runs a case's `verify` in its own workspace, after the run: what counts is not what the model says of its work but
 * whether the work holds. Passes when the command exits 0.
 */
export async function verifyCheck(
  command: string,
  options: VerifyOptions,
  signal: AbortSignal,
): Promise<Check> {
  const { workspace } = options;
  const secs = Math.max(options.shellTimeoutSecs, TIMEOUT_FLOOR_SECS);
  const limits = {
    ...USUAL_LIMITS,
    timeoutMs: secs * 1000,
    outputBytesMax: 64 * 1024,
    fileBytesMax: 256 * 1024 * 1024,
    processesMax: 256,
  };
  const argv = ["bash", "-lc", command];
  const result = options.unconfined
    ? await runOpen(argv, { cwd: workspace, env: openEnv(options.env) }, limits, signal)
    : await runConfined(
        argv,
        { workspace, writable: true, cwd: workspace, network: false, env: {} },
        limits,
        signal,
      );
  const problem = problemOf(result, command, secs);
  return { name: "verify", passed: problem === null, detail: problem ?? "" };
}

function problemOf(result: CommandResult, command: string, secs: number): string | null {
  if (result.problem !== null) return `${command}: could not be run: ${result.problem}`;
  if (result.timedOut) return `${command}: still running after ${secs} s`;
  if (result.exitCode === 0) return null;
  const output = `${result.stdout}${result.stderr}`.trim();
  const tail = output.length > TAIL_MAX ? `…${output.slice(-TAIL_MAX)}` : output;
  return `${command}: exit code ${result.exitCode ?? -1}${tail === "" ? "" : `\n${tail}`}`;
}

/** Unconfined, a command still gets no more than a plain one needs: no key of any provider. */
function openEnv(env: VerifyOptions["env"]): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const name of ["PATH", "HOME", "LANG", "LC_ALL", "TMPDIR"]) {
    const value = env[name];
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}
