import {
  type AgentSection,
  type Config,
  type ProviderConfig,
  providerEntry,
  type ToolsSection,
} from "#lib/config/config.ts";
import type { ConfigFlags } from "#lib/config/layers.ts";
import type { ModelSettings } from "./model.ts";
import type { LoopLimits, PermissionMode, TrifectaPolicy } from "./parts.ts";

/**
 * Everything one run is launched with, after configuration and flags: what the `config` record of its transcript says.
 * Two runs with equal options are launched alike; the two arms of a comparison differ in nothing else.
 */
export type RunOptions = {
  provider: string;
  model: string;
  /** Absolute. */
  workspace: string;
  systemPrompt: string | null;
  settings: ModelSettings;
  limits: LoopLimits;
  permissionMode: PermissionMode;
  trifecta: TrifectaPolicy;
  blockSendsAfterPrivate: boolean;
  markUntrustedOutput: boolean;
  sandbox: { kind: "bwrap" | "none"; network: boolean };
  shellTimeoutSecs: number;
  /** Names; null: every tool there is. */
  tools: readonly string[] | null;
  toolsOff: readonly string[];
};

/** What a command line may say about one run. A flag that is not given leaves the configuration as it is. */
export type RunFlags = ConfigFlags & {
  /** The system prompt, word for word. */
  system?: string;
  workspace?: string;
  /** Nobody is asked: every call may go ahead. `readOnly` is the stronger of the two. */
  yes?: true;
  readOnly?: true;
  maxTurns?: number;
  maxOutputTokens?: number;
  /** US dollars. */
  maxCost?: number;
  /** Names; none of the others is there. */
  tools?: readonly string[];
  compactAt?: number;
  /** Only ever off. */
  thinking?: false;
  sandbox?: RunOptions["sandbox"];
};

/** The one way from configuration and flags to what a run is launched with. */
export function runOptions({
  config,
  provider,
  model,
  flags = {},
  workspace,
  systemPrompt,
}: {
  config: Config;
  /** Who is asked, after it has been looked up: a name, and the model it answers with. */
  provider: string;
  model: string;
  flags?: RunFlags;
  /** Absolute. */
  workspace: string;
  /** As it was read from where the configuration says; `flags.system` stands in its place. */
  systemPrompt: string | null;
}): RunOptions {
  const { tools, security } = config;
  const { kind, network } = flags.sandbox ?? config.sandbox;
  const entry = providerEntry(config, provider);
  const named = flags.tools ?? (tools.enabled.length > 0 ? tools.enabled : null);
  return {
    provider,
    model,
    workspace,
    systemPrompt: flags.system ?? systemPrompt,
    settings: settingsOf(config, entry, flags),
    limits: limitsOf(config, entry?.context_window ?? null, flags),
    permissionMode: flags.readOnly ? "read-only" : flags.yes ? "allow" : tools.permission_mode,
    trifecta: security.trifecta,
    blockSendsAfterPrivate: security.block_sends_after_private,
    markUntrustedOutput: security.mark_untrusted_output,
    sandbox: { kind, network },
    shellTimeoutSecs: tools.shell_timeout_secs,
    tools: named === null ? null : [...named],
    toolsOff: [...tools.disabled],
  };
}

/** `entry`: that of the provider, null for what is built in. */
export function settingsOf({ agent }: Config, entry: ProviderConfig | null, flags: RunFlags): ModelSettings {
  return {
    maxTokens: agent.max_tokens,
    effort: flags.effort ?? agent.effort,
    temperature: entry?.temperature ?? null,
    seed: entry?.seed ?? null,
    thinking: flags.thinking ?? agent.thinking,
    cachePrompt: agent.cache_prompt,
  };
}

/** `contextWindow` in tokens; null: nobody said. */
function limitsOf({ agent, tools }: Config, contextWindow: number | null, flags: RunFlags): LoopLimits {
  return {
    maxTurns: flags.maxTurns ?? agent.max_turns,
    maxOutputTokens: flags.maxOutputTokens ?? agent.max_output_tokens,
    maxCostUsd: flags.maxCost ?? agent.max_cost_usd,
    compactAtTokens: flags.compactAt ?? compactAt(agent, contextWindow),
    compactKeepRecent: agent.compact_keep_recent,
    compactValidate: agent.compact_validate,
    loopGuard: agent.loop_guard,
    forceFinalAnswer: agent.force_final_answer,
    outputBudgetBytes: outputBudget(tools, contextWindow),
  };
}

/** What is configured, else 66 % of the context window, else never. */
function compactAt(agent: AgentSection, contextWindow: number | null): number | null {
  return agent.compact_at_tokens ?? (contextWindow === null ? null : Math.floor(0.66 * contextWindow));
}

const BUDGET = { unknown: 24_000, least: 6_000, most: 24_000 };

/** Three bytes for every eight tokens of the context window: a turn's results take about an eighth of it. */
function outputBudget(tools: ToolsSection, contextWindow: number | null): number {
  if (tools.output_budget_bytes !== null) return tools.output_budget_bytes;
  if (contextWindow === null) return BUDGET.unknown;
  return Math.min(BUDGET.most, Math.max(BUDGET.least, Math.floor(contextWindow / 8) * 3));
}
