import { nestsDeeper } from "#lib/nesting.ts";
import type { Block, Message } from "#lib/transcript/record.ts";

export type ToolUse = Extract<Block, { type: "tool_use" }>;

/** What a model wrote, as the conversation keeps it. */
export type Reply = {
  content: Block[];
  text: string;
  calls: ToolUse[];
  /** Calls whose arguments were no JSON. */
  malformed: number;
  /** By a call's id: its arguments as the model wrote them, where that is known. */
  sources: Map<string, string>;
};

/**
 * Takes a model's content as it is, but for what would break the conversation: empty texts and blocks no assistant
 * writes are left out, and a call whose id was there before gets one of its own. `callIds` grows by the new ids.
 */
export function readReply(
  content: readonly Block[],
  malformed: readonly number[],
  callIds: Set<string>,
  sources: ReadonlyMap<number, string> = new Map(),
): Reply {
  const reply: Reply = { content: [], text: "", calls: [], malformed: 0, sources: new Map() };
  for (const [index, block] of content.entries()) {
    if (block.type === "tool_use") {
      const deep = nestsDeeper(block.input, DEPTH_MAX);
      const call = { ...block, id: ownId(block.id, callIds), input: deep ? TOO_DEEP : block.input };
      const source = sources.get(index);
      if (deep || malformed.includes(index)) reply.malformed += 1;
      else if (source !== undefined) reply.sources.set(call.id, source);
      reply.calls.push(call);
      reply.content.push(call);
    } else if (block.type === "thinking" || (block.type === "text" && block.text !== ""))
      reply.content.push(block);
  }
  reply.text = textOf(reply.content);
  return reply;
}

/** No reader of a transcript gets through arguments that nest without end, so they are not kept. */
const TOO_DEEP = { __malformed_arguments: "(they nest too deep to be kept)" };

const DEPTH_MAX = 256;

function ownId(id: string, taken: Set<string>): string {
  const base = id === "" ? "call" : id;
  let own = base;
  for (let n = 2; taken.has(own); n += 1) own = `${base}_${n}`;
  taken.add(own);
  return own;
}

/** The text of a message: its texts without anything between them. */
function textOf(content: readonly Block[]): string {
  return content.map((block) => (block.type === "text" ? block.text : "")).join("");
}

/** The calls that a message makes: none unless it is an assistant's. */
export function callsOf(message: Message | undefined): ToolUse[] {
  return message?.role === "assistant" ? message.content.filter((block) => block.type === "tool_use") : [];
}

/** The answer a conversation ends with: what the model wrote last, also over several messages when it had paused. */
export function closingText(messages: readonly Message[]): string {
  const from = messages.findLastIndex((message) => message.role === "user" || callsOf(message).length > 0);
  return messages
    .slice(from + 1)
    .map((message) => textOf(message.content))
    .join("");
}
