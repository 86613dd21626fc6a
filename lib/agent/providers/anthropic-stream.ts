import { isObject } from "#lib/json-text.ts";
import type { Usage } from "#lib/transcript/record.ts";
import { type AnswerReader, countOf, type DraftBlock, stopOf, textOf } from "./answer-blocks.ts";
import { AnswerSize } from "./answer-limits.ts";
import { stopWord } from "./anthropic-words.ts";
import { type Failure, failure } from "./failure.ts";
import { brokeOff } from "./stream-error.ts";

/** What stands before the data of thinking that only Anthropic can read; base64 has no colon. */
export const REDACTED = "redacted:";

type Piece = {
  index: number;
  kind: "text" | "thinking" | "call";
  id: string;
  name: string;
  text: string[];
  /** The arguments with which a call began; pieces that follow stand for all of them. */
  given: string;
  signature: string | null;
  bytes: number;
};
type State = {
  size: AnswerSize;
  pieces: Piece[];
  counts: Partial<Record<keyof Usage, number>>;
  stop: string | null;
  started: boolean;
  finished: boolean;
};

/** Reads an answer in the dialect of Anthropic's messages. Events that it does not know are passed over, as is asked. */
export function anthropicReader(): AnswerReader {
  const state: State = {
    size: new AnswerSize(),
    pieces: [],
    counts: {},
    stop: null,
    started: false,
    finished: false,
  };
  return {
    take: (event) => state.size.addEvent() ?? takeEvent(state, event),
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
      return brokeOff(event.error);
    default:
      return "";
  }
}

function startPiece(state: State, index: unknown, block: Record<string, unknown>): string | Failure {
  const piece: Piece = {
    index: countOf(index) ?? state.pieces.length,
    kind: "text",
    id: textOf(block.id),
    name: textOf(block.name),
    text: [],
    given: "",
    signature: null,
    bytes: 0,
  };
  switch (block.type) {
    case "text":
      state.pieces.push(piece);
      return add(state, piece, textOf(block.text));
    case "thinking":
      state.pieces.push({ ...piece, kind: "thinking", text: [textOf(block.thinking)] });
      return state.size.add(textOf(block.thinking)) ?? "";
    case "redacted_thinking":
      state.pieces.push({ ...piece, kind: "thinking", signature: REDACTED + textOf(block.data) });
      return state.size.add(textOf(block.data)) ?? "";
    case "tool_use": {
      const whole = isObject(block.input) && Object.keys(block.input).length > 0;
      const call: Piece = { ...piece, kind: "call", given: whole ? JSON.stringify(block.input) : "" };
      state.pieces.push(call);
      const { size } = state;
      return size.addCall() ?? size.add(call.id, call.name) ?? size.addArguments(call, call.given) ?? "";
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
      return add(state, piece, textOf(delta.text));
    case "thinking_delta": {
      const added = add(state, piece, textOf(delta.thinking));
      return typeof added === "string" ? "" : added;
    }
    case "signature_delta":
      piece.signature = (piece.signature ?? "") + textOf(delta.signature);
      return state.size.add(textOf(delta.signature)) ?? "";
    case "input_json_delta": {
      const text = textOf(delta.partial_json);
      piece.text.push(text);
      return state.size.addArguments(piece, text) ?? "";
    }
    default:
      return "";
  }
}

function add(state: State, piece: Piece, text: string): string | Failure {
  piece.text.push(text);
  return state.size.add(text) ?? text;
}

function draftOf({ kind, id, name, text, given, signature }: Piece): DraftBlock {
  switch (kind) {
    case "text":
      return { type: "text", text: text.join("") };
    case "thinking":
      return { type: "thinking", text: text.join(""), signature };
    case "call":
      return { type: "call", id, name, arguments: text.join("") || given };
    default:
      return kind satisfies never;
  }
}

const COUNTS = [
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const satisfies readonly (keyof Usage)[];

/**
 * Each count is told at the start, at the end or both times; the later one is the whole. But what was read is known at
 * the start already, and servers that only count at the end what was written tell it as 0 there.
 */
function takeUsage(state: State, usage: unknown): void {
  if (!isObject(usage)) return;
  for (const key of COUNTS) {
    const count = countOf(usage[key]);
    const told = state.counts[key];
    if (count === null || (count === 0 && told !== undefined && key !== "output_tokens")) continue;
    state.counts[key] = count;
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
