import type { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { ModelRequest } from "#lib/agent/model.ts";
import { isObject } from "#lib/json-text.ts";
import type { Block, Message } from "#lib/transcript/record.ts";
import { MALFORMED_KEY } from "./tool-arguments.ts";

/** The model of the AI SDK, in the shape that both its providers have. */
export type SdkModel = ReturnType<ReturnType<typeof createOpenAICompatible>["chatModel"]>;
export type SdkCall = Parameters<SdkModel["doStream"]>[0];
export type SdkPrompt = SdkCall["prompt"];
type SdkMessage = SdkPrompt[number];
type Part<Role extends SdkMessage["role"]> = Extract<
  Extract<SdkMessage, { role: Role }>["content"],
  unknown[]
>[number];

type Thinking = Extract<Block, { type: "thinking" }>;

/** How a provider takes thinking back; null: not at all. */
export type ThinkingPart = (block: Thinking) => Part<"assistant"> | null;

type Ways = {
  thinking: ThinkingPart;
  vision: boolean;
  /** By a call's id: what goes back beside it. */
  signatures?: ReadonlyMap<string, string>;
};

/**
 * The conversation as the AI SDK takes it. What every provider refuses is left out: empty texts, and messages in which
 * nothing is left. Results come before other words of the same message, as they answer the message before it.
 */
export function sdkPrompt(
  { system, messages }: ModelRequest,
  { thinking, vision, signatures = new Map() }: Ways,
): SdkPrompt {
  const names = new Map(
    messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_use" ? [[block.id, toolName(block.name)]] : [])),
    ) as [string, string][],
  );
  const prompt: SdkPrompt = messages.flatMap((message) =>
    message.role === "assistant" ? assistant(message, thinking, signatures) : user(message, names, vision),
  );
  return system === null || system.trim() === "" ? prompt : [{ role: "system", content: system }, ...prompt];
}

function assistant(
  { content }: Message,
  thinking: ThinkingPart,
  signatures: ReadonlyMap<string, string>,
): SdkMessage[] {
  const parts = content.flatMap((block): Part<"assistant">[] => {
    switch (block.type) {
      case "text":
        return block.text.trim() === "" ? [] : [{ type: "text", text: block.text }];
      case "thinking": {
        const part = thinking(block);
        return part === null ? [] : [part];
      }
      case "tool_use": {
        const signature = signatures.get(block.id);
        return [
          {
            type: "tool-call",
            toolCallId: block.id,
            toolName: toolName(block.name),
            input: objectInput(block.input),
            ...(signature === undefined
              ? {}
              : { providerOptions: { google: { thoughtSignature: signature } } }),
          },
        ];
      }
      case "tool_result":
      case "image":
        return [];
      default:
        return block satisfies never;
    }
  });
  return parts.length === 0 ? [] : [{ role: "assistant", content: parts }];
}

function user({ content }: Message, names: ReadonlyMap<string, string>, vision: boolean): SdkMessage[] {
  const results = content.flatMap((block): Part<"tool">[] =>
    block.type === "tool_result"
      ? [
          {
            type: "tool-result",
            toolCallId: block.tool_use_id,
            toolName: names.get(block.tool_use_id) ?? UNNAMED,
            output: block.is_error
              ? { type: "error-text", value: block.content.trim() === "" ? WORDLESS : block.content }
              : { type: "text", value: block.content },
          },
        ]
      : [],
  );
  const parts = content.flatMap((block): Part<"user">[] => {
    if (block.type === "image")
      return [vision ? { type: "file", mediaType: block.media_type, data: block.data } : UNSEEN];
    return block.type === "text" && block.text.trim() !== "" ? [{ type: "text", text: block.text }] : [];
  });
  return [
    ...(results.length === 0 ? [] : [{ role: "tool" as const, content: results }]),
    ...(parts.length === 0 ? [] : [{ role: "user" as const, content: parts }]),
  ];
}

const UNNAMED = "unnamed";
/** An error without a word is refused. */
const WORDLESS = "(no reason was given)";
const UNSEEN = { type: "text" as const, text: "[an image, which this model cannot see]" };

/** A name that a model made up may be one that no provider takes back. */
function toolName(name: string): string {
  const sendable = name.replace(/[^A-Za-z0-9_-]/g, "_").slice(0, 64);
  return sendable === "" ? UNNAMED : sendable;
}

/** Arguments that were no object go back in one: a provider takes nothing else. */
function objectInput(input: unknown): Record<string, unknown> {
  return isObject(input) ? input : { [MALFORMED_KEY]: JSON.stringify(input) ?? "" };
}

export function sdkTools(tools: ModelRequest["tools"]): NonNullable<SdkCall["tools"]> {
  return tools.map(({ name, description, parameters }) => ({
    type: "function",
    name: toolName(name),
    description,
    inputSchema: parameters,
  }));
}
