import type { StopReason, ToolSpec } from "#lib/agent/model.ts";
import type { Script } from "#lib/agent/providers/script.ts";
import type { Block, Message } from "#lib/transcript/record.ts";
import { pieces, type Received, scriptServer, type Wire } from "./fake-script.ts";
import { type FakeServer, type Seen, startServer } from "./fake-server.ts";

/** A server that speaks OpenAI's chat completions and plays a script. */
export function startFakeOpenai(script: Script): Promise<FakeServer> {
  const answer = scriptServer(script, openaiWire);
  return startServer((seen, response, fake) => answer(received(seen, fake), response));
}

export function openaiEvent(event: object): string {
  return `data: ${JSON.stringify({ id: "chatcmpl-1", object: "chat.completion.chunk", created: 1, model: "m", ...event })}\n\n`;
}

export function openaiDelta(delta: object, finish_reason: string | null = null): string {
  return openaiEvent({ choices: [{ index: 0, delta, finish_reason }] });
}

const FINISH: Record<StopReason, string> = {
  end: "stop",
  tool_calls: "tool_calls",
  length: "length",
  refusal: "content_filter",
  pause: "stop",
  unknown: "eos",
};

const openaiWire: Wire = {
  start: () => [openaiDelta({ role: "assistant", content: "" })],
  thinking: (text) => pieces(text).map((reasoning_content) => openaiDelta({ reasoning_content })),
  text: (content) => [openaiDelta({ content })],
  call: ({ id, name, arguments: text }, index) => [
    openaiDelta({ tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }] }),
    ...pieces(text).map((piece) => openaiDelta({ tool_calls: [{ index, function: { arguments: piece } }] })),
  ],
  end: ({ stop, usage }) => [
    openaiDelta({}, FINISH[stop]),
    ...(usage === null
      ? []
      : [
          openaiEvent({
            choices: [],
            usage: {
              prompt_tokens: usage.input_tokens + usage.cache_read_input_tokens,
              completion_tokens: usage.output_tokens,
              prompt_tokens_details: { cached_tokens: usage.cache_read_input_tokens },
            },
          }),
        ]),
    "data: [DONE]\n\n",
  ],
  error: (message, transient) => ({
    error: { message, type: transient ? "server_error" : "invalid_request_error", code: null },
  }),
  errorEvent: (message, transient) =>
    openaiEvent({ error: { message, code: transient ? 503 : 400, type: transient ? "busy" : "bad" } }),
};

type Wired = {
  role: string;
  content: string | { type: string; text?: string; image_url?: { url: string } }[] | null;
  reasoning_content?: string;
  tool_calls?: { id: string; function: { name: string; arguments: string } }[];
  tool_call_id?: string;
};

function received({ body }: Seen, { purpose }: FakeServer): Received {
  const messages = body.messages as Wired[];
  const tools = (body.tools ?? []) as { function: ToolSpec }[];
  const system = messages.find(({ role }) => role === "system")?.content ?? null;
  return {
    purpose,
    system: system === null ? null : String(system),
    messages: messages.filter(({ role }) => role !== "system").map(messageOf),
    tools: tools.map((tool) => tool.function),
    refusal: null,
  };
}

function messageOf(wired: Wired): Message {
  const texts = typeof wired.content === "string" ? [{ type: "text", text: wired.content }] : wired.content;
  if (wired.role === "tool") {
    const content = String(wired.content);
    const result: Block = {
      type: "tool_result",
      tool_use_id: wired.tool_call_id ?? "",
      content,
      is_error: false,
    };
    return { role: "user", content: [result] };
  }
  const content = (texts ?? []).map(
    ({ text, image_url }): Block =>
      image_url === undefined
        ? { type: "text", text: text ?? "" }
        : { type: "image", media_type: "image/png", data: image_url.url.split(",")[1] ?? "" },
  );
  if (wired.role === "user") return { role: "user", content };
  const thinking: Block[] =
    // A blank stands for thoughts that are not there.
    (wired.reasoning_content ?? "").trim() === ""
      ? []
      : [{ type: "thinking", text: wired.reasoning_content ?? "" }];
  const calls = (wired.tool_calls ?? []).map(
    (call): Block => ({
      type: "tool_use",
      id: call.id,
      name: call.function.name,
      input: JSON.parse(call.function.arguments),
    }),
  );
  return { role: "assistant", content: [...thinking, ...content, ...calls] };
}
