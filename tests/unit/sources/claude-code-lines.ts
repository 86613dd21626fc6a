import type { FoldResult, Head, JsonObject } from "#lib/sources/adapter.ts";
import { claudeCode } from "#lib/sources/claude-code/adapter.ts";
import type { State } from "#lib/sources/claude-code/state.ts";

export const SESSION = "0f0e0d0c-0b0a-4909-8807-060504030201";

let clock = 0;

/** A record of the conversation, a second after the one before it. */
function record(type: string, rest: JsonObject): JsonObject {
  clock += 1;
  return {
    parentUuid: null,
    isSidechain: false,
    sessionId: SESSION,
    version: "2.1.101",
    type,
    uuid: `00000000-0000-4000-8000-${String(clock).padStart(12, "0")}`,
    timestamp: new Date(Date.UTC(2026, 3, 1, 8, 0, clock)).toISOString(),
    ...rest,
  };
}

export const user = (content: unknown, rest: JsonObject = {}) =>
  record("user", { message: { role: "user", content }, ...rest });

export const text = (words: string) => ({ type: "text", text: words });
export const call = (id: string) => ({ type: "tool_use", id, name: "Bash", input: { command: "ls" } });

export const result = (id: string, content: unknown = "fine", isError = false, rest: JsonObject = {}) =>
  user([{ type: "tool_result", tool_use_id: id, content, is_error: isError }], rest);

type Said = { id?: string; model?: string; stop?: string | null; usage?: unknown; rest?: JsonObject };

export function assistant(blocks: unknown, said: Said = {}): JsonObject {
  const message = {
    id: said.id ?? `msg_${clock + 1}`,
    type: "message",
    role: "assistant",
    model: said.model ?? "claude-opus-4-6",
    content: blocks,
    stop_reason: said.stop === undefined ? "end_turn" : said.stop,
    usage: said.usage ?? {
      input_tokens: 1,
      output_tokens: 10,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 1000,
    },
  };
  return record("assistant", { message, ...said.rest });
}

export const answer = (words = "done", said: Said = {}) => assistant([text(words)], said);
export const calls = (ids: readonly string[], said: Said = {}) =>
  assistant(ids.map(call), { stop: "tool_use", ...said });
export const interruption = (words = "[Request interrupted by user]") => user([text(words)]);
export const apiError = () =>
  answer("API Error", { model: "<synthetic>", stop: "stop_sequence", rest: { isApiErrorMessage: true } });
export const boundary = () =>
  record("system", { subtype: "compact_boundary", compactMetadata: { trigger: "auto", preTokens: 5 } });
export const system = (subtype: string) => record("system", { subtype });

/** What the scanner does with the lines of one file, without the reading. */
export function readLines(lines: readonly string[], relative = `p/${SESSION}.jsonl`) {
  const head = headOf(lines, relative);
  if (head === null) return { head, state: null, unknown: 0, result: null };
  const state = claudeCode.start(head) as State;
  const unknown = feed(state, lines);
  return { head, state, unknown, result: claudeCode.finish(state) };
}

export function headOf(lines: readonly string[], relative = `p/${SESSION}.jsonl`): Head | null {
  const reader = claudeCode.head(relative);
  for (const line of lines) {
    const seen = reader.take(decode(line), line);
    if (seen === "none") return null;
    if (seen !== "more") return seen;
  }
  return reader.end();
}

/** Shows the wanted lines to the fold; gives how many it did not know. */
export function feed(state: State, lines: readonly string[]): number {
  let unknown = 0;
  for (const line of lines) {
    const bytes = Buffer.from(line);
    if (!claudeCode.wants(bytes, 0, bytes.length)) continue;
    const value = decode(line);
    if (value === null || !claudeCode.record(state, value, line)) unknown += 1;
  }
  return unknown;
}

export function decode(line: string): JsonObject | null {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}

/** The rows and the rest of a session of these records. */
export function runsOf(...records: JsonObject[]): FoldResult {
  const read = readLines(records.map((one) => JSON.stringify(one)));
  if (read.result === null) throw new Error("no session");
  return read.result;
}
