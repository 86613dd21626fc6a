import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { Model, ModelRequest, ModelSettings } from "#lib/agent/model.ts";
import { askProvider, type Dialect } from "./ask-provider.io.ts";
import { mistralId, openaiId, withCallIds } from "./call-ids.ts";
import { openaiReader } from "./openai-stream.ts";
import type { HttpProvider } from "./provider-options.ts";
import { withThoughts } from "./reasoning-kept.ts";
import { sdkPrompt, sdkTools } from "./sdk-prompt.ts";

const DROPS: readonly (keyof ModelSettings)[] = ["effort", "thinking", "cachePrompt"];

/** A model behind `<base>/chat/completions`: OpenAI's own, or any server that speaks as it does. */
export function openaiModel(options: HttpProvider & { ownedByOpenai: boolean }): Model {
  const { provider, model, prices, contextWindow } = options;
  const dialect = openaiDialect(options);
  return {
    provider,
    model,
    prices,
    contextWindow,
    drops: DROPS,
    ask: (request, watch) => askProvider(dialect, { provider, model }, request, watch),
  };
}

function openaiDialect({
  model,
  baseUrl,
  key,
  vision,
  ownedByOpenai,
}: HttpProvider & { ownedByOpenai: boolean }): Dialect {
  // As long as the conversation: no transcript has a place for them.
  const signatures = new Map<string, string>();
  const spell = ownedByOpenai ? openaiId : isMistral(model, baseUrl) ? mistralId : (id: string) => id;
  const promptOf = (request: ModelRequest) => {
    const prompt = sdkPrompt(request, {
      vision,
      signatures,
      // OpenAI's own models think in secret and take no thoughts; others lose the thread of their calls without.
      thinking: ({ text }) => (ownedByOpenai || text === "" ? null : { type: "reasoning", text }),
    });
    return withCallIds(ownedByOpenai ? prompt : withThoughts(prompt, model), spell);
  };
  return {
    sdkModel: (fetch) =>
      createOpenAICompatible({
        name: "mecha",
        baseURL: baseUrl,
        ...(key === null ? {} : { apiKey: key }),
        includeUsage: true,
        fetch,
        ...(ownedByOpenai ? { transformRequestBody: withCompletionTokens } : {}),
      }).chatModel(model),
    call: (request) => ({
      prompt: promptOf(request),
      tools: sdkTools(request.tools),
      maxOutputTokens: request.settings.maxTokens,
      ...(request.settings.temperature === null ? {} : { temperature: request.settings.temperature }),
      ...(request.settings.seed === null ? {} : { seed: request.settings.seed }),
    }),
    reader: () => openaiReader(signatures),
    baseUrl,
    secrets: key === null ? [] : [key],
  };
}

/** Their ids are looked at by Mistral's own servers, and by others that write its prompts. */
function isMistral(model: string, baseUrl: string): boolean {
  return (
    /(mis|minis|magis|codes|devs|pix)tral/i.test(model) ||
    /(^|\.)mistral\.ai$/.test(new URL(baseUrl).hostname)
  );
}

/** OpenAI's reasoning models refuse the older name, under which every other server knows the limit. */
function withCompletionTokens({ max_tokens, ...body }: Record<string, unknown>): Record<string, unknown> {
  return { ...body, max_completion_tokens: max_tokens };
}
