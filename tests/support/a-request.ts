import type { AskWatch, ModelRequest } from "#lib/agent/model.ts";
import type { Block, Message } from "#lib/transcript/record.ts";

/** A request with this and nothing else in it. */
export function aRequest(over: Partial<ModelRequest> = {}): ModelRequest {
  return {
    purpose: "turn",
    system: null,
    messages: [user("Hello")],
    tools: [],
    settings: {
      maxTokens: 1000,
      effort: null,
      temperature: null,
      seed: null,
      thinking: false,
      cachePrompt: false,
    },
    ...over,
  };
}

export function aTool(name: string): ModelRequest["tools"][number] {
  return { name, description: `The tool ${name}.`, parameters: { type: "object", properties: {} } };
}

export function user(text: string): Message {
  return { role: "user", content: [{ type: "text", text }] };
}

export function results(...contents: (string | { error: string })[]): Message {
  return {
    role: "user",
    content: contents.map((one, i): Block => {
      const isError = typeof one !== "string";
      const content = isError ? one.error : one;
      return { type: "tool_result", tool_use_id: `call_${i + 1}`, content, is_error: isError };
    }),
  };
}

/** A watch that keeps what it is told. */
export function aWatch(signal: AbortSignal = new AbortController().signal): AskWatch & {
  texts: string[];
  notes: string[];
} {
  const texts: string[] = [];
  const notes: string[] = [];
  return {
    signal,
    texts,
    notes,
    onText: (delta) => void texts.push(delta),
    onNote: (note) => void notes.push(note),
  };
}
