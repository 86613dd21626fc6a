import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type CliIo, EXIT } from "#lib/cli/io.ts";
import { main } from "#lib/cli/main.ts";

export const NOW = "2026-08-06T12:00:00Z";

export type Ran = { code: number; out: string; err: string; asked: string[]; ran: string[][] };

type Options = {
  /** Home directory of the imagined person. */
  home: string;
  env?: Record<string, string>;
  now?: string;
  /** Answers typed on a terminal, in order; after the last one, the input has ended. Absent: no terminal. */
  answers?: string[];
  /** Standard input, read whole. */
  input?: string;
  colour?: boolean;
  columns?: number;
};

/** Runs the command line in process, on real files below `home`. */
export async function runCli(argv: readonly string[], options: Options): Promise<Ran> {
  const ran: Ran = { code: -1, out: "", err: "", asked: [], ran: [] };
  const tty = options.answers !== undefined;
  const answers = [...(options.answers ?? [])];
  const io: CliIo = {
    out: (text) => {
      ran.out += text;
    },
    err: (text) => {
      ran.err += text;
    },
    env: options.env ?? {},
    cwd: options.home,
    osHome: options.home,
    systemZone: "UTC",
    now_ms: Date.parse(options.now ?? NOW),
    isTty: { stdin: tty, stdout: tty || options.colour === true, stderr: false },
    columns: options.columns ?? 100,
    signal: new AbortController().signal,
    ask: async (question, how) => {
      how?.show?.();
      ran.asked.push(question);
      return answers.shift() ?? null;
    },
    readInput: async (bytesMax) => {
      const input = Buffer.from(options.input ?? "");
      return input.length > bytesMax ? null : input;
    },
    onInterrupt: () => () => undefined,
    run: async (words) => {
      ran.ran.push([...words]);
      return EXIT.fine;
    },
  };
  ran.code = await main(argv, io);
  return ran;
}

/** The surroundings of a command that reads no files and whose words do not matter. */
export function silentIo(): CliIo {
  return {
    out: () => undefined,
    err: () => undefined,
    env: {},
    cwd: "/",
    osHome: "/",
    systemZone: "UTC",
    now_ms: Date.parse(NOW),
    isTty: { stdin: false, stdout: false, stderr: false },
    columns: 80,
    signal: new AbortController().signal,
    ask: async () => null,
    readInput: async () => Buffer.alloc(0),
    onInterrupt: () => () => undefined,
    run: async () => EXIT.fine,
  };
}

/** A new folder under the system's temporary one, and the way to remove it. */
export function tempHome(): { home: string; remove(): void } {
  const home = mkdtempSync(path.join(tmpdir(), "mecha-cli-"));
  return { home, remove: () => rmSync(home, { recursive: true, force: true }) };
}
