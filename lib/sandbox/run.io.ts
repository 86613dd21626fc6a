import { homedir } from "node:os";
import { type TasksHold, workspaceProblem } from "./bwrap.ts";
import type { CommandLimits, CommandResult, Confinement } from "./confinement.ts";
import { runProgram } from "./process.io.ts";
import { killGroup, treeEnder } from "./process-end.io.ts";
import { realFolder } from "./real-folder.io.ts";
import { endGroupWithUs, startReaper } from "./reaper.io.ts";
import { dropHold } from "./tasks-group.io.ts";
import { within } from "./visible.ts";
import { watchCommand } from "./watch.io.ts";
import { findWrap, wrapped } from "./wrap.io.ts";

/**
 * Runs a program confined and ends whatever it started, when it ends or is ended. It sees its workspace, the system's
 * programs and the toolchains of the person, read-only, and nothing else of the machine. Where that cannot be had, the
 * program does not run and `problem` says why. Exit codes above 128 are signals, as a shell reports them. Never
 * rejects for anything the program or the machine does.
 */
export async function runConfined(
  argv: readonly string[],
  confinement: Confinement,
  limits: CommandLimits,
  signal: AbortSignal,
): Promise<CommandResult> {
  const confined = await confine(argv, confinement, limits);
  if (confined.argv === null) return notStarted(confined.problem);
  const result = await runProgram(
    { argv: confined.argv, cwd: "/", env: confined.env, stdin: null },
    {
      ...{ timeoutMs: limits.timeoutMs, outputBytesMax: limits.outputBytesMax, signal },
      // The first process inside dies with bubblewrap, and with it the whole process namespace.
      end: killGroup,
      watch: (pid, onOverLimit) =>
        watchCommand(
          pid,
          { workspace: confinement.writable ? confinement.workspace : null, limits },
          onOverLimit,
        ),
    },
  );
  dropHold(confined.hold);
  const refusal = /^bwrap: (.*)/.exec(result.stderr)?.[1];
  return result.exitCode === 1 && result.stdout === "" && refusal !== undefined
    ? { ...result, exitCode: null, problem: `bubblewrap could not start the command: ${refusal}` }
    : result;
}

export type Confined = {
  argv: string[];
  env: Record<string, string>;
  /** A control group that was made for it goes with `dropHold`, or with a later process. */
  hold: TasksHold;
  problem: null;
};

/**
 * The argv that runs `argv` confined, for a caller that starts it by itself, such as a server that is spoken to over
 * its standard input. Start it with exactly the environment given, and end it with SIGKILL: all inside goes with it.
 */
export async function confine(
  argv: readonly string[],
  confinement: Confinement,
  limits: CommandLimits,
): Promise<Confined | { argv: null; problem: string }> {
  const { wrap, problem } = await findWrap();
  if (wrap === null) return { argv: null, problem };
  const place = await realPlace(confinement);
  return place.problem === null
    ? { ...wrapped(argv, place.confinement, limits, wrap), problem: null }
    : { argv: null, problem: place.problem };
}

/**
 * Runs a program as the person would, because they chose to trust it: their files, their network, the environment
 * given. Its process group ends when the program does, with the call, and with this process, however that ends. At the
 * end of a call the processes below it that left the group are ended too; one that detached itself for good is not
 * found.
 */
export async function runOpen(
  argv: readonly string[],
  program: { cwd: string; env: Readonly<Record<string, string | undefined>>; stdin?: string },
  limits: Pick<CommandLimits, "timeoutMs" | "outputBytesMax">,
  signal: AbortSignal,
): Promise<CommandResult> {
  startReaper();
  return runProgram(
    { argv, cwd: program.cwd, env: program.env, stdin: program.stdin ?? null },
    {
      ...{ timeoutMs: limits.timeoutMs, outputBytesMax: limits.outputBytesMax, signal },
      end: treeEnder(),
      watch: (pid) => endGroupWithUs(pid),
    },
  );
}

/** Links are followed before the wrap is built, so that what is checked is what is mounted. */
async function realPlace(
  confinement: Confinement,
): Promise<{ confinement: Confinement; problem: null } | { problem: string }> {
  const workspace = realFolder(confinement.workspace);
  const cwd = realFolder(confinement.cwd);
  if (workspace === null) return { problem: `${confinement.workspace} is no folder` };
  if (cwd === null) return { problem: `${confinement.cwd} is no folder` };
  if (!within(cwd, workspace)) return { problem: `${confinement.cwd} is outside ${confinement.workspace}` };
  const problem = workspaceProblem(workspace, realFolder(homedir()));
  return problem === null ? { confinement: { ...confinement, workspace, cwd }, problem: null } : { problem };
}

function notStarted(problem: string): CommandResult {
  return {
    ...{ exitCode: null, signal: null, timedOut: false, aborted: false, overLimit: null },
    ...{ problem, stdout: "", stderr: "", bytesDropped: 0, ms: 0 },
  };
}
