import type { BlockFacts, MessageFacts } from "./facts.ts";
import { type UserText, userText } from "./wording.ts";

/**
 * What a user record without a tool result is. Of several blocks the first that can be a prompt decides, unless one of
 * them is the marker of an interruption.
 */
export function kindOfText(message: MessageFacts | null): UserText {
  if (message === null) return "nothing";
  if (message.text !== null) return message.text.blank ? "nothing" : userText(message.text);
  const kinds = message.blocks.flatMap(kindOfBlock);
  if (kinds.includes("interruption")) return "interruption";
  return kinds.find((kind) => kind !== "nothing") ?? "nothing";
}

/** An image or a document alone is a prompt too. */
function kindOfBlock(block: BlockFacts): UserText[] {
  if (block.kind === "text") return block.text.blank ? [] : [userText(block.text)];
  return block.kind === "other" ? ["prompt"] : [];
}
