import type { Config } from "#lib/transcript/record.ts";
import pkg from "../../package.json" with { type: "json" };
import type { Answerer } from "./model.ts";
import type { RunOptions } from "./options.ts";

/** The `config` record of a run: what it is launched with, which tools there are, and who answers. */
export function configRecord(options: RunOptions, tools: readonly string[], answerer: Answerer): Config {
  const { settings, limits, sandbox } = options;
  return {
    mecha_version: pkg.version,
    provider: answerer.provider,
    model: answerer.model,
    workspace: options.workspace,
    system_prompt: options.systemPrompt,
    tools: [...tools],
    effort: settings.effort,
    temperature: settings.temperature,
    seed: settings.seed,
    thinking: settings.thinking,
    cache_prompt: settings.cachePrompt,
    max_tokens: settings.maxTokens,
    max_turns: limits.maxTurns,
    max_output_tokens: limits.maxOutputTokens,
    max_cost_usd: limits.maxCostUsd,
    compact_at_tokens: limits.compactAtTokens,
    compact_keep_recent: limits.compactKeepRecent,
    permission_mode: options.permissionMode,
    trifecta: options.trifecta,
    sandbox: sandbox.kind,
    sandbox_network: sandbox.network,
  };
}
