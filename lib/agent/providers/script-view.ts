import { isLoopText, keptRequest } from "#lib/agent/loop-words.ts";
import type { ModelRequest, RequestPurpose } from "#lib/agent/model.ts";
import type { Block, Message } from "#lib/transcript/record.ts";
import type { ScriptWhen } from "./script.ts";

/** What of a request the rules of a script can see. */
export type ScriptView = {
  purpose: RequestPurpose;
  /** Empty when there is none. */
  prompt: string;
  lastResult: { content: string; isError: boolean } | null;
  results: number;
  tools: readonly string[];
  turn: number;
  sees(text: string): boolean;
};

/** What a script can ask about a request. `turn` counts from 1. */
export function viewOf(request: ModelRequest, turn: number): ScriptView {
  const at = promptAt(request.messages);
  const results = request.messages
    .slice(at + 1)
    .flatMap(({ content }) => content.filter((block) => block.type === "tool_result"));
  const last = results.at(-1);
  return {
    purpose: request.purpose,
    prompt: promptOf(request.messages[at]),
    lastResult: last === undefined ? null : { content: last.content, isError: last.is_error },
    results: results.length,
    tools: request.tools.map(({ name }) => name),
    turn,
    sees: (text) => textsOf(request).some((one) => one.includes(text)),
  };
}

/** The latest message with words of a person's, beside which no results stand. */
function promptAt(messages: readonly Message[]): number {
  return messages.findLastIndex(
    (message) =>
      message.role === "user" &&
      promptOf(message) !== "" &&
      message.content.every(({ type }) => type !== "tool_result"),
  );
}

const KEPT = keptRequest("");

/** The first text that the loop did not write; a prompt that outlived a summary stands below a line of the loop's. */
function promptOf(message: Message | undefined): string {
  for (const block of message?.content ?? []) {
    if (block.type !== "text") continue;
    if (block.text.startsWith(KEPT)) return block.text.slice(KEPT.length);
    if (!isLoopText(block.text)) return block.text;
  }
  return "";
}

/** Every text that the model is sent. */
export function textsOf({ system, messages }: Pick<ModelRequest, "system" | "messages">): string[] {
  return [...(system === null ? [] : [system]), ...messages.flatMap(({ content }) => content.map(textOf))];
}

function textOf(block: Block): string {
  switch (block.type) {
    case "text":
    case "thinking":
      return block.text;
    case "tool_use":
      return block.name + JSON.stringify(block.input ?? null);
    case "tool_result":
      return block.content;
    case "image":
      return block.data;
    default:
      return block satisfies never;
  }
}

/** Do all conditions hold? */
export function fits(when: ScriptWhen, view: ScriptView): boolean {
  const last = view.lastResult;
  return (
    when.purpose === view.purpose &&
    asked(when.turn, (turn) => turn === view.turn) &&
    asked(when.prompt_is, (text) => text === view.prompt) &&
    asked(when.prompt_contains, (text) => view.prompt.includes(text)) &&
    asked(when.results, (count) => count === view.results) &&
    asked(when.last_result_contains, (text) => last?.content.includes(text) === true) &&
    asked(when.last_result_is_error, (isError) => last?.isError === isError) &&
    asked(when.last_result_has_file, (has) => last !== null && (fileIn(last.content) !== null) === has) &&
    asked(when.tool_available, (tool) => view.tools.includes(tool)) &&
    asked(when.seen_contains, (text) => view.sees(text))
  );
}

function asked<T>(condition: T | null, holds: (condition: T) => boolean): boolean {
  return condition === null || holds(condition);
}

/** Longest text that one placeholder brings in. */
const FILLED_MAX = 20_000;

/** The text with each known placeholder replaced, once: what is brought in is not looked through again. */
export function fillText(text: string, view: ScriptView): string {
  const last = view.lastResult?.content ?? "";
  return text.replace(
    /\{\{(prompt|last_result|last_result_line:(\d{1,6})|first_file)\}\}/g,
    (_, name: string, line: string | undefined) => {
      if (line !== undefined) return (last.split("\n")[Number(line) - 1] ?? "").slice(0, FILLED_MAX);
      const value = name === "prompt" ? view.prompt : name === "last_result" ? last : (fileIn(last) ?? "");
      return value.slice(0, FILLED_MAX);
    },
  );
}

/** The value with the placeholders in all its texts replaced; keys stay. */
export function fillValue(value: unknown, view: ScriptView): unknown {
  if (typeof value === "string") return fillText(value, view);
  if (Array.isArray(value)) return value.map((one) => fillValue(one, view));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, fillValue(one, view)]));
}

/** The first line of a listing that names a file: folders end in a slash; remarks and odd names begin otherwise. */
function fileIn(listing: string): string | null {
  return listing.split("\n").find((line) => !/^["[\s]|\/$|^$/.test(line)) ?? null;
}
