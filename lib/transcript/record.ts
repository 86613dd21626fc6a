/** Why a run stopped, in the order in which ties are printed. */
export const STOP_CAUSES = [
  "completed",
  "max_turns",
  "output_token_budget",
  "cost_budget",
  "interrupted",
  "loop",
  "no_output",
] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/** Stops that the harness imposed. An `interrupted` run was stopped by its user, so it says nothing about the harness. */
export const CUT_SHORT: ReadonlySet<StopCause> = new Set<StopCause>([
  "max_turns",
  "output_token_budget",
  "cost_budget",
  "loop",
  "no_output",
]);

/** Token counts. `input_tokens` excludes cache reads and writes. */
export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
};

export const USAGE_KEYS = [
  "input_tokens",
  "output_tokens",
  "cache_creation_input_tokens",
  "cache_read_input_tokens",
] as const satisfies readonly (keyof Usage)[];

/** What had entered the conversation. */
export type Taint = { private: boolean; untrusted: boolean };

/** The header of a session. */
export type Meta = {
  id: string;
  /** RFC 3339, UTC. */
  created_at: string;
  provider: string;
  model: string;
  workspace: string;
  title: string | null;
};

export const EFFORTS = ["low", "medium", "high", "xhigh", "max"] as const;
export const PERMISSION_MODES = ["ask", "allow", "read-only"] as const;
export const TRIFECTA_POLICIES = ["block", "ask", "allow"] as const;

/** What a run is launched with, as one config record says it. Keys in written order; an absent option is `null`. */
export type Config = {
  mecha_version: string;
  provider: string;
  model: string;
  workspace: string;
  system_prompt: string | null;
  tools: string[];
  effort: (typeof EFFORTS)[number] | null;
  temperature: number | null;
  seed: number | null;
  thinking: boolean;
  cache_prompt: boolean;
  max_tokens: number;
  max_turns: number;
  max_output_tokens: number | null;
  max_cost_usd: number | null;
  compact_at_tokens: number | null;
  compact_keep_recent: number;
  permission_mode: (typeof PERMISSION_MODES)[number];
  trifecta: (typeof TRIFECTA_POLICIES)[number];
  /** `none`, `bwrap`, `docker` or `landlock` so far. */
  sandbox: string;
  sandbox_network: boolean;
};

/** How one finished run went: counts only, none of them taken from what a tool said. Keys in written order. */
export type Outcome = {
  turns: number;
  usage: Usage;
  cost_usd: number | null;
  usage_complete: boolean;
  stop_cause: StopCause | null;
  exhausted: boolean;
  ended_on_failed_call: boolean;
  tool_calls: number;
  tool_errors: number;
  tool_denied: number;
  tool_staged: number;
  malformed_tool_args: number;
  blocked_sends: number;
  compactions: number;
  taint: Taint;
};

export const IMAGE_TYPES = ["image/png", "image/jpeg", "image/gif", "image/webp"] as const;

/** One piece of a message. */
export type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; text: string; signature?: string | null | undefined }
  | { type: "tool_use"; id: string; name: string; input: unknown }
  | { type: "tool_result"; tool_use_id: string; content: string; is_error: boolean }
  | {
      type: "image";
      media_type: (typeof IMAGE_TYPES)[number];
      data: string;
      source?: string | null | undefined;
    };

export type Message = { role: "user" | "assistant"; content: Block[] };

/** One line of a session file. */
export type TranscriptRecord =
  | ({ record: "meta" } & Meta)
  | ({ record: "config" } & Config)
  | ({ record: "message" } & Message)
  | { record: "rewrite"; messages: Message[] }
  | ({ record: "taint" } & Taint)
  | { record: "summary"; usage: Usage; turns: number }
  | ({ record: "outcome" } & Outcome);
