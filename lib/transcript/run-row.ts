import type { StopCause, Taint, Usage } from "./record.ts";

/** Where a row comes from: written by the harness itself, or worked out from another tool's transcript. */
export type Provenance = "recorded" | "derived";

/** The formats mecha reads. */
export type SourceKind = "mecha" | "claude-code";

/**
 * One finished run. Keys are those of the outcome record, so that a row reads the same on disk, in JSON and in code.
 * `null` means that the format cannot say; it is never a zero.
 */
export type RunRow = {
  source: SourceKind;
  provenance: Provenance;
  session_id: string;
  /** 1-based within the session. */
  run: number;
  /** RFC 3339, UTC. For a mecha session this is the session's `created_at`: no finer stamp exists. */
  started_at: string;
  provider: string;
  model: string;
  /** A run of a sub-agent: counted to its own slice, never to the main rates. */
  subagent: boolean;
  turns: number;
  usage: Usage;
  /** False: `usage` is a lower bound. */
  usage_complete: boolean;
  cost_usd: number | null;
  /** null = not recorded. */
  stop_cause: StopCause | null;
  exhausted: boolean;
  ended_on_failed_call: boolean;
  tool_calls: number;
  tool_errors: number;
  tool_denied: number;
  tool_cancelled: number | null;
  tool_staged: number | null;
  malformed_tool_args: number | null;
  blocked_sends: number | null;
  compactions: number;
  taint: Taint | null;
  /** What the run was launched with, as far as the transcript says; one shared object per distinct setting. */
  config: RunConfig | null;
};

/** The settings whose change is worth a marker on a chart. A key the source does not record is absent. */
export type RunConfig = {
  harness_version?: string;
  effort?: string | null;
  max_turns?: number;
  max_output_tokens?: number | null;
  max_cost_usd?: number | null;
  compact_at_tokens?: number | null;
  permission_mode?: string;
  trifecta?: string;
  sandbox?: string;
  temperature?: number | null;
  thinking?: boolean;
  /** First 12 hex digits of the SHA-256 of the system prompt: enough to see that it changed, without keeping it. */
  system_prompt_sha?: string | null;
  /** The same over the newline-joined tool names. */
  tools_sha?: string;
};

/** One session as its header tells it. */
export type SessionHead = {
  source: SourceKind;
  provenance: Provenance;
  id: string;
  /** Absolute path of the file. */
  path: string;
  /** RFC 3339, UTC. */
  created_at: string;
  provider: string;
  model: string;
  workspace: string;
  title: string | null;
  subagent: boolean;
  /** The session a sub-agent belongs to, where the file says. */
  parent_id: string | null;
  bytes: number;
};
