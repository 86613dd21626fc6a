import type { StopReason } from "#lib/agent/model.ts";
import { isObject } from "#lib/json-text.ts";
import type { Usage } from "#lib/transcript/record.ts";
import { type AnswerReader, countOf, type DraftBlock, stopOf, textOf } from "./answer-blocks.ts";
import { AnswerSize } from "./answer-limits.ts";
import { type Failure, failure, messageIn } from "./failure.ts";
import { InlineThinking } from "./inline-thinking.ts";
import { type Call, callFor, type Piece } from "./openai-calls.ts";
import { brokeOff } from "./stream-error.ts";
import { ArgumentPieces } from "./tool-arguments.ts";

type State = {
  size: AnswerSize;
  text: string[];
  thinking: string[];
  inline: InlineThinking;
  calls: Call[];
  finish: string | null;
  refused: boolean;
  choices: boolean;
  /** What an event said that held no choices. */
  said: string | null;
  usage: Usage | null;
  signatures: Map<string, string>;
};

/**
 * Reads an answer in the dialect of OpenAI's chat completions. Servers differ in it: what one of them does wrong and can
 * still mean only one thing is taken as meant, such as arguments that are an object or calls without an index.
 * `signatures` takes, by a call's id, what Gemini wants to see again beside the call.
 */
export function openaiReader(signatures: Map<string, string> = new Map()): AnswerReader {
  const state: State = {
    size: new AnswerSize(),
    text: [],
    thinking: [],
    inline: new InlineThinking(),
    calls: [],
    finish: null,
    refused: false,
    choices: false,
    said: null,
    usage: null,
    signatures,
  };
  return {
    take: (event) => state.size.addEvent() ?? takeEvent(state, event),
    // The stream itself says so, with a word that is no event; usage may come after everything else.
    finished: () => false,
    draft: () => ({
      blocks: draftBlocks(state),
      stop: stopOf(state.refused ? "refusal" : stopWord(state.finish), state.calls.length > 0),
      usage: state.usage,
      missing: missing(state),
    }),
  };
}

function missing({ choices, said, finish }: State): string | null {
  if (!choices) return `the answer holds no choices${said === null ? "" : `: ${said}`}`;
  return finish === null ? "the answer ended before it was complete" : null;
}

function draftBlocks({ thinking, inline, text, calls }: State): DraftBlock[] {
  return [
    { type: "thinking", text: thinking.join("") + inline.thinking, signature: null },
    { type: "text", text: text.join("") },
    ...calls.map(
      (call): DraftBlock => ({
        type: "call",
        id: call.id,
        name: call.name,
        arguments: call.arguments.text(),
      }),
    ),
  ];
}

function takeEvent(state: State, event: unknown): string | Failure {
  if (!isObject(event)) return failure("the stream holds an event that is no object");
  if (isObject(event.error) || typeof event.error === "string") return brokeOff(event.error);
  if (event.object === "error") return brokeOff(event);
  takeUsage(state, event.usage);
  if (!Array.isArray(event.choices)) state.said ??= messageIn(event);
  const choice: unknown = Array.isArray(event.choices) ? event.choices[0] : null;
  if (!isObject(choice)) return "";
  if (isObject(choice.error)) return brokeOff(choice.error);
  state.choices = true;
  takeUsage(state, choice.usage);
  // Some write an empty one into each event until the last.
  if (textOf(choice.finish_reason) !== "") state.finish = textOf(choice.finish_reason);
  // A server that does not stream sends a whole message in the place of a delta.
  const delta = isObject(choice.delta) ? choice.delta : choice.message;
  const added = isObject(delta) ? takeDelta(state, delta) : "";
  if (state.finish === null || typeof added !== "string") return added;
  const rest = state.inline.end(state.finish === "length");
  if (rest !== "") state.text.push(rest);
  return added + rest;
}

