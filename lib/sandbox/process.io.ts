import { type ChildProcess, spawn } from "node:child_process";
import { setMaxListeners } from "node:events";
import { hasCode, messageOf } from "#lib/errors.ts";
import { type BoundedOutput, boundedOutput } from "./bounded-output.ts";
import type { CommandResult } from "./confinement.ts";

export type Program = {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Text for its standard input; null: closed. */
  stdin: string | null;
};

export type ProcessRules = {
  timeoutMs: number;
  outputBytesMax: number;
  signal: AbortSignal;
  /** Ends all that the program started. Called again with `force` when the first time did not help. */
  end(pid: number, force: boolean): void;
  /** Called when it runs; may end it with a line that names a limit. The function it gives is called when it has ended. */
  watch?(pid: number, onOverLimit: (line: string) => void): () => void;
};

/** A command that prints this much, kept or not, only keeps us busy. */
const OUTPUT_BYTES_END = 256 * 1024 * 1024;
const FORCE_AFTER_MS = 500;
const GIVE_UP_AFTER_MS = 5000;
/** A process that left the group may hold the pipes open; what it prints later is not waited for. */
const DRAIN_MS = 200;

type Cause = { timedOut: boolean; aborted: boolean; overLimit: string | null };
const NO_CAUSE: Cause = { timedOut: false, aborted: false, overLimit: null };

/** Runs a program in a process group of its own to its end, or ends it. Never rejects: each end is a result. */
export function runProgram(program: Program, rules: ProcessRules): Promise<CommandResult> {
  const startedAt = performance.now();
  const streams = {
    stdout: boundedOutput(rules.outputBytesMax),
    stderr: boundedOutput(rules.outputBytesMax),
  };
  const result = (how: Partial<CommandResult>): CommandResult => ({
    ...{ exitCode: null, signal: null, problem: null },
    ...NO_CAUSE,
    stdout: streams.stdout.text(),
    stderr: streams.stderr.text(),
    bytesDropped: streams.stdout.bytesDropped() + streams.stderr.bytesDropped(),
    ms: performance.now() - startedAt,
    ...how,
  });
  if (rules.signal.aborted) return Promise.resolve(result({ aborted: true }));
  const child = start(program);
  if (typeof child === "string") return Promise.resolve(result({ problem: child }));
  return new Promise((resolve) => {
    const ending = supervise(child, rules, (how) => resolve(result(how)));
    child.once("error", (error) => ending.failed(startProblem(program, error)));
    collect(child, streams, () => ending.end({ ...NO_CAUSE, overLimit: "more output than anyone reads" }));
    feed(child, program.stdin);
  });
}

function start(program: Program): ChildProcess | string {
  const { argv, cwd, env, stdin } = program;
  const [command = "", ...args] = argv;
  try {
    return spawn(command, args, {
      ...{ cwd, env: env as NodeJS.ProcessEnv, detached: true, windowsHide: true },
      stdio: [stdin === null ? "ignore" : "pipe", "pipe", "pipe"],
    });
  } catch (error) {
    // Some is refused at once, such as arguments that are too long or have a NUL in them.
    return startProblem(program, error);
  }
}

/** The life of a started process: watches the clock, the signal and the limits, and settles exactly once. */
function supervise(
  child: ChildProcess,
  rules: ProcessRules,
  settle: (how: Partial<CommandResult>) => void,
): { end(cause: Cause): void; failed(problem: string): void } {
  const { pid } = child;
  const timers: NodeJS.Timeout[] = [];
  // Where this process stood still for so long, what has come meanwhile is taken before the time is held to be up.
  const later = (run: () => void, ms: number) =>
    timers.push(setTimeout(() => setImmediate(() => settled || run()), ms));
  let cause: Cause | null = null;
  let exit: { exitCode: number | null; signal: string | null } = { exitCode: null, signal: null };
  let stopWatch: (() => void) | null = null;
  let exited = false;
  let settled = false;
  const finish = (how: Partial<CommandResult>) => {
    if (settled) return;
    settled = true;
    for (const timer of timers) clearTimeout(timer);
    stopWatch?.();
    rules.signal.removeEventListener("abort", onAbort);
    for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.destroy();
    settle({ ...how, ...cause });
  };
  const end = (why: Cause) => {
    if (cause !== null || settled || pid === undefined) return;
    cause = why;
    rules.end(pid, false);
    later(() => rules.end(pid, true), FORCE_AFTER_MS);
    later(() => finish(exit), GIVE_UP_AFTER_MS);
  };
  const onAbort = () => end({ ...NO_CAUSE, aborted: true });
  if (pid !== undefined) {
    // A batch of calls shares one signal, and each listens to it for good reason.
    setMaxListeners(0, rules.signal);
    rules.signal.addEventListener("abort", onAbort, { once: true });
    const outOfTime = () => !exited && end({ ...NO_CAUSE, timedOut: true });
    later(outOfTime, Math.min(rules.timeoutMs, 2 ** 31 - 1));
    stopWatch = rules.watch?.(pid, (line) => end({ ...NO_CAUSE, overLimit: line })) ?? null;
  }
  child.once("exit", (exitCode, signal) => {
    exit = { exitCode, signal };
    exited = true;
    // What it left behind goes with it.
    if (pid !== undefined) rules.end(pid, true);
    later(() => finish(exit), DRAIN_MS);
  });
  child.once("close", () => finish(exit));
  return { end, failed: (problem) => finish({ problem }) };
}

function collect(
  child: ChildProcess,
  streams: { stdout: BoundedOutput; stderr: BoundedOutput },
  tooMuch: () => void,
): void {
  for (const name of ["stdout", "stderr"] as const)
    child[name]?.on("data", (chunk: Buffer) => {
      streams[name].push(chunk);
      if (streams[name].bytesSeen() > OUTPUT_BYTES_END) tooMuch();
    });
}

function feed({ stdin }: ChildProcess, text: string | null): void {
  // A program need not read what it is given; how it ends says whether that was a fault.
  stdin?.on("error", () => undefined);
  stdin?.end(text);
}

function startProblem({ argv, cwd }: Program, error: unknown): string {
  const [command = ""] = argv;
  if (hasCode(error, "ENOENT")) return `cannot start ${command}: no such program, or ${cwd} is no folder`;
  if (hasCode(error, "E2BIG")) return `cannot start ${command}: its arguments are too long`;
  return `cannot start ${command}: ${messageOf(error)}`;
}
