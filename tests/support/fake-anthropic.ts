import type { StopReason, ToolSpec } from "#lib/agent/model.ts";
import type { Script } from "#lib/agent/providers/script.ts";
import type { Block, Message } from "#lib/transcript/record.ts";
import { pieces, type Received, scriptServer, type Wire } from "./fake-script.ts";
import { type FakeServer, type Seen, startServer } from "./fake-server.ts";

/** A server that speaks Anthropic's messages and plays a script. Its thinking carries the signature `signed`. */
export function startFakeAnthropic(script: Script): Promise<FakeServer> {
  const answer = scriptServer(script, anthropicWire());
  return startServer((seen, response, fake) => answer(received(seen, fake), response));
}

export function anthropicEvent(event: { type: string; [key: string]: unknown }): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`;
}

const STOPS: Record<StopReason, string> = {
  end: "end_turn",
  tool_calls: "tool_use",
  length: "max_tokens",
  refusal: "refusal",
  pause: "pause_turn",
  unknown: "something_new",
};

function anthropicWire(): Wire {
  let index = -1;
  let open: string | null = null;
  const close = () => {
    const events = open === null ? [] : [anthropicEvent({ type: "content_block_stop", index })];
    open = null;
    return events;
  };
  const block = (type: string, content_block: object) => {
    const events = close();
    index += 1;
    open = type;
    return [...events, anthropicEvent({ type: "content_block_start", index, content_block })];
  };
  const delta = (one: object) => anthropicEvent({ type: "content_block_delta", index, delta: one });
  return {
    start: ({ usage }) => {
      index = -1;
      open = null;
      const told = usage === null ? {} : { usage: { ...usage, output_tokens: 1 } };
      const message = { id: "msg_1", type: "message", role: "assistant", model: "m", content: [], ...told };
      return [anthropicEvent({ type: "message_start", message }), anthropicEvent({ type: "ping" })];
    },
    thinking: (text) => [
      ...block("thinking", { type: "thinking", thinking: "", signature: "" }),
      ...pieces(text).map((thinking) => delta({ type: "thinking_delta", thinking })),
      delta({ type: "signature_delta", signature: "signed" }),
    ],
    text: (text) => [
      ...(open === "text" ? [] : block("text", { type: "text", text: "" })),
      delta({ type: "text_delta", text }),
    ],
    call: ({ id, name, arguments: text }) => [
      ...block("tool_use", { type: "tool_use", id, name, input: {} }),
      ...pieces(text).map((partial_json) => delta({ type: "input_json_delta", partial_json })),
    ],
    end: ({ stop, usage }) => [
      ...close(),
      anthropicEvent({
        type: "message_delta",
        delta: { stop_reason: STOPS[stop], stop_sequence: null },
        ...(usage === null ? {} : { usage: { output_tokens: usage.output_tokens } }),
      }),
      anthropicEvent({ type: "message_stop" }),
    ],
    error: (message, transient) => ({ type: "error", error: { type: errorType(transient), message } }),
    errorEvent: (message, transient) =>
      anthropicEvent({ type: "error", error: { type: errorType(transient), message } }),
  };
}

const errorType = (transient: boolean) => (transient ? "overloaded_error" : "invalid_request_error");

type WiredBlock = {
  type: string;
  text?: string;
  thinking?: string;
  signature?: string;
  id?: string;
  name?: string;
  input?: unknown;
  tool_use_id?: string;
  content?: string;
  is_error?: boolean;
  source?: { data: string };
};

function received({ body }: Seen, { purpose }: FakeServer): Received {
  const system = (body.system ?? []) as { text: string }[];
  const messages = body.messages as Wired[];
  const tools = ((body.tools ?? []) as WiredTool[]).map(
    ({ name, description, input_schema }): ToolSpec => ({ name, description, parameters: input_schema }),
  );
  const mayCall = (body.tool_choice as { type: string } | undefined)?.type !== "none";
  return {
    purpose,
    system: system.length === 0 ? null : system.map(({ text }) => text).join("\n"),
    messages: messages.map(({ role, content }) => ({ role, content: content.map(blockOf) })),
    tools: mayCall ? tools : [],
    refusal: refusal(messages, tools),
  };
}

type WiredTool = { name: string; description: string; input_schema: ToolSpec["parameters"] };
type Wired = { role: Message["role"]; content: WiredBlock[] };

/** What the real server would not take. */
function refusal(messages: readonly Wired[], tools: readonly ToolSpec[]): string | null {
  const blocks = messages.flatMap(({ content }) => content);
  if (messages[0]?.role !== "user") return "the first message is not the user's";
  if (messages.some(({ role }, i) => role === messages[i - 1]?.role)) return "roles do not alternate";
  if (messages.some(({ content }) => content.length === 0)) return "a message is empty";
  if (blocks.some(({ type, text }) => type === "text" && text?.trim() === "")) return "a text is empty";
  const calls = blocks.filter(({ type }) => type === "tool_use");
  if (calls.length > 0 && tools.length === 0) return "there are calls, but no tools";
  if (calls.some(({ id }) => !/^[a-zA-Z0-9_-]+$/.test(id ?? ""))) return "an id holds what no id may";
  if (blocks.some(({ type, signature }) => type === "thinking" && !signature))
    return "thinking is not signed";
  return null;
}

function blockOf(block: WiredBlock): Block {
  switch (block.type) {
    case "thinking":
      return { type: "thinking", text: block.thinking ?? "", signature: block.signature };
    case "tool_use":
      return { type: "tool_use", id: block.id ?? "", name: block.name ?? "", input: block.input };
    case "tool_result":
      return {
        type: "tool_result",
        tool_use_id: block.tool_use_id ?? "",
        content: block.content ?? "",
        is_error: block.is_error ?? false,
      };
    case "image":
      return { type: "image", media_type: "image/png", data: block.source?.data ?? "" };
    default:
      return { type: "text", text: block.text ?? "" };
  }
}
