import type { SdkPrompt } from "./sdk-prompt.ts";

/**
 * What stands for thoughts that are not there. Kimi and DeepSeek refuse a conversation in which one message of the model
 * has none while others have, and one with empty thoughts too.
 */
const NO_THOUGHTS = " ";

/** A conversation with a model that thinks, each of whose messages has thoughts. Others stay as they are. */
export function withThoughts(prompt: SdkPrompt, model: string): SdkPrompt {
  const thinks = /kimi/i.test(model) || prompt.some(hasThoughts);
  if (!thinks) return prompt;
  return prompt.map((message) =>
    message.role !== "assistant" || hasThoughts(message)
      ? message
      : { ...message, content: [{ type: "reasoning", text: NO_THOUGHTS }, ...message.content] },
  );
}

function hasThoughts(message: SdkPrompt[number]): boolean {
  return message.role === "assistant" && message.content.some(({ type }) => type === "reasoning");
}
