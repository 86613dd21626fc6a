import type { Config, HookConfig, McpServerConfig, ProviderConfig, SearchConfig } from "./config.ts";

/** An entry of each kind with nothing set; what has to be set is `null` or empty here. */
export const EMPTY_PROVIDER: Omit<ProviderConfig, "kind"> = {
  model: null,
  api_key_env: null,
  api_key: null,
  base_url: null,
  input_price_per_mtok: null,
  output_price_per_mtok: null,
  temperature: null,
  seed: null,
  context_window: null,
  vision: null,
  max_retries: 3,
  retry_after_cap_secs: 60,
  fallbacks: [],
  script: null,
};

export const EMPTY_MCP: Omit<McpServerConfig, "name" | "command"> = {
  args: [],
  env: {},
  env_passthrough: [],
  sandbox: false,
  network: false,
  prefix_tools: true,
  capabilities: {
    private_data: false,
    untrusted_input: false,
    external_send: false,
    destructive: false,
  },
  disabled: false,
};

export const EMPTY_SEARCH: Omit<SearchConfig, "kind"> = { base_url: null, api_key_env: null, api_key: null };

export const EMPTY_HOOK: Omit<HookConfig, "event" | "command"> = { tools: [], timeout_secs: 10 };

/** What holds where no file, variable or flag says anything. A new value each time: nobody can change it for others. */
export function defaultConfig(): Config {
  return {
    default_provider: "anthropic",
    providers: {
      anthropic: {
        kind: "anthropic",
        ...EMPTY_PROVIDER,
        model: "claude-opus-5",
        api_key_env: "ANTHROPIC_API_KEY",
        fallbacks: [],
      },
    },
    agent: {
      system_prompt: null,
      system_prompt_file: null,
      max_turns: 40,
      max_tokens: 64_000,
      effort: "high",
      thinking: true,
      cache_prompt: true,
      force_final_answer: true,
      max_output_tokens: null,
      max_cost_usd: null,
      compact_at_tokens: null,
      compact_keep_recent: 6,
      compact_validate: true,
      loop_guard: true,
      timezone: null,
    },
    tools: {
      enabled: [],
      disabled: [],
      workspace: null,
      permission_mode: "ask",
      shell_timeout_secs: 120,
      output_budget_bytes: null,
    },
    security: {
      trifecta: "block",
      block_private_ips: true,
      allowed_domains: [],
      blocked_domains: [],
      mark_untrusted_output: true,
      block_sends_after_private: false,
    },
    sandbox: { kind: "bwrap", network: false },
    outbox: { tools: [], publish_tools: [], dir: null },
    mcp: [],
    search: [],
    hook: [],
  };
}
