import { createAnthropic } from "@ai-sdk/anthropic";
import type { Model, ModelRequest, ModelSettings } from "#lib/agent/model.ts";
import { anthropicReader, REDACTED } from "./anthropic-stream.ts";
import { askProvider, type Dialect } from "./ask-provider.io.ts";
import { anthropicId, withCallIds } from "./call-ids.ts";
import { takesEffort, thinkingBudget, thinkingOf } from "./claude-thinking.ts";
import { withTakenNames } from "./property-names.ts";
import type { HttpProvider } from "./provider-options.ts";
import { type SdkCall, type SdkPrompt, sdkPrompt, sdkTools, type ThinkingPart } from "./sdk-prompt.ts";

/** A model behind `<base>/messages`. */
export function anthropicModel(options: HttpProvider & { key: string }): Model {
  const { provider, model, prices, contextWindow } = options;
  const dialect = anthropicDialect(options);
  return {
    provider,
    model,
    prices,
    contextWindow,
    drops: dropsOf(model),
    ask: (request, watch) => askProvider(dialect, { provider, model }, request, watch),
  };
}

function dropsOf(model: string): (keyof ModelSettings)[] {
  const drops: (keyof ModelSettings)[] = ["temperature", "seed"];
  if (!takesEffort(model) && thinkingOf(model) === "none") drops.push("effort");
  if (thinkingOf(model) === "none") drops.push("thinking");
  return drops;
}

function anthropicDialect({ model, baseUrl, key, vision }: HttpProvider & { key: string }): Dialect {
  let tools: ModelRequest["tools"] = [];
  return {
    sdkModel: (fetch) => createAnthropic({ baseURL: baseUrl, apiKey: key, fetch })(model),
    call: (request) => {
      const taken = { ...request, tools: request.tools.map(withTakenNames) };
      if (taken.tools.length > 0) tools = taken.tools;
      return callOf(model, taken, { tools, vision });
    },
    reader: anthropicReader,
    baseUrl,
    secrets: [key],
  };
}

function callOf(
  model: string,
  request: ModelRequest,
  { tools, vision }: { tools: ModelRequest["tools"]; vision: boolean },
): SdkCall {
  const { settings } = request;
  const prompt = withCallIds(sdkPrompt(request, { thinking: thinkingPart, vision }), anthropicId);
  const mayThink = settings.thinking && thinkingOf(model) === "budget" && !actsUnthinking(prompt);
  const budget = mayThink ? thinkingBudget(settings) : null;
  return {
    prompt: settings.cachePrompt ? withBreakpoints(prompt) : prompt,
    ...toolsOf(request, tools),
    // The SDK adds a budget to the limit; here the limit is for all that is written.
    maxOutputTokens: settings.maxTokens - (budget ?? 0),
    providerOptions: {
      anthropic: {
        // The other way of streaming brings arguments that the server has not looked at.
        toolStreaming: false,
        ...thinkingOption(model, settings, budget),
        ...(settings.effort !== null && takesEffort(model) ? { effort: settings.effort } : {}),
      },
    },
  };
}

/**
 * A conversation with calls is refused where no tool is declared, so they stay declared when no more may be called: those
 * of the requests before, which also keeps the cache of them.
 */
function toolsOf(request: ModelRequest, known: ModelRequest["tools"]): Pick<SdkCall, "tools" | "toolChoice"> {
  const names = new Set(
    request.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_use" ? [block.name] : [])),
    ),
  );
  if (request.tools.length > 0 || names.size === 0) return { tools: sdkTools(request.tools) };
  const former = [...names].map((name) => ({ name, description: "", parameters: { type: "object" } }));
  return { tools: sdkTools(known.length > 0 ? known : former), toolChoice: { type: "none" } };
}

type AnthropicOptions = NonNullable<SdkCall["providerOptions"]>[string];

function thinkingOption(model: string, settings: ModelSettings, budget: number | null): AnthropicOptions {
  const kind = thinkingOf(model);
  switch (kind) {
    case "adaptive":
      return { thinking: { type: settings.thinking ? "adaptive" : "disabled" } };
    case "budget":
      return budget === null ? {} : { thinking: { type: "enabled", budgetTokens: budget } };
    case "none":
      return {};
    default:
      return kind satisfies never;
  }
}

/** Thinking goes back as it came, with its signature; another provider's has none, and would be refused. */
const thinkingPart: ThinkingPart = ({ text, signature }) => {
  if (signature === null || signature === undefined || signature === "") return null;
  const anthropic = signature.startsWith(REDACTED)
    ? { redactedData: signature.slice(REDACTED.length) }
    : { signature };
  return { type: "reasoning", text, providerOptions: { anthropic } };
};

/** Was the work that is going on begun without thinking, by another provider? A budget would be refused in its middle. */
function actsUnthinking(prompt: SdkPrompt): boolean {
  const acting =
    prompt.at(-1)?.role === "tool" ? prompt.findLast(({ role }) => role === "assistant") : undefined;
  return acting?.role === "assistant" && acting.content[0]?.type !== "reasoning";
}

const BREAKPOINT = { anthropic: { cacheControl: { type: "ephemeral" } } };

/**
 * Marks how far the next request will begin like this one: to the end of the system prompt, which the tools stand
 * before, and to the ends of the last two messages of the person's or of tools.
 */
function withBreakpoints(prompt: SdkPrompt): SdkPrompt {
  const ends = prompt.flatMap(({ role }, i) => (role === "user" || role === "tool" ? [i] : [])).slice(-2);
  return prompt.map((message, i) =>
    message.role === "system" || ends.includes(i) ? { ...message, providerOptions: BREAKPOINT } : message,
  );
}
