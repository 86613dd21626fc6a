import { createHash } from "node:crypto";
import type { SdkPrompt } from "./sdk-prompt.ts";

/**
 * The conversation with call ids that its provider takes: those that another provider made up it may refuse, and with
 * them the whole request. `spell` gives a text for an id; two ids stay two.
 */
export function withCallIds(prompt: SdkPrompt, spell: (id: string) => string): SdkPrompt {
  const known = new Map<string, string>();
  const taken = new Set<string>();
  const sendable = (id: string): string => {
    const before = known.get(id);
    if (before !== undefined) return before;
    let own = spell(id);
    for (let n = 2; taken.has(own); n += 1) own = spell(`${id} ${n}`);
    known.set(id, own);
    taken.add(own);
    return own;
  };
  return prompt.map((message) => {
    if (message.role === "assistant")
      return {
        ...message,
        content: message.content.map((part) =>
          part.type === "tool-call" ? { ...part, toolCallId: sendable(part.toolCallId) } : part,
        ),
      };
    if (message.role !== "tool") return message;
    const content = message.content.map((part) =>
      part.type === "tool-result" ? { ...part, toolCallId: sendable(part.toolCallId) } : part,
    );
    return { ...message, content };
  });
}

export function anthropicId(id: string): string {
  return id.replace(/[^A-Za-z0-9_-]/g, "_");
}

/** OpenAI takes up to 40 characters. */
export function openaiId(id: string): string {
  return id.length <= 40 ? id : `call_${digest(id).slice(0, 32)}`;
}

/** Mistral takes nine letters and digits, no more and no less. */
export function mistralId(id: string): string {
  return /^[A-Za-z0-9]{9}$/.test(id) ? id : digest(id).slice(0, 9);
}

function digest(id: string): string {
  return createHash("sha256").update(id).digest("hex");
}
