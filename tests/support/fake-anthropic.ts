import type { StopReason } from "#lib/agent/model.ts";
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
  const messages = body.messages as { role: Message["role"]; content: WiredBlock[] }[];
  return {
    purpose,
    system: system.length === 0 ? null : system.map(({ text }) => text).join("\n"),
    messages: messages.map(({ role, content }) => ({ role, content: content.map(blockOf) })),
    tools: ((body.tools ?? []) as { name: string }[]).map(({ name }) => name),
  };
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
