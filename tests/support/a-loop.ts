import type { AskWatch, Model, ModelAnswer, ModelRequest, Prices, StopReason } from "#lib/agent/model.ts";
import type { Conversation, LoopEvent, LoopLimits, LoopParts } from "#lib/agent/parts.ts";
import { parseScript } from "#lib/agent/providers/parse-script.ts";
import { scriptedModel } from "#lib/agent/providers/scripted.ts";
import { type Capabilities, NO_CAPABILITIES, type Tool, type ToolResult } from "#lib/agent/tool.ts";
import type { Block, Message, Usage } from "#lib/transcript/record.ts";
import { aRequest } from "./a-request.ts";

export const NEW: Conversation = { messages: [], taint: { private: false, untrusted: false } };

export const LIMITS: LoopLimits = {
  maxTurns: 40,
  maxOutputTokens: null,
  maxCostUsd: null,
  compactAtTokens: null,
  compactKeepRecent: 6,
  compactValidate: false,
  loopGuard: true,
  forceFinalAnswer: true,
  outputBudgetBytes: 24_000,
};

/** Parts of a run that allow everything, and what the run told. */
export function aLoop(
  model: Model,
  tools: readonly Tool[] = [],
  over: Partial<Omit<LoopParts, "limits">> & { limits?: Partial<LoopLimits> } = {},
): { parts: LoopParts; events: LoopEvent[] } {
  const events: LoopEvent[] = [];
  const parts: LoopParts = {
    model,
    tools,
    system: "Be brief.",
    settings: aRequest().settings,
    permissionMode: "allow",
    trifecta: "block",
    blockSendsAfterPrivate: false,
    approve: async () => ({ allow: false, by: "user", why: "not now" }),
    hooks: null,
    outbox: null,
    carry: () => null,
    observe: (event) => void events.push(event),
    signal: new AbortController().signal,
    ...over,
    limits: { ...LIMITS, ...over.limits },
  };
  return { parts, events };
}

/** The conversation as a reader of the events rebuilds it. */
export function rebuilt(start: Conversation, events: readonly LoopEvent[]): readonly Message[] {
  let messages = [...start.messages];
  for (const event of events) {
    if (event.type === "message") messages.push(event.message);
    else if (event.type === "rewrite") messages = [...event.messages];
  }
  return messages;
}

export function usage(input: number, output: number): Usage {
  return {
    input_tokens: input,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
}

type ReplyOver = {
  stop?: StopReason;
  usage?: Usage | null;
  malformed?: number[];
  by?: { provider: string; model: string };
};

export function reply(content: Block[], over: ReplyOver = {}): ModelAnswer {
  return {
    kind: "reply",
    content,
    malformed: over.malformed ?? [],
    stop: over.stop ?? (content.some((block) => block.type === "tool_use") ? "tool_calls" : "end"),
    usage: over.usage === undefined ? usage(100, 10) : over.usage,
    answeredBy: over.by ?? { provider: "test", model: "m" },
  };
}

export function text(words: string): Block {
  return { type: "text", text: words };
}

let ids = 0;
export function use(name: string, input: unknown = {}, id = `u${++ids}`): Block {
  return { type: "tool_use", id, name, input };
}

export function failure(
  problem: string,
  over: { overflow?: boolean; usage?: Usage | null } = {},
): ModelAnswer {
  return {
    kind: "failure",
    problem,
    overflow: over.overflow ?? false,
    transient: false,
    retryAfterMs: null,
    usage: over.usage ?? null,
  };
}

export type Answering =
  | ModelAnswer
  | ((request: ModelRequest, watch: AskWatch) => ModelAnswer | Promise<ModelAnswer>);

/** A model with these answers, one after the other, and every request it got. */
export function aModel(
  answers: readonly Answering[],
  prices: Prices | null = null,
): Model & { requests: ModelRequest[] } {
  const requests: ModelRequest[] = [];
  return {
    provider: "test",
    model: "m",
    prices,
    contextWindow: null,
    drops: [],
    requests,
    async ask(request, watch) {
      requests.push(request);
      const answer = answers[requests.length - 1];
      if (answer === undefined) throw new Error(`nobody expected request ${requests.length}`);
      return typeof answer === "function" ? await answer(request, watch) : answer;
    },
  };
}

/** The scripted provider with these rules. */
export function scripted(rules: object[], prices: Prices | null = null): Model {
  const parsed = parseScript(JSON.stringify({ name: "test", rules }), "test.json");
  if (!parsed.ok) throw new Error(parsed.problem);
  return scriptedModel({
    provider: "scripted",
    model: "test",
    script: parsed.value,
    sleep: async () => undefined,
    prices,
    contextWindow: null,
  });
}

type ToolOver = {
  readOnly?: boolean;
  can?: Partial<Capabilities>;
  gives?: (input: unknown, signal: AbortSignal) => string | ToolResult | Promise<string | ToolResult>;
};

/** A tool that says "fine", and every input it got. */
export function aTool(name: string, over: ToolOver = {}): Tool & { inputs: unknown[] } {
  const inputs: unknown[] = [];
  const gives = over.gives ?? (() => "fine");
  return {
    spec: { name, description: name, parameters: { type: "object" } },
    readOnly: over.readOnly ?? true,
    capabilities: { ...NO_CAPABILITIES, ...over.can },
    inputs,
    async execute(input, { signal }) {
      inputs.push(input);
      const result = await gives(input, signal);
      return typeof result === "string" ? { content: result, isError: false, fromOutside: false } : result;
    },
  };
}

export function failing(content: string): ToolResult {
  return { content, isError: true, fromOutside: false };
}

export function resultsIn(messages: readonly Message[]): Extract<Block, { type: "tool_result" }>[] {
  return messages.flatMap(({ content }) => content.filter((block) => block.type === "tool_result"));
}
