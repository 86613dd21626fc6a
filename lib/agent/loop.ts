import { answerCalls } from "./calls.ts";
import type { Ceiling } from "./ceiling.ts";
import { compactWhenFull, makeRoom } from "./compact.ts";
import { EMPTY_RETRIES, lastAnswerRequest, NOT_MADE, nudge } from "./loop-words.ts";
import type { ModelAnswer } from "./model.ts";
import type { Conversation, LoopParts, RunResult } from "./parts.ts";
import { closingText, type Reply, readReply } from "./reply.ts";
import { ask } from "./request.ts";
import { ceilingOf, endRun, hear, type Run, resultBlock, startRun, store } from "./run-state.ts";

/**
 * One run: the prompt, then turns of the model and results of its calls, until it is done or something ends it.
 *
 * Nothing is reached but through `parts`. Every message is observed as it enters the conversation, so whatever happens
 * later, what was done is kept. A provider that failed is told apart from a stop; a throw of `observe` is passed on.
 */
export async function runLoop(
  parts: LoopParts,
  conversation: Conversation,
  prompt: string,
): Promise<RunResult> {
  const run = startRun(parts, conversation, prompt);
  for (;;) {
    if (parts.signal.aborted) return endRun(run, { cause: "interrupted" });
    const ceiling = ceilingOf(run);
    if (ceiling !== null) return await stopAtCeiling(run, ceiling);
    if (await compactWhenFull(run)) continue;
    const end = await takeTurn(run);
    if (end !== null) return end;
  }
}

/** One request of the loop and what follows from its answer: the end of the run, or null to go on. */
async function takeTurn(run: Run): Promise<RunResult | null> {
  const answer = await ask(run, "turn");
  if (answer.kind !== "reply") return await withoutReply(run, answer);
  run.roomMade = false;
  const reply = readReply(answer.content, answer.malformed, run.callIds, answer.sources);
  run.malformed += reply.malformed;
  if (reply.calls.length > 0) {
    run.emptyTurns = 0;
    await answerCalls(run, reply);
    return null;
  }
  if (answer.stop === "pause" && reply.content.length > 0) {
    run.emptyTurns = 0;
    store(run, "assistant", reply.content);
    return null;
  }
  return takeWords(run, reply);
}

/** Words without calls are the answer, whatever made the model stop. */
function takeWords(run: Run, reply: Reply): RunResult | null {
  if (reply.text.trim() !== "") store(run, "assistant", reply.content);
  // A model that had paused may have said it all before.
  if (closingText(run.messages).trim() !== "") return endRun(run, { cause: "completed" });
  if (run.emptyTurns === EMPTY_RETRIES) return endRun(run, { cause: "no_output" });
  run.emptyTurns += 1;
  hear(run, nudge(run.emptyTurns));
  return null;
}

type NoReply = Exclude<ModelAnswer, { kind: "reply" }>;

async function withoutReply(run: Run, answer: NoReply): Promise<RunResult | null> {
  if (answer.kind === "aborted") keepPart(run, answer);
  if (answer.kind === "aborted" || run.parts.signal.aborted) return endRun(run, { cause: "interrupted" });
  if (answer.overflow && !run.roomMade && (await makeRoom(run))) {
    run.roomMade = true;
    return null;
  }
  return endRun(run, { failure: answer.problem });
}

/** What an interrupted model had written is part of the conversation; its calls are answered as not made. */
function keepPart(run: Run, { content }: Extract<ModelAnswer, { kind: "aborted" }>): void {
  const part = readReply(content, [], run.callIds);
  if (part.calls.length === 0 && part.text.trim() === "") return;
  store(run, "assistant", part.content);
  const results = part.calls.map(({ id }) => resultBlock(id, NOT_MADE, false));
  if (results.length > 0) store(run, "user", results);
}

/** Spends one request without tools on an answer from what is there. It is no turn, but its tokens count. */
async function stopAtCeiling(run: Run, ceiling: Ceiling): Promise<RunResult> {
  if (!run.parts.limits.forceFinalAnswer) return endRun(run, { cause: ceiling });
  if (!run.lastAnswerAsked) hear(run, lastAnswerRequest(ceiling));
  let answer = await ask(run, "final");
  if (answer.kind === "failure" && answer.overflow && !run.parts.signal.aborted && (await makeRoom(run)))
    answer = await ask(run, "final");
  if (answer.kind === "failure" && !run.parts.signal.aborted) return endRun(run, { failure: answer.problem });
  if (answer.kind !== "failure") {
    const { content, text } = readReply(answer.content, [], run.callIds);
    const words = content.filter((block) => block.type !== "tool_use");
    if (text.trim() !== "") store(run, "assistant", words);
  }
  return endRun(run, { cause: answer.kind === "reply" ? ceiling : "interrupted" });
}
