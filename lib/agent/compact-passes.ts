import { sortKeys } from "#lib/sort-keys.ts";
import type { Message } from "#lib/transcript/record.ts";
import { startOf } from "#lib/utf8.ts";
import { INTERRUPTED, isDenial } from "./loop-words.ts";
import { callsOf } from "./reply.ts";

export type PassRules = {
  /** Does the tool only look, so that a later look takes the place of an earlier one? */
  isRead(name: string): boolean;
  /** Index of the first message whose results stay whole. */
  wholeFrom: number;
};

/**
 * The conversation with shorter tool results: one that a later equal read has replaced goes, of equal failures only the
 * last stays, and older ones keep their beginning. Calls and results stay where they are. Gives the same array when
 * nothing changed, so that doing it twice changes nothing more.
 */
export function shortenResults(messages: readonly Message[], rules: PassRules): readonly Message[] {
  const results = listResults(messages);
  evictSuperseded(results, rules);
  collapseRepeats(results);
  for (const result of results) if (result.message < rules.wholeFrom) result.content = thin(result.content);
  return withResults(messages, results);
}

type Result = {
  message: number;
  block: number;
  tool: string;
  /** Equal for equal calls. */
  key: string;
  isError: boolean;
  content: string;
};

function listResults(messages: readonly Message[]): Result[] {
  const calls = new Map(messages.flatMap((message) => callsOf(message).map((call) => [call.id, call])));
  return messages.flatMap(({ content }, message) =>
    content.flatMap((one, block) => {
      const call = one.type === "tool_result" ? calls.get(one.tool_use_id) : undefined;
      if (one.type !== "tool_result" || call === undefined) return [];
      const key = JSON.stringify([call.name, sortKeys(call.input)]);
      return [{ message, block, tool: call.name, key, isError: one.is_error, content: one.content }];
    }),
  );
}

/** Only a result that worked takes the place of another. */
function evictSuperseded(results: readonly Result[], { isRead }: PassRules): void {
  const seen = new Set<string>();
  for (const result of results.toReversed()) {
    if (result.isError || !isRead(result.tool) || result.content.startsWith(INTERRUPTED)) continue;
    if (seen.has(result.key))
      replace(result, `[stale: ${result.tool} was called again later with the same arguments]`);
    seen.add(result.key);
  }
}

/** A denial is no failure: it stays as readers of a transcript know it. */
function collapseRepeats(results: readonly Result[]): void {
  const seen = new Set<string>();
  for (const result of results.toReversed()) {
    if (!result.isError || isDenial(result.content)) continue;
    const failure = JSON.stringify([result.key, result.content]);
    if (seen.has(failure))
      replace(result, `[repeat: ${result.tool} failed again later in just the same way]`);
    seen.add(failure);
  }
}

/** Never by something longer. */
function replace(result: Result, content: string): void {
  if (content.length < result.content.length) result.content = content;
}

const THIN_CHARS = 240;
const THINNED = /\n\[truncated: \d+ characters left out\]$/;

function thin(content: string): string {
  const marker = THINNED.exec(content);
  if (content.length - (marker?.[0].length ?? 0) <= THIN_CHARS) return content;
  const head = startOf(content, THIN_CHARS);
  return `${head}\n[truncated: ${content.length - head.length} characters left out]`;
}

function withResults(messages: readonly Message[], results: readonly Result[]): readonly Message[] {
  const changed = new Map<number, Message>();
  for (const { message, block, content } of results) {
    const before = changed.get(message) ?? messages[message];
    const old = before?.content[block];
    if (before === undefined || old?.type !== "tool_result" || old.content === content) continue;
    changed.set(message, { role: before.role, content: before.content.with(block, { ...old, content }) });
  }
  return changed.size === 0 ? messages : messages.map((message, index) => changed.get(index) ?? message);
}
