import { type ChildProcess, spawn } from "node:child_process";
import type { JSONRPCMessage, Transport } from "@modelcontextprotocol/client";
import { messageOf } from "#lib/errors.ts";
import { withExactIds } from "#lib/json-text.ts";
import { handshakeOf, mendedMessages } from "./answer-shape.ts";
import { LineCutter } from "./line-cutter.ts";
import { StderrTail } from "./stderr-tail.ts";

/** Of one message. An answer of this size is cut to a fraction of it anyway. */
const LINE_BYTES_MAX = 16 * 1024 * 1024;
const GRACE_MS = 700;
/** After the whole group was killed, only what left the group can hold a stream open. */
const DRAIN_MS = 500;

/**
 * A server leads a process group of its own. Beside it waits a shell that kills the group as soon as its third
 * descriptor closes, which the kernel does also when this process was killed: nothing of a server outlives the run.
 */
const GUARD = '(trap "" HUP INT TERM; read _ <&3; kill -9 0) >/dev/null 2>&1 </dev/null & exec 3<&- "$@"';

export type Command = { argv: readonly string[]; env: Readonly<Record<string, string>>; cwd: string };
type Decode = (line: string) => JSONRPCMessage;

/** One server's process, spoken to over its standard streams, one JSON message a line. */
export class ServerProcess implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: Transport["onmessage"];
  /** Called when a message was too large to take: whoever waits for an answer may wait for that one. */
  onoversize?: () => void;
  /** How the process ended, in words; null while it lives. */
  end: string | null = null;
  readonly stderr = new StderrTail();
  readonly #command: Command;
  readonly #decode: Decode;
  #child: ChildProcess | null = null;
  /** The id of the request that begins it all, until its answer is here. */
  #handshake: unknown = null;
  #closing = false;
  #gone: Promise<void> = Promise.resolve();

  constructor(command: Command, decode: Decode) {
    this.#command = command;
    this.#decode = decode;
  }

  async start(): Promise<void> {
    const { argv, env, cwd } = this.#command;
    const child = spawn("/bin/sh", ["-c", GUARD, "sh", ...argv], {
      // A web framework declares a variable there that every process is said to have.
      env: { ...env } as NodeJS.ProcessEnv,
      cwd,
      detached: true,
      stdio: ["pipe", "pipe", "pipe", "pipe"],
    });
    this.#child = child;
    this.#listen(child);
    this.#gone = new Promise((resolve) => {
      child.once("error", (error) => {
        this.end ??= `could not be started: ${messageOf(error)}`;
        resolve();
      });
      child.once("exit", (code, signal) => {
        this.end ??= code === null ? `was ended by ${signal}` : `ended with exit code ${code}`;
        killGroup(child);
        // What has come while this process stood still is taken first.
        const timer = setTimeout(() => setImmediate(resolve), DRAIN_MS);
        child.once("close", () => {
          clearTimeout(timer);
          resolve();
        });
      });
    });
    void this.#gone.then(() => {
      for (const stream of child.stdio) stream?.destroy();
      this.onclose?.();
    });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const stdin = this.#child?.stdin;
    if (this.end !== null || !stdin?.writable) throw new Error("the server has ended");
    if ("method" in message && "id" in message && message.method === "initialize")
      this.#handshake = message.id;
    stdin.write(`${JSON.stringify(message)}\n`);
  }

  /** Asks the server to end, by closing its input; then the whole group is killed. Resolves when it is gone. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child === null || this.#closing) return this.#gone;
    this.#closing = true;
    child.stdin?.end();
    const timers = [
      setTimeout(() => killGroup(child, "SIGTERM"), GRACE_MS),
      setTimeout(() => killGroup(child), 2 * GRACE_MS),
    ];
    await this.#gone;
    for (const timer of timers) clearTimeout(timer);
  }

  #listen(child: ChildProcess): void {
    const lines = new LineCutter(LINE_BYTES_MAX);
    child.stdout?.on("data", (chunk: Buffer) => {
      for (const line of lines.add(chunk)) this.#take(line);
    });
    // A server that has closed its output can answer nothing any more.
    child.stdout?.once("end", () => {
      // At its end the output closes first; how it ended is the better word.
      const giveUp = () => {
        if (this.end !== null || this.#closing) return;
        this.end = "closed its output";
        killGroup(child);
      };
      setTimeout(() => setImmediate(giveUp), DRAIN_MS);
    });
    child.stderr?.on("data", (chunk: Buffer) => this.stderr.add(chunk));
    for (const stream of child.stdio) stream?.on("error", (error: Error) => this.onerror?.(error));
  }

  #take(line: string | null): void {
    if (line === null) {
      this.onoversize?.();
      return;
    }
    // Some runtimes begin their output with a mark of its encoding.
    const text = line.replace(/^\ufeff/, "").trim();
    if (text === "") return;
    try {
      for (const message of this.#messagesOf(text)) this.onmessage?.(this.#readable(message));
    } catch (error) {
      // A line that is no message, such as a log line on the wrong stream, is not worth a session.
      this.onerror?.(error instanceof Error ? error : new Error(messageOf(error)));
    }
  }

  #readable(message: JSONRPCMessage): JSONRPCMessage {
    if (this.#handshake === null || !("result" in message) || message.id !== this.#handshake) return message;
    this.#handshake = null;
    return { ...message, result: handshakeOf(message.result) };
  }

  #messagesOf(text: string): JSONRPCMessage[] {
    try {
      const message = this.#decode(text);
      // A list of tools has large numbers as the bounds of others, and those are to stay numbers.
      const isData = "result" in message && message.result.tools === undefined;
      return [isData ? this.#decode(withExactIds(text)) : message];
    } catch (error) {
      if (error instanceof SyntaxError) throw error;
      return mendedMessages(text).map((message) => this.#decode(JSON.stringify(message)));
    }
  }
}

/** The group is still there after its leader has ended, for the waiting shell is one of it: no stranger has its number. */
function killGroup(child: ChildProcess, signal: NodeJS.Signals = "SIGKILL"): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    // All of it has ended already.
  }
}
