import type { Usage } from "#lib/transcript/record.ts";
import type { UsageFacts } from "./facts.ts";
import type { DerivedRun, DerivedStop, LastEvent, Message, Run, Thread } from "./state.ts";

/**
 * The runs of one thread in file order. A prompt or a command that nothing answered, no message, no provider error and
 * no interruption, is no run: a local command such as `/clear` looks like that.
 */
export function deriveRuns(thread: Thread): DerivedRun[] {
  return thread.runs
    .filter((run) => run.messages.length > 0 || run.apiErrors > 0 || run.interruptions > 0)
    .map((run) => deriveRun(run, openCalls(run)));
}

function deriveRun(run: Run, callsWithoutResult: number): DerivedRun {
  const { stop, inferred } = stopOf(run.last);
  const models = new Map<string, number>();
  for (const { model } of run.messages) models.set(model, (models.get(model) ?? 0) + 1);
  return {
    session: run.session,
    mark: run.mark,
    started: run.started,
    model: mostUsed(models),
    models,
    turns: run.messages.length,
    ...usageOf(run.messages),
    stop,
    stopInferred: inferred,
    spoke: run.messages.at(-1)?.hasText ?? false,
    endedOnFailedCall:
      stop === "completed" && (run.lastResult === "error" || run.lastResult === "schema_error"),
    calls: run.calls,
    callsWithoutResult,
    results: run.results,
    interruptions: run.interruptions,
    apiErrors: run.apiErrors,
    compactions: run.compactions,
    machineContinuations: run.machineContinuations,
    config: run.config,
  };
}

function openCalls(run: Run): number {
  return run.messages.reduce((sum, message) => sum + message.open, 0);
}

/** The model with most messages; of equals the one that spoke first. */
function mostUsed(models: Map<string, number>): string | null {
  let best: string | null = null;
  for (const [model, count] of models) {
    if (best === null || count > (models.get(best) ?? 0)) best = model;
  }
  return best;
}

/**
 * The sum over the messages, each by its last line. It is a measurement only when every one of them was written to the
 * end, which its stop reason shows: before that the line holds the opening count.
 */
function usageOf(messages: readonly Message[]): { usage: Usage; usageComplete: boolean } {
  const usage: Usage = {
    input_tokens: 0,
    output_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
  let complete = true;
  for (const message of messages) {
    const line = message.usage;
    if (line === null || message.stopReason === null || isPartial(line)) complete = false;
    if (line === null) continue;
    usage.input_tokens += Math.max(0, line.input);
    usage.output_tokens += Math.max(0, line.output);
    usage.cache_creation_input_tokens += Math.max(0, line.cacheCreation);
    usage.cache_read_input_tokens += Math.max(0, line.cacheRead);
  }
  return { usage, usageComplete: complete };
}

function isPartial({ input, output, cacheCreation, cacheRead, more }: UsageFacts): boolean {
  return more || [input, output, cacheCreation, cacheRead].includes(-1);
}

/** The last record that says how the run stands decides: a provider error that was recovered from is no end. */
function stopOf(last: LastEvent): { stop: DerivedStop; inferred: boolean } {
  switch (last.kind) {
    case "interruption":
      return { stop: "interrupted", inferred: false };
    case "api_error":
      return { stop: "api_error", inferred: false };
    case "result":
      return { stop: last.result === "denied_user" ? "denied" : "unfinished", inferred: false };
    case "message":
      return stopOfMessage(last.message);
    case "prompt":
      return { stop: "unfinished", inferred: false };
    default:
      return last satisfies never;
  }
}

function stopOfMessage(message: Message): { stop: DerivedStop; inferred: boolean } {
  switch (message.stopReason) {
    case "end_turn":
    case "stop_sequence":
      return { stop: "completed", inferred: false };
    case "max_tokens":
    case "model_context_window_exceeded":
      return { stop: "token_limit", inferred: false };
    case "refusal":
      return { stop: "refusal", inferred: false };
    case null: {
      const spokeLast = message.open === 0 && message.lastBlock === "text";
      return { stop: spokeLast ? "completed" : "unfinished", inferred: true };
    }
    default:
      return { stop: "unfinished", inferred: false };
  }
}
