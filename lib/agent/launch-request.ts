import type { Config } from "#lib/config/config.ts";
import type { RunOptions } from "./options.ts";
import type { Approver, Conversation, LoopEvent, RunResult } from "./parts.ts";
import type { Script } from "./providers/script.ts";

/** Asks the person a question of the model's and gives the answer; null: nobody answered. */
export type Asker = (
  question: string,
  options: readonly string[],
  signal: AbortSignal,
) => Promise<string | null>;

/** Where the records of a run go. */
export type SessionPlace =
  /** A new session in this folder. */
  | { kind: "new"; dir: string; title: string | null }
  /**
   * The end of an existing session's file. `unsettled`: tools called there without a word on what their results brought
   * into the conversation; it is then held to be what they declare. `bytes`: of the file as the conversation was read.
   */
  | { kind: "resume"; id: string; file: string; unsettled?: ReadonlySet<string>; bytes?: number }
  /** Nowhere. */
  | { kind: "none" };

/** Which parts of the configuration a run may use. An evaluation turns off what only this machine has. */
export type Surface = {
  /** `required`: a server that does not start ends the launch with a UserError; else it is a notice. */
  mcp: boolean | "required";
  hooks: boolean;
  outbox: boolean;
  fallbacks: boolean;
  search: boolean;
};

export type LaunchRequest = {
  config: Config;
  options: RunOptions;
  surface: Surface;
  session: SessionPlace;
  /** Empty for a new one. */
  conversation: Conversation;
  /** `summary`: the order of a run that ends with the process, with a summary record; `chat`: without. */
  recordOrder: "summary" | "chat";
  approve: Approver;
  /** Null: there is no `ask_user` tool. */
  ask: Asker | null;
  /** Folders of mecha's own, absolute. */
  outboxDir: string;
  env: Readonly<Record<string, string | undefined>>;
  /** Shared by launches that are to play the same scripts; each is read once. */
  scripts?: Map<string, Promise<Script>>;
  /**
   * Names at the top of the workspace, a slash behind those of folders: `fs_read` and `fs_list` reach nothing else, and
   * what they give is not private. Without it the whole workspace is reached, and is private.
   */
  publicNames?: readonly string[];
};

/** A conversation with a model, ready to be spoken to. One run at a time. */
export type Agent = {
  session: { id: string; file: string } | null;
  /** Names of the tools the model is told of. */
  tools: readonly string[];
  /** One line each: settings the provider is not sent, servers that did not start. */
  notices: readonly string[];
  /**
   * One run: the prompt, and turns until the model is done or a limit is reached. Counters start at zero for each; the
   * conversation goes on. Never rejects for what a provider or a tool did; rejects with a UserError when the transcript
   * cannot be written.
   */
  send(prompt: string, watch: { signal: AbortSignal; onEvent(event: LoopEvent): void }): Promise<RunResult>;
  conversation(): Conversation;
  /** Ends servers and runs `session_end` hooks. Idempotent. */
  close(): Promise<void>;
};
