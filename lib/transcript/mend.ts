import type { Block, Message } from "./record.ts";

/** What stands in the place of a result that a run did not live to write. */
export const INTERRUPTED_RESULT =
  "The run was cut off before this call had a result; it may have been carried out.";

type Result = Extract<Block, { type: "tool_result" }>;

/**
 * A conversation that a model's server will take: each call has its result in the message behind it, and no result is
 * without its call. `added`: only a message at the end was missing; `rewritten`: something before the end was changed.
 */
export type Mended =
  | { kind: "whole" }
  | { kind: "added"; message: Message }
  | { kind: "rewritten"; messages: Message[] };

/** Mends what a killed run or a lost line has left of a conversation. */
export function mendConversation(messages: readonly Message[]): Mended {
  const mended: Message[] = [];
  let changed = false;
  let owed: string[] = [];
  for (const message of messages) {
    const given = new Set(message.role === "user" ? resultsIn(message).map((one) => one.tool_use_id) : []);
    const missing = owed.filter((id) => !given.has(id)).map(interrupted);
    const kept = message.content.filter(
      (block) => block.type !== "tool_result" || owed.includes(block.tool_use_id),
    );
    changed ||= missing.length > 0 || kept.length < message.content.length;
    if (message.role === "user") {
      pushUnlessEmptied(mended, "user", [...missing, ...kept]);
    } else {
      pushUnlessEmptied(mended, "user", missing);
      pushUnlessEmptied(mended, "assistant", kept);
    }
    owed = message.role === "assistant" ? callsIn(message) : [];
  }
  if (changed) {
    if (owed.length > 0) mended.push({ role: "user", content: owed.map(interrupted) });
    return { kind: "rewritten", messages: mended };
  }
  if (owed.length === 0) return { kind: "whole" };
  return { kind: "added", message: { role: "user", content: owed.map(interrupted) } };
}

function pushUnlessEmptied(mended: Message[], role: Message["role"], content: Block[]): void {
  if (content.length > 0) mended.push({ role, content });
}

function interrupted(id: string): Result {
  return { type: "tool_result", tool_use_id: id, content: INTERRUPTED_RESULT, is_error: true };
}

function resultsIn(message: Message): Result[] {
  return message.content.filter((block) => block.type === "tool_result");
}

function callsIn(message: Message): string[] {
  return message.content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}
