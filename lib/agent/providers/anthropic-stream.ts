import { isObject } from "#lib/json-text.ts";
import type { Usage } from "#lib/transcript/record.ts";
import { type AnswerReader, countOf, type DraftBlock, stopOf } from "./answer-blocks.ts";
import {
  ANSWER_BYTES_MAX,
  ARGUMENT_BYTES_MAX,
  CALLS_MAX,
  endlessAnswer,
  hugeArguments,
  tooManyCalls,
  writtenBytes,
} from "./answer-limits.ts";
import { errorOf, stopWord } from "./anthropic-words.ts";
import { type Failure, failure } from "./failure.ts";

/** What stands before the data of thinking that only Anthropic can read; base64 has no colon. */
export const REDACTED = "redacted:";

type Piece = {
  index: number;
  kind: "text" | "thinking" | "call";
  id: string;
  name: string;
  text: string[];
  signature: string | null;
  bytes: number;
};
type State = {
  pieces: Piece[];
  bytes: number;
  counts: Partial<Record<keyof Usage, number>>;
  stop: string | null;
  started: boolean;
  finished: boolean;
};

/** Reads an answer in the dialect of Anthropic's messages. Events that it does not know are passed over, as is asked. */
export function anthropicReader(): AnswerReader {
  const state: State = { pieces: [], bytes: 0, counts: {}, stop: null, started: false, finished: false };
  return {
    take: (event) => takeEvent(state, event),
    finished: () => state.finished,
    draft: () => ({
      blocks: state.pieces.map(draftOf),
      stop: stopOf(
        stopWord(state.stop),
        state.pieces.some(({ kind }) => kind === "call"),
      ),
      usage: usageOf(state.counts),
      missing: missing(state),
    }),
  };
}

function missing({ started, stop }: State): string | null {
  if (!started) return "the answer holds no message";
  return stop === null ? "the answer ended before it was complete" : null;
}

function takeEvent(state: State, event: unknown): string | Failure {
  if (!isObject(event)) return failure("the stream holds an event that is no object");
  switch (event.type) {
    case "message_start":
      if (state.started) return failure("the stream holds two answers");
      state.started = true;
      if (isObject(event.message)) takeUsage(state, event.message.usage);
      return "";
    case "content_block_start":
      return isObject(event.content_block) ? startPiece(state, event.index, event.content_block) : "";
    case "content_block_delta":
      return isObject(event.delta) ? takeDelta(state, event.index, event.delta) : "";
    case "message_delta":
      if (isObject(event.delta) && typeof event.delta.stop_reason === "string")
        state.stop = event.delta.stop_reason;
      takeUsage(state, event.usage);
      return "";
    case "message_stop":
      state.finished = true;
      return "";
    case "error":
      return errorOf(event.error);
    default:
      return "";
  }
}

function startPiece(state: State, index: unknown, block: Record<string, unknown>): string | Failure {
  const piece: Piece = {
    index: countOf(index) ?? state.pieces.length,
    kind: "text",
    id: wordsOf(block.id),
    name: wordsOf(block.name),
    text: [],
    signature: null,
    bytes: 0,
  };
  switch (block.type) {
    case "text":
      state.pieces.push(piece);
      return add(state, piece, wordsOf(block.text));
    case "thinking":
      state.pieces.push({ ...piece, kind: "thinking", text: [wordsOf(block.thinking)] });
      return spend(state, wordsOf(block.thinking));
    case "redacted_thinking":
      state.pieces.push({ ...piece, kind: "thinking", signature: REDACTED + wordsOf(block.data) });
      return spend(state, wordsOf(block.data));
    case "tool_use": {
      if (state.pieces.length === CALLS_MAX) return tooManyCalls();
      const given = isObject(block.input) && Object.keys(block.input).length > 0;
      const text = given ? [JSON.stringify(block.input)] : [];
      state.pieces.push({ ...piece, kind: "call", text });
      return spend(state, piece.id, piece.name, ...text);
    }
    default:
      return "";
  }
}

function takeDelta(state: State, index: unknown, delta: Record<string, unknown>): string | Failure {
  const piece = state.pieces.findLast((one) => one.index === index);
  if (piece === undefined) return "";
  switch (delta.type) {
    case "text_delta":
      return add(state, piece, wordsOf(delta.text));
    case "thinking_delta": {
      const added = add(state, piece, wordsOf(delta.thinking));
      return typeof added === "string" ? "" : added;
    }
    case "signature_delta":
      piece.signature = (piece.signature ?? "") + wordsOf(delta.signature);
      return spend(state, wordsOf(delta.signature));
    case "input_json_delta": {
      const text = wordsOf(delta.partial_json);
      piece.text.push(text);
      piece.bytes += Buffer.byteLength(text);
      return piece.bytes > ARGUMENT_BYTES_MAX ? hugeArguments() : spend(state, text);
    }
    default:
      return "";
  }
}

function add(state: State, piece: Piece, text: string): string | Failure {
  piece.text.push(text);
  const spent = spend(state, text);
  return spent === "" ? text : spent;
}

/** Counts what an answer grew by; it adds nothing to what a person reads. */
function spend(state: State, ...texts: string[]): "" | Failure {
  for (const text of texts) state.bytes += writtenBytes(text);
  return state.bytes > ANSWER_BYTES_MAX ? endlessAnswer() : "";
}

function draftOf({ kind, id, name, text, signature }: Piece): DraftBlock {
  switch (kind) {
    case "text":
      return { type: "text", text: text.join("") };
    case "thinking":
      return { type: "thinking", text: text.join(""), signature };
    case "call":
      return { type: "call", id, name, arguments: text.join("") };
    default:
      return kind satisfies never;
  }
}

function wordsOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const satisfies readonly (keyof Usage)[];

/** Each count is told at the start, at the end or both times; the later one is the whole. */
function takeUsage(state: State, usage: unknown): void {
  if (!isObject(usage)) return;
  for (const key of COUNTS) {
    const count = countOf(usage[key]);
    if (count !== null) state.counts[key] = count;
  }
}

function usageOf({ input_tokens, output_tokens, ...cache }: State["counts"]): Usage | null {
  if (input_tokens === undefined || output_tokens === undefined) return null;
  return {
    input_tokens,
    output_tokens,
    cache_creation_input_tokens: cache.cache_creation_input_tokens ?? 0,
    cache_read_input_tokens: cache.cache_read_input_tokens ?? 0,
  };
}
