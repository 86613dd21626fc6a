import type { Effort } from "#lib/config/effort.ts";
import type { Block, Message, Usage } from "#lib/transcript/record.ts";

/** A tool as a model is told of it. `parameters` is a JSON Schema of type `object`. */
export type ToolSpec = { name: string; description: string; parameters: JsonObject };
export type JsonObject = { [key: string]: unknown };

/** What a request may ask for beside its text. `null`: leave it to the provider. */
export type ModelSettings = {
  /** Most tokens of one answer. */
  maxTokens: number;
  effort: Effort | null;
  temperature: number | null;
  seed: number | null;
  thinking: boolean;
  cachePrompt: boolean;
};

/** What a request is for; a scripted model answers by it, and only `turn` counts as a turn. */
export type RequestPurpose = "turn" | "final" | "summary" | "validate" | "judge";

export type ModelRequest = {
  purpose: RequestPurpose;
  system: string | null;
  messages: readonly Message[];
  /** Empty: the model has to answer in words. */
  tools: readonly ToolSpec[];
  settings: ModelSettings;
};

/** Why the model stopped writing. `pause`: it wants to be asked again and to go on. */
export type StopReason = "end" | "tool_calls" | "length" | "refusal" | "pause" | "unknown";

/** Who answered: the configured provider, or one of its fallbacks. */
export type Answerer = { provider: string; model: string };

/**
 * What came back. Usage is null when the provider did not say; it is then unknown, not zero.
 *
 * A tool call stands in `content` as a `tool_use` block. Where its argument text was no JSON, its input is
 * `{"__malformed_arguments": "<the text>"}` and its index in `content` is in `malformed`; blank text means `{}`.
 */
export type ModelAnswer =
  | {
      kind: "reply";
      content: Block[];
      malformed: readonly number[];
      /** By index in `content`: the argument text of a call as it came, where that is known. */
      sources?: ReadonlyMap<number, string>;
      stop: StopReason;
      usage: Usage | null;
      answeredBy: Answerer;
    }
  | {
      kind: "failure";
      /** One line, without secrets. */
      problem: string;
      /** The conversation is larger than the model can read. */
      overflow: boolean;
      /** Worth asking again, or asking another provider: overload, a broken connection, a server's own error. */
      transient: boolean;
      /** How long the server asked to be left alone, ms. */
      retryAfterMs: number | null;
      usage: Usage | null;
    }
  | {
      kind: "aborted";
      /** What had arrived; a call that was not whole is not in it. */
      content: Block[];
      usage: Usage | null;
    };

/** US dollars per million tokens. */
export type Prices = { inputPerMtok: number; outputPerMtok: number };

export type AskWatch = {
  signal: AbortSignal;
  /** The answer's text as it comes. */
  onText(delta: string): void;
  /** Something a reader of the run should know: a retry, a fallback. One line. */
  onNote(note: string): void;
};

/** A model behind one provider. An instance serves one conversation. */
export type Model = {
  readonly provider: string;
  readonly model: string;
  /** Null: a run's cost is unknown. */
  readonly prices: Prices | null;
  /** In tokens; null when nobody said. */
  readonly contextWindow: number | null;
  /** Settings that this provider is never sent, such as `seed`. */
  readonly drops: readonly (keyof ModelSettings)[];
  /** Never rejects: every failure is an answer. An abort is answered at once. */
  ask(request: ModelRequest, watch: AskWatch): Promise<ModelAnswer>;
};
