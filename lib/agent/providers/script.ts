import type { JsonObject, RequestPurpose, StopReason } from "#lib/agent/model.ts";
import type { Usage } from "#lib/transcript/record.ts";

/** What a scripted model says. Keys as in its file, which docs/scripted.md describes. */
export type Script = {
  name: string;
  /** Null: the name stands for the model too. */
  model: string | null;
  rules: ScriptRule[];
  /** The answer where no rule has one; it never runs out. */
  otherwise: ScriptStep | null;
};

/** The first rule whose conditions hold and that has a step left answers with it. */
export type ScriptRule = { when: ScriptWhen; steps: ScriptStep[]; repeat: boolean };

/** Null: it does not matter. */
export type ScriptWhen = {
  purpose: RequestPurpose;
  prompt_is: string | null;
  prompt_contains: string | null;
  last_result_contains: string | null;
  last_result_is_error: boolean | null;
  /** The last result has a line that may name a file. */
  last_result_has_file: boolean | null;
  /** Results of tools since the prompt. */
  results: number | null;
  tool_available: string | null;
  seen_contains: string | null;
  /** Which turn of the conversation this is, from 1. */
  turn: number | null;
};

export type ScriptStep = {
  text: string | null;
  thinking: string | null;
  calls: ScriptCall[];
  delay_ms: number;
  chunk_delay_ms: number;
  stop: StopReason | null;
  usage: Usage | "estimate" | null;
  fail: ScriptFailure | null;
  endless: boolean;
};

/** `arguments` is raw text for what is no JSON; null: the input is sent. */
export type ScriptCall = { tool: string; input: JsonObject; arguments: string | null; id: string | null };

export type ScriptFailure = {
  problem: string;
  transient: boolean;
  overflow: boolean;
  retry_after_ms: number | null;
  /** Requests that fail like this before the next step's turn comes. */
  times: number;
};
