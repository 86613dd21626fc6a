import { fstatSync } from "node:fs";
import { homedir, userInfo } from "node:os";
import { hasCode, messageOf } from "#lib/errors.ts";
import type { InputLines } from "./input-lines.ts";
import { type CliIo, EXIT } from "./io.ts";
import { systemZone } from "./system-zone.ts";
import { writeWhole } from "./write-whole.ts";

/** The real process as a command sees it; `finish` ends the process. */
export function processIo(): { io: CliIo; finish(code: number): void } {
  const output = watchOutput();
  const io: CliIo = {
    out: output.write,
    err: writeError,
    env: process.env,
    cwd: workingFolder(),
    osHome: homedir() || userInfo().homedir,
    systemZone: systemZone(process.env.TZ),
    now_ms: Date.now(),
    // Asked for late: finding out loads a module that a short command does without.
    isTty: {
      get stdin() {
        return isTerminal(0);
      },
      get stdout() {
        return isTerminal(1);
      },
      get stderr() {
        return isTerminal(2);
      },
    },
    get columns() {
      return (isTerminal(1) ? process.stdout.columns : isTerminal(2) ? process.stderr.columns : 0) || 80;
    },
    signal: output.signal,
    ask: askLine,
    readInput,
    onInterrupt,
    run: (argv) => leaveInterruptsTo(() => runProgram(argv)),
  };
  return { io, finish: output.finish };
}

/**
 * A folder that was removed under the process has no name any more: it is given the one it had, for nothing relative to
 * it exists either. Never another folder, in which tools would then work.
 */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    const { PWD } = process.env;
    return PWD?.startsWith("/") ? PWD : "/dev/null/removed";
  }
}

/** Writes until the reader goes away (`| head`), which ends the command quietly; a full disk is said. */
function watchOutput() {
  const gone = new AbortController();
  let failure: string | null = null;
  return {
    signal: gone.signal,
    write(text: string): void {
      if (gone.signal.aborted) return;
      try {
        writeWhole(1, text);
      } catch (error) {
        failure = hasCode(error, "EPIPE") ? null : messageOf(error);
        gone.abort(error);
      }
    },
    finish(code: number): void {
      if (failure !== null) writeError(`mecha: cannot write the output: ${failure}\n`);
      process.exit(failure === null || code !== EXIT.fine ? code : EXIT.problem);
    },
  };
}

function writeError(text: string): void {
  try {
    writeWhole(2, text);
  } catch {
    // Nothing can be said on a standard error that nobody reads.
  }
}

/** A terminal is a character device; only what is one needs the module that can tell it from `/dev/null`. */
function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && process.getBuiltinModule("node:tty").isatty(fd);
  } catch {
    // A descriptor that is closed is none.
    return false;
  }
}

/**
 * Elsewhere Ctrl-C simply ends the process, also in the middle of a write that waits for a reader. While another program
 * runs in the foreground, the terminal has sent it to that one as well, whose answer it is.
 */
async function leaveInterruptsTo(start: () => Promise<number>): Promise<number> {
  const leave = (): void => undefined;
  process.on("SIGINT", leave);
  try {
    return await start();
  } finally {
    process.removeListener("SIGINT", leave);
  }
}

let lines: InputLines | null = null;

/** Not a terminal to Node: the kernel edits the line, and Ctrl-C stays a signal. */
async function askLine(question: string, how: Parameters<CliIo["ask"]>[1] = {}): Promise<string | null> {
  lines ??= (await import("./input-lines.ts")).inputLines(process.stdin);
  writeWhole(1, question);
  if (how.show !== undefined) {
    if (isTerminal(0)) await lines.forget(how.signal);
    how.show();
  }
  return how.pasted === true && isTerminal(0) ? lines.pasted(how.signal) : lines.next(how.signal);
}

async function readInput(bytesMax: number): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

function onInterrupt(handler: () => void): () => void {
  const release = (): void => {
    for (const name of INTERRUPTS) process.removeListener(name, first);
  };
  const first = (): void => {
    release();
    handler();
  };
  for (const name of INTERRUPTS) process.on(name, first);
  return release;
}

async function runProgram([file, ...rest]: readonly string[]): Promise<number> {
  if (file === undefined) return EXIT.problem;
  const { spawn } = await import("node:child_process");
  return new Promise((resolve) => {
    const child = spawn(file, rest, { stdio: "inherit" });
    child.once("error", (error) => {
      writeError(`mecha: cannot run ${file}: ${messageOf(error)}\n`);
      resolve(EXIT.problem);
    });
    child.once("exit", (code) => resolve(code ?? EXIT.problem));
  });
}
