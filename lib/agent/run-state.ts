import { INTERRUPTED_RESULT, mendConversation } from "#lib/transcript/mend.ts";
import type { Block, Message, StopCause, Taint, Usage } from "#lib/transcript/record.ts";
import { type Ceiling, ceilingReached } from "./ceiling.ts";
import { type LoopGuard, UNARMED } from "./loop-guard.ts";
import type { Answerer, StopReason } from "./model.ts";
import { outcomeOf } from "./outcome.ts";
import type { Conversation, LoopParts, RunResult } from "./parts.ts";
import { callsOf, closingText } from "./reply.ts";
import type { Tool } from "./tool.ts";
import type { TraceEntry } from "./trace.ts";
import { costOf, NO_USAGE } from "./usage.ts";

/** One run on its way. Only the loop's own modules change it; the messages are never changed in place. */
export type Run = {
  readonly parts: LoopParts;
  readonly prompt: string;
  readonly tools: ReadonlyMap<string, Tool>;
  /** Ids of every call so far, also of those a summary took away. */
  readonly callIds: Set<string>;
  readonly trace: TraceEntry[];
  messages: readonly Message[];
  taint: Taint;
  answerer: Answerer;
  turns: number;
  usage: Usage;
  usageComplete: boolean;
  malformed: number;
  blockedSends: number;
  compactions: number;
  /** Of the last turn's request, all of its input; null: not known. */
  inputTokens: number | null;
  lastStop: StopReason | null;
  /** Empty turns in a row. */
  emptyTurns: number;
  guard: LoopGuard;
  looping: boolean;
  /** The conversation already ends with the request for a last answer. */
  lastAnswerAsked: boolean;
  /** A summary failed, so no other is tried. */
  summariesOff: boolean;
  /** Room was made for a request that was too large; it is asked once more, and not twice. */
  roomMade: boolean;
};

/** A run that has heard its prompt and asked nothing yet. */
export function startRun(parts: LoopParts, conversation: Conversation, prompt: string): Run {
  const { messages, taint } = conversation;
  const run: Run = {
    parts,
    prompt,
    tools: new Map(parts.tools.map((tool) => [tool.spec.name, tool])),
    callIds: new Set(messages.flatMap((message) => callsOf(message).map((call) => call.id))),
    trace: [],
    messages,
    taint: { private: taint.private || messages.some(holdsImage), untrusted: taint.untrusted },
    answerer: { provider: parts.model.provider, model: parts.model.model },
    turns: 0,
    usage: NO_USAGE,
    usageComplete: true,
    malformed: 0,
    blockedSends: 0,
    compactions: 0,
    inputTokens: null,
    lastStop: null,
    emptyTurns: 0,
    guard: UNARMED,
    looping: false,
    lastAnswerAsked: false,
    summariesOff: false,
    roomMade: false,
  };
  const mended = mendConversation(messages);
  if (mended.kind === "rewritten") rewrite(run, mended.messages);
  hear(run, prompt);
  return run;
}

function holdsImage(message: Message): boolean {
  return message.content.some((block) => block.type === "image");
}

/** Adds a message to the end of the conversation. */
export function store(run: Run, role: Message["role"], content: Block[]): void {
  const message: Message = { role, content };
  run.messages = [...run.messages, message];
  run.parts.observe({ type: "message", message });
}

/** Puts other messages in the place of the conversation so far. */
export function rewrite(run: Run, messages: readonly Message[]): void {
  run.messages = messages;
  run.parts.observe({ type: "rewrite", messages });
}

/**
 * Says something to the model. Roles take turns, so after a message of the user's side it joins that message, which is
 * a rewrite of the conversation: the transcript shows what the model really read. After calls that a killed process
 * left without results, it comes with results that say so.
 */
export function hear(run: Run, text: string): void {
  const last = run.messages.at(-1);
  const block: Block = { type: "text", text };
  if (last?.role === "user")
    rewrite(run, [...run.messages.slice(0, -1), { role: "user", content: [...last.content, block] }]);
  else {
    const results = callsOf(last).map(({ id }) => resultBlock(id, INTERRUPTED_RESULT, true));
    store(run, "user", [...results, block]);
  }
}

export function resultBlock(id: string, content: string, isError: boolean): Block {
  return { type: "tool_result", tool_use_id: id, content, is_error: isError };
}

/** The ceiling that the next request would break, or null. */
export function ceilingOf(run: Run): Ceiling | null {
  return ceilingReached(run.parts.limits, {
    looping: run.looping,
    turns: run.turns,
    outputTokens: run.usage.output_tokens,
    costUsd: costOf(run.usage, run.parts.model.prices),
  });
}

/** What a run comes to: with a stop cause when it finished, with a problem when its provider failed. */
export function endRun(run: Run, end: { cause: StopCause } | { failure: string }): RunResult {
  const outcome = outcomeOf(
    {
      turns: run.turns,
      usage: run.usage,
      cost_usd: costOf(run.usage, run.parts.model.prices),
      usage_complete: run.usageComplete,
      stop_cause: "cause" in end ? end.cause : null,
      malformed_tool_args: run.malformed,
      blocked_sends: run.blockedSends,
      compactions: run.compactions,
      taint: run.taint,
    },
    run.trace,
  );
  return {
    failure: "failure" in end ? end.failure : null,
    outcome,
    text: closingText(run.messages),
    refused: run.lastStop === "refusal",
    trace: run.trace,
    unknownTools: run.trace.filter((entry) => entry.unknown).length,
    conversation: { messages: run.messages, taint: run.taint },
  };
}
