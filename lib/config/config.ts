import type { PERMISSION_MODES, TRIFECTA_POLICIES } from "#lib/transcript/record.ts";
import type { Effort } from "./effort.ts";

export const PROVIDER_KINDS = ["anthropic", "openai", "openai-compatible", "local", "scripted"] as const;
export type ProviderKind = (typeof PROVIDER_KINDS)[number];

/** `[providers.<name>]`. A null is a key that is not set. */
export type ProviderConfig = {
  kind: ProviderKind;
  model: string | null;
  api_key_env: string | null;
  api_key: string | null;
  base_url: string | null;
  /** US dollars per million tokens; both or neither. */
  input_price_per_mtok: number | null;
  output_price_per_mtok: number | null;
  temperature: number | null;
  seed: number | null;
  context_window: number | null;
  vision: boolean | null;
  max_retries: number;
  retry_after_cap_secs: number;
  fallbacks: string[];
  /** Of the kind `scripted`: absolute path of its script. */
  script: string | null;
};

export type AgentSection = {
  system_prompt: string | null;
  /** Absolute; read when a run starts. */
  system_prompt_file: string | null;
  max_turns: number;
  max_tokens: number;
  effort: Effort | null;
  thinking: boolean;
  cache_prompt: boolean;
  force_final_answer: boolean;
  max_output_tokens: number | null;
  max_cost_usd: number | null;
  compact_at_tokens: number | null;
  compact_keep_recent: number;
  compact_validate: boolean;
  loop_guard: boolean;
  timezone: string | null;
};

export type ToolsSection = {
  /** Empty: all. */
  enabled: string[];
  disabled: string[];
  workspace: string | null;
  permission_mode: (typeof PERMISSION_MODES)[number];
  shell_timeout_secs: number;
  /** Null: from the context window. */
  output_budget_bytes: number | null;
};

export type SecuritySection = {
  trifecta: (typeof TRIFECTA_POLICIES)[number];
  block_private_ips: boolean;
  /** Empty: every domain. */
  allowed_domains: string[];
  blocked_domains: string[];
  mark_untrusted_output: boolean;
  block_sends_after_private: boolean;
};

/** `bwrap`: what a model wrote runs confined or not at all. `none`: the person has chosen to trust it. */
export type SandboxSection = { kind: "bwrap" | "none"; network: boolean };

export type OutboxSection = { tools: string[]; publish_tools: string[]; dir: string | null };

export type McpCapabilities = {
  private_data: boolean;
  untrusted_input: boolean;
  external_send: boolean;
  destructive: boolean;
};

/** `[[mcp]]`: a server that is spoken to over its standard input and output. */
export type McpServerConfig = {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Names of variables of this process that the server gets. */
  env_passthrough: string[];
  sandbox: boolean;
  network: boolean;
  /** Tools are named `server__tool`; false: by their own names. */
  prefix_tools: boolean;
  /** Added to what the server says of its tools; never taken away. */
  capabilities: McpCapabilities;
  disabled: boolean;
};

/** `[[search]]`: what stands behind `web_search`. */
export type SearchConfig = {
  kind: "searxng" | "brave";
  base_url: string | null;
  api_key_env: string | null;
  api_key: string | null;
};

export const HOOK_EVENTS = ["pre_tool", "post_tool", "session_end"] as const;

/** `[[hook]]`: a program of the person's own, run around calls. */
export type HookConfig = {
  event: (typeof HOOK_EVENTS)[number];
  /** Empty: every tool. */
  tools: string[];
  command: string[];
  timeout_secs: number;
};

/** What runs are launched with, after every layer. Keys as in the files. */
export type Config = {
  default_provider: string;
  providers: Record<string, ProviderConfig>;
  agent: AgentSection;
  tools: ToolsSection;
  security: SecuritySection;
  sandbox: SandboxSection;
  outbox: OutboxSection;
  mcp: McpServerConfig[];
  search: SearchConfig[];
  hook: HookConfig[];
};

/** Where a value came from. */
export type Origin =
  | { layer: "default" }
  | { layer: "file"; file: string; line: number }
  | { layer: "environment"; name: string }
  | { layer: "flag"; name: string };

/**
 * The effective configuration and where it comes from: an origin for each dotted key that is set (`agent.max_turns`,
 * `providers.local.model`, `mcp[0].name`); a key without one has its default.
 */
export type LoadedConfig = {
  config: Config;
  /**
   * Who is asked where a run says nothing else. `model` is null where no layer names one for that provider, which need
   * not have an entry in the configuration: some are built in.
   */
  selected: { provider: string; model: string | null };
  origins: ReadonlyMap<string, Origin>;
  /** What was read and left out, one line each. */
  notices: string[];
};

/** The entry of a provider; null when the configuration has none of that name. */
export function providerEntry(config: Pick<Config, "providers">, name: string): ProviderConfig | null {
  return Object.hasOwn(config.providers, name) ? (config.providers[name] ?? null) : null;
}
