import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

/** A line without an end is cut here, so that what is typed ahead stays bounded. */
const LINE_MAX = 8 * 1024 * 1024;
/** The lines of one paste come within this. */
const PASTE_MS = 30;
/** What a terminal has taken already comes within this. */
const AHEAD_MS = 20;

export type InputLines = {
  /** The next line without its end; null at the end of the input, or once `signal` aborts. */
  next(signal?: AbortSignal): Promise<string | null>;
  /** As `next`, with the lines that follow at once: what was pasted is one answer. */
  pasted(signal?: AbortSignal): Promise<string | null>;
  /** Drops what was typed so far. */
  forget(signal?: AbortSignal): Promise<void>;
};

/** The lines of a stream, kept between questions: what was typed ahead answers the next one. */
export function inputLines(input: Readable): InputLines {
  const decoder = new StringDecoder("utf8");
  let held = "";
  // Whoever read all of it before has left nothing to wait for.
  let ended = input.readableEnded || input.destroyed;
  let wake = (): void => undefined;
  const more = (text: string): void => {
    held += text;
    wake();
  };
  const end = (): void => {
    ended = true;
    wake();
  };
  input.on("data", (chunk: Buffer) => more(decoder.write(chunk)));
  input.once("end", () => {
    more(decoder.end());
    end();
  });
  // A terminal that has gone answers nothing more.
  input.once("error", end);
  input.pause();

  const take = (): string | null => {
    const at = held.indexOf("\n");
    if (at < 0 && held.length < LINE_MAX && !(ended && held !== "")) return null;
    const stop = at >= 0 ? at : Math.min(held.length, LINE_MAX);
    const line = held.slice(0, stop);
    held = held.slice(at >= 0 ? stop + 1 : stop);
    return line.endsWith("\r") ? line.slice(0, -1) : line;
  };
  const until = (signal: AbortSignal | undefined, waitMs: number | null): Promise<void> =>
    new Promise((resolve) => {
      const timer = waitMs === null ? undefined : setTimeout(done, waitMs);
      function done(): void {
        clearTimeout(timer);
        signal?.removeEventListener("abort", done);
        wake = (): void => undefined;
        input.pause();
        resolve();
      }
      wake = done;
      signal?.addEventListener("abort", done);
      input.resume();
    });
  const next = async (signal?: AbortSignal): Promise<string | null> => {
    for (;;) {
      if (signal?.aborted) return null;
      const line = take();
      if (line !== null || ended) return line;
      await until(signal, null);
    }
  };
  const pasted = async (signal?: AbortSignal): Promise<string | null> => {
    const first = await next(signal);
    if (first === null) return null;
    const lines = [first];
    for (;;) {
      let line = take();
      if (line === null && !ended) {
        await until(signal, PASTE_MS);
        line = take();
      }
      if (line === null) return lines.join("\n");
      lines.push(line);
    }
  };
  const forget = async (signal?: AbortSignal): Promise<void> => {
    const until_ms = performance.now() + AHEAD_MS;
    for (let left = AHEAD_MS; left > 0 && !ended && !signal?.aborted; left = until_ms - performance.now())
      await until(signal, left);
    held = "";
  };
  return { next, pasted, forget };
}