function takeDelta(state: State, delta: Record<string, unknown>): string | Failure {
  const parts = contentParts(delta.content);
  const thinking = textOf(delta.reasoning_content) || textOf(delta.reasoning) || parts.thinking;
  const refusal = textOf(delta.refusal);
  if (refusal !== "") state.refused = true;
  const text = state.inline.add(parts.text + refusal);
  if (thinking !== "") state.thinking.push(thinking);
  if (text !== "") state.text.push(text);
  const endless = state.size.add(parts.text, refusal, thinking);
  if (endless !== null) return endless;
  for (const call of Array.isArray(delta.tool_calls) ? delta.tool_calls : []) {
    const problem = isObject(call) ? takeCall(state, call) : null;
    if (problem !== null) return problem;
  }
  return text;
}

function contentParts(content: unknown): { text: string; thinking: string } {
  if (!Array.isArray(content)) return { text: textOf(content), thinking: "" };
  const parts = content.filter(isObject);
  const joined = (key: string) => parts.map((part) => textOf(part[key])).join("");
  const thoughts = parts.map((part) =>
    Array.isArray(part.thinking) ? contentParts(part.thinking).text : "",
  );
  return { text: joined("text"), thinking: joined("thinking") + thoughts.join("") };
}

function takeCall(state: State, delta: Record<string, unknown>): Failure | null {
  const fn = isObject(delta.function) ? delta.function : {};
  const piece: Piece = {
    index: countOf(delta.index),
    id: textOf(delta.id),
    name: textOf(fn.name),
    text: argumentText(fn.arguments),
  };
  let call = callFor(state.calls, piece);
  if (call === undefined) {
    const tooMany = state.size.addCall();
    if (tooMany !== null) return tooMany;
    call = { index: piece.index, id: "", name: "", arguments: new ArgumentPieces(), bytes: 0 };
    state.calls.push(call);
  }
  if (call.id === "") call.id = piece.id;
  const signature = signatureIn(delta.extra_content);
  if (signature !== "" && call.id !== "") state.signatures.set(call.id, signature);
  // Most say it once, some with each piece, and some in pieces as well.
  if (call.name !== piece.name) call.name += piece.name;
  if (!call.arguments.repeatedBy(piece.text)) call.arguments.add(piece.text);
  return state.size.add(piece.id, piece.name, signature) ?? state.size.addArguments(call, piece.text);
}

function signatureIn(extra: unknown): string {
  return isObject(extra) && isObject(extra.google) ? textOf(extra.google.thought_signature) : "";
}

function argumentText(value: unknown): string {
  if (typeof value === "string") return value;
  return value === undefined || value === null ? "" : JSON.stringify(value);
}

function stopWord(finish: string | null): StopReason {
  switch (finish) {
    case "stop":
      return "end";
    case "length":
      return "length";
    case "content_filter":
      return "refusal";
    case "tool_calls":
    case "function_call":
      return "tool_calls";
    default:
      return "unknown";
  }
}

function takeUsage(state: State, usage: unknown): void {
  if (isObject(usage)) state.usage = usageOf(usage) ?? state.usage;
}

/**
 * What was read from the cache is counted in `prompt_tokens` too; here it is not. xAI and Gemini leave thinking out of
 * `completion_tokens`, where OpenAI's own count holds it: what the sum of all has more was written too, and is paid for; unless it is what was read from the cache, told apart.
 */
function usageOf(usage: Record<string, unknown>): Usage | null {
  const prompt = countOf(usage.prompt_tokens);
  const output = countOf(usage.completion_tokens);
  if (prompt === null || output === null) return null;
  const read = cachedOf(usage);
  const unseen = Math.max(0, (countOf(usage.total_tokens) ?? 0) - prompt - output);
  const isApart = unseen > 0 && unseen === read;
  const cached = isApart ? read : Math.min(read, prompt);
  return {
    input_tokens: isApart ? prompt : prompt - cached,
    output_tokens: isApart ? output : output + unseen,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
  };
}

/** DeepSeek and Moonshot have names of their own for it. */
function cachedOf(usage: Record<string, unknown>): number {
  const details = isObject(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const told = [details.cached_tokens, usage.prompt_cache_hit_tokens, usage.cached_tokens];
  return told.map(countOf).find((tokens) => tokens !== null) ?? 0;
}
