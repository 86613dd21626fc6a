import type { Message, Outcome, PERMISSION_MODES, Taint, TRIFECTA_POLICIES } from "#lib/transcript/record.ts";
import type { Answerer, JsonObject, Model, ModelSettings } from "./model.ts";
import type { Tool } from "./tool.ts";
import type { TraceEntry } from "./trace.ts";

export type PermissionMode = (typeof PERMISSION_MODES)[number];
export type TrifectaPolicy = (typeof TRIFECTA_POLICIES)[number];

/** Where a run ends whatever the model wants. `null`: no such limit. */
export type LoopLimits = {
  maxTurns: number;
  maxOutputTokens: number | null;
  maxCostUsd: number | null;
  /** Total input tokens of one request from which the conversation is shortened. */
  compactAtTokens: number | null;
  /** Messages at the end that a summary leaves alone. */
  compactKeepRecent: number;
  /** Ask once more whether the summary left something out. */
  compactValidate: boolean;
  loopGuard: boolean;
  /** At a ceiling, ask for one last answer without tools. */
  forceFinalAnswer: boolean;
  /** Bytes of tool results that one turn may bring into the conversation. */
  outputBudgetBytes: number;
};

/** A call on its way. */
export type PendingCall = { id: string; name: string; input: JsonObject };

/** Who said no. It chooses the words that mark a denial in the transcript. */
export type Decision = { allow: true } | { allow: false; by: "user" | "policy" | "hook"; why: string };

/** Asked before a call that changes something (`permission`), or that the interlock lets a person decide. */
export type Approver = (
  call: PendingCall,
  reason: "permission" | "interlock",
  signal: AbortSignal,
) => Promise<Decision>;

/** Programs of the person's own around each call. They may not throw: a hook that cannot run denies. */
export type Hooks = {
  preTool(call: PendingCall, signal: AbortSignal): Promise<Decision>;
  postTool(
    call: PendingCall,
    result: { content: string; is_error: boolean },
    signal: AbortSignal,
  ): Promise<void>;
};

/** Keeps a call for a person to release. */
export type Outbox = {
  routes(name: string): boolean;
  /** Stores the draft and gives what the model is told. A throw is an error of the call; nothing was sent. */
  stage(call: PendingCall): Promise<string>;
};

/** What a run tells while it goes on. The transcript is written from these, in this order. */
export type LoopEvent =
  | { type: "message"; message: Message }
  /** Earlier messages changed in place: this is the whole conversation now. */
  | { type: "rewrite"; messages: readonly Message[] }
  /** Another model answers from here on. */
  | { type: "answerer"; answerer: Answerer }
  | { type: "text"; delta: string }
  | { type: "call_started"; call: PendingCall }
  | { type: "call_finished"; call: PendingCall; entry: TraceEntry; content: string; blocked: boolean }
  | { type: "compacted"; messagesBefore: number; messagesAfter: number }
  | { type: "note"; text: string };

/** A conversation between runs. The loop never changes the array it was given; the result carries the new one. */
export type Conversation = { messages: readonly Message[]; taint: Taint };

/** One in which nothing was said yet. */
export const NEW_CONVERSATION: Conversation = {
  messages: [],
  taint: { private: false, untrusted: false },
};

/** All that a run needs. Nothing in the loop reaches a file, a clock or a network but through these. */
export type LoopParts = {
  model: Model;
  /** Their names are distinct. */
  tools: readonly Tool[];
  system: string | null;
  settings: ModelSettings;
  limits: LoopLimits;
  permissionMode: PermissionMode;
  trifecta: TrifectaPolicy;
  /** Refuse every send once the conversation holds what is private, also a trusted one. */
  blockSendsAfterPrivate: boolean;
  approve: Approver;
  hooks: Hooks | null;
  outbox: Outbox | null;
  /** What must survive a summary beside the messages, such as the list of the `todo` tool; null: nothing. */
  carry(): string | null;
  /** A throw ends the run: a transcript that cannot be written is no transcript. */
  observe(event: LoopEvent): void;
  signal: AbortSignal;
};

/** How a run ended. Its counts are kept either way; only a finished one has a row. */
export type RunResult = {
  /** Null: the run finished. Else one line: the provider failed, and the run wrote no outcome. */
  failure: string | null;
  /** The counts so far; `stop_cause` is null after a failure. */
  outcome: Outcome;
  /** The answer; empty when there is none. */
  text: string;
  /** The model declined: its last stop reason was a refusal. */
  refused: boolean;
  trace: readonly TraceEntry[];
  /** Calls of tools that do not exist. */
  unknownTools: number;
  conversation: Conversation;
};
