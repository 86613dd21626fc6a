import type { StopReason } from "#lib/agent/model.ts";
import type { Block, Usage } from "#lib/transcript/record.ts";
import type { Failure } from "./failure.ts";
import { parseArguments } from "./tool-arguments.ts";

/** One piece of an answer as a provider wrote it; `arguments` is text, JSON or not. */
export type DraftBlock =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string; signature: string | null }
  | { type: "call"; id: string; name: string; arguments: string };

/** An answer as far as it has come. */
export type Draft = {
  blocks: DraftBlock[];
  stop: StopReason;
  usage: Usage | null;
  /** Null: the provider has said that it is done. Else what is missing. */
  missing: string | null;
};

/** Reads the events of one streamed answer. */
export type AnswerReader = {
  /** Takes the next event: gives the text that it adds, or what is wrong with it. */
  take(event: unknown): string | Failure;
  /** Nothing more is to come, also where the connection stays open. */
  finished(): boolean;
  draft(): Draft;
};

/** The blocks of an answer, each call with its input, and the text its arguments had. */
export function blocksOf(drafts: readonly DraftBlock[]): {
  content: Block[];
  malformed: number[];
  sources: Map<number, string>;
} {
  const content: Block[] = [];
  const malformed: number[] = [];
  const sources = new Map<number, string>();
  for (const draft of drafts) {
    if (draft.type === "text") {
      if (draft.text !== "") content.push(draft);
    } else if (draft.type === "thinking") {
      const { text, signature } = draft;
      if (signature !== null) content.push({ type: "thinking", text, signature });
      else if (text !== "") content.push({ type: "thinking", text });
    } else {
      const parsed = parseArguments(draft.arguments);
      if (parsed.malformed) malformed.push(content.length);
      sources.set(content.length, draft.arguments);
      content.push({ type: "tool_use", id: draft.id, name: draft.name, input: parsed.input });
    }
  }
  return { content, malformed, sources };
}

/** Why the model stopped, where its provider's word and what it wrote do not agree: calls are calls. */
export function stopOf(said: StopReason, hasCalls: boolean): StopReason {
  if (hasCalls) return said === "end" || said === "unknown" ? "tool_calls" : said;
  return said === "tool_calls" ? "end" : said;
}

/** A text as it is; anything else is an empty one. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

/** A whole number from 0 up; else null. */
export function countOf(value: unknown): number | null {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 0 ? value : null;
}
