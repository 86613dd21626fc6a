import type { StopCause } from "#lib/transcript/record.ts";
import type { RunConfig } from "#lib/transcript/run-row.ts";
import type { UsageFacts } from "./facts.ts";
import type { ResultKind } from "./wording.ts";

/** One model message, put together from its lines: the last line's word counts. */
export type Message = {
  /** Index of the run it began in; -1 before the first prompt. */
  run: number;
  model: string;
  /** As the last line that told it. */
  request: string | null;
  /** The thread's count at its last line. */
  heard: number;
  usage: UsageFacts | null;
  stopReason: string | null;
  hasText: boolean;
  lastBlock: "text" | "call" | "other";
  /** Calls of this message that have no result yet. */
  open: number;
};

/** One tool call, seen as a call, as a result, or as both; a result may stand before its call. */
export type Call = { run: number; message: Message | null; result: ResultKind | null };

/** The last record of a run that says how it stands. */
export type LastEvent =
  | { kind: "prompt" }
  | { kind: "message"; message: Message }
  | { kind: "result"; result: ResultKind }
  | { kind: "interruption" }
  | { kind: "api_error" };

export type Run = {
  session: string | null;
  /** The id of its prompt's record, or, once one is there, the id and size of its first message: a copy of the run has the same. */
  mark: string | null;
  /** RFC 3339, UTC. */
  started: string;
  config: RunConfig;
  messages: Message[];
  calls: number;
  results: Record<ResultKind, number>;
  /** The result that stands last in the file. */
  lastResult: ResultKind | null;
  interruptions: number;
  apiErrors: number;
  compactions: number;
  machineContinuations: number;
  last: LastEvent;
};

/** One line of conversation: the session itself, or a sub-agent that older versions wrote between its lines. */
export type Thread = {
  /** Session id of its rows; null: each run's own. */
  id: string | null;
  runs: Run[];
  /** Index of the run that is going on; -1 before the first prompt. */
  current: number;
  /** The last message of each id. */
  messages: Map<string, Message>;
  /** Records of the user's side: prompts, results, notices. */
  heard: number;
  calls: Map<string, Call>;
  /** A compaction was marked and its summary has not come yet: the two count once. */
  boundaryOpen: boolean;
};

/** All that is kept of one file. Plain data. */
export type State = {
  id: string;
  subagent: boolean;
  /** For a run without a time stamp of its own. */
  createdAt: string;
  main: Thread;
  /** Inline sub-agents by the id of their first record, in file order. */
  sides: Map<string, Thread>;
  /** The first record of the inline sub-agent that a record belongs to. */
  sideOf: Map<string, string>;
  lastSide: string | null;
  /** Ids of the records that were counted. */
  seen: Set<string>;
  /** One object per distinct setting. */
  configs: Map<string, RunConfig>;
  /** Messages without an id, for naming them apart. */
  nameless: number;
};

/** What one run adds up to, before it is a row. */
export type DerivedRun = {
  session: string | null;
  mark: string | null;
  started: string;
  /** null: no message of a model. */
  model: string | null;
  models: Map<string, number>;
  turns: number;
  usage: {
    input_tokens: number;
    output_tokens: number;
    cache_creation_input_tokens: number;
    cache_read_input_tokens: number;
  };
  usageComplete: boolean;
  stop: DerivedStop;
  /** The stop follows from the shape of the last message, which has no stop reason. */
  stopInferred: boolean;
  /** The last message wrote text. */
  spoke: boolean;
  endedOnFailedCall: boolean;
  calls: number;
  callsWithoutResult: number;
  results: Record<ResultKind, number>;
  interruptions: number;
  apiErrors: number;
  compactions: number;
  machineContinuations: number;
  config: RunConfig;
};

/** How a run ended, in the format's own terms. */
export type DerivedStop =
  | "completed"
  | "token_limit"
  | "refusal"
  | "interrupted"
  | "denied"
  | "api_error"
  | "unfinished";

/** The harness's stop cause, or why the run gives no row. */
export type Outcome = StopCause | "provider_error" | "unfinished";

export function newThread(id: string | null): Thread {
  return { id, runs: [], current: -1, messages: new Map(), heard: 0, calls: new Map(), boundaryOpen: false };
}

export function noResults(): Record<ResultKind, number> {
  return {
    ok: 0,
    error: 0,
    schema_error: 0,
    denied_user: 0,
    denied_policy: 0,
    denied_unknown: 0,
    cancelled: 0,
  };
}
