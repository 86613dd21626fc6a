import { messageOf } from "#lib/errors.ts";
import { isObject } from "#lib/json-text.ts";
import type { Block } from "#lib/transcript/record.ts";
import { type Asked, type Passage, passGate } from "./gate.ts";
import { callDigest, watchTurn } from "./loop-guard.ts";
import { CUT_OFF, lastAnswerRequest, NOT_MADE } from "./loop-words.ts";
import { joinTaint } from "./outcome.ts";
import { limitResult, type Original, shareBudget } from "./output-limit.ts";
import type { Reply, ToolUse } from "./reply.ts";
import { ceilingOf, type Run, resultBlock, store } from "./run-state.ts";
import { type Tool, type ToolResult, toolError } from "./tool.ts";
import type { TraceEntry } from "./trace.ts";
import { ABORTED, untilAborted } from "./until-aborted.ts";

/** Calls that may run side by side. */
const TOGETHER_MAX = 8;

/**
 * Stores a reply with calls and the one message that answers all of them, in their order. First every call passes the
 * gate, then those that may are made. Nothing of the batch changes how the gate judges it: the model had seen none of it.
 */
export async function answerCalls(run: Run, reply: Reply): Promise<void> {
  store(run, "assistant", reply.content);
  const batch = reply.calls.map((use) => begin(run, use, reply.sources.get(use.id)));
  const ready = await prepare(run, batch);
  await execute(run, ready);
  store(run, "user", finalise(run, batch));
}

/** A call and, once there is one, what it gave. */
type Call = Asked & { source: string | null; answer: Answer | null };
/** `original`: what a tool said before any limit; null where none spoke. */
type Answer = { content: string; isError: boolean; original: Original | null };
type Ready = { call: Call; passage: Extract<Passage, { kind: "run" }> };

function begin(run: Run, { id, name, input }: ToolUse, source: string | undefined): Call {
  const call = { id, name, input: isObject(input) ? input : {} };
  // Blank text stands for no arguments, and what is no object was given to no tool.
  const spelt = isObject(input) && source !== undefined && source.trim() !== "" ? source : null;
  return { call, input, tool: run.tools.get(name), source: spelt, answer: null };
}

async function prepare(run: Run, batch: readonly Call[]): Promise<Ready[]> {
  const arrived = run.taint;
  const ready: Ready[] = [];
  for (const call of batch) {
    if (run.parts.signal.aborted) break;
    const passage = await passGate(run.parts, call, arrived);
    if (passage.kind === "aborted") break;
    if (passage.kind === "run") ready.push({ call, passage });
    else turnAway(run, call, passage);
  }
  return ready;
}

type NotMade = Extract<Passage, { content: string }>;

function turnAway(run: Run, call: Call, passage: NotMade): void {
  const blocked = passage.kind === "denied" && passage.blocked;
  if (blocked) run.blockedSends += 1;
  const isError = passage.kind !== "staged";
  run.parts.observe({ type: "call_started", call: call.call });
  settle(run, call, { content: passage.content, isError, original: null }, passage.kind, blocked);
}

/** In order; side by side where all of them only read the world, so that no order of theirs can matter. */
async function execute(run: Run, ready: readonly Ready[]): Promise<void> {
  const size = ready.every(({ passage }) => readsWorld(passage.tool)) ? TOGETHER_MAX : 1;
  for (let at = 0; at < ready.length && !run.parts.signal.aborted; at += size) {
    const together = ready.slice(at, at + size);
    for (const { call } of together) run.parts.observe({ type: "call_started", call: call.call });
    const results = await Promise.all(together.map(({ passage }) => perform(run, passage)));
    for (const [index, one] of together.entries()) await take(run, one, results[index] ?? ABORTED);
  }
}

/** A tool without capabilities speaks with the person or keeps the state of the run: one at a time. */
function readsWorld({ readOnly, capabilities }: Tool): boolean {
  return readOnly && (capabilities.private_data || capabilities.untrusted_input);
}

async function perform(run: Run, passage: Ready["passage"]): Promise<ToolResult | typeof ABORTED> {
  const { signal } = run.parts;
  try {
    return await untilAborted(passage.execute(), signal);
  } catch (error) {
    return signal.aborted ? ABORTED : toolError(`The tool failed: ${messageOf(error)}`);
  }
}

/** A call that was cut off was attempted, but it is neither an error nor has anything of it arrived. */
async function take(run: Run, { call, passage }: Ready, result: ToolResult | typeof ABORTED): Promise<void> {
  if (result === ABORTED) {
    settle(run, call, { content: CUT_OFF, isError: false, original: null }, "made", false);
    return;
  }
  const { private_data, untrusted_input } = passage.tool.capabilities;
  if (passage.reachesTool)
    run.taint = joinTaint(run.taint, {
      private: private_data,
      untrusted: untrusted_input && result.fromOutside,
    });
  const content = limitResult(result);
  settle(run, call, { content, isError: result.isError, original: result }, "made", false);
  if (passage.reachesTool) await tellHooks(run, call, { content, is_error: result.isError });
}

/** The call was made: a hook that cannot run changes nothing about it, but somebody should know. */
async function tellHooks(
  run: Run,
  { call }: Call,
  result: { content: string; is_error: boolean },
): Promise<void> {
  const { hooks, signal, observe } = run.parts;
  if (hooks === null) return;
  try {
    await untilAborted(hooks.postTool(call, result, signal), signal);
  } catch (error) {
    if (!signal.aborted)
      observe({ type: "note", text: `a hook after ${call.name} failed: ${messageOf(error)}` });
  }
}

function settle(
  run: Run,
  call: Call,
  answer: Answer,
  kind: NotMade["kind"] | "made",
  blocked: boolean,
): void {
  const entry: TraceEntry = {
    name: call.call.name,
    input: call.input,
    ...(call.source === null ? {} : { source: call.source }),
    is_error: answer.isError,
    denied: kind === "denied",
    unknown: kind === "unknown",
    staged: kind === "staged",
  };
  call.answer = answer;
  run.trace.push(entry);
  run.parts.observe({ type: "call_finished", call: call.call, entry, content: answer.content, blocked });
}

/** The results under the turn's budget, for the guard and the next request. */
function finalise(run: Run, batch: readonly Call[]): Block[] {
  const { limits, signal } = run.parts;
  const spoken = batch.filter(({ answer }) => answer !== null && answer.original !== null);
  const shared = shareBudget(
    spoken.map(({ answer }) => answer?.original ?? { content: "" }),
    limits.outputBudgetBytes,
  );
  const limited = new Map(spoken.map((call, index) => [call, shared[index]]));
  const results = batch.map((call) => ({
    call,
    content: limited.get(call) ?? call.answer?.content ?? NOT_MADE,
    isError: call.answer?.isError ?? false,
  }));
  if (limits.loopGuard && run.guard.armed) {
    const digests = results.map(({ call, content }) => callDigest(call.call.name, call.input, content));
    const seen = watchTurn(run.guard, digests);
    run.guard = seen.guard;
    run.looping = seen.fires;
  }
  const blocks = results.map(({ call, content, isError }) => resultBlock(call.call.id, content, isError));
  // Known here already, it goes into this message, and no message has to change for it later.
  const ceiling = limits.forceFinalAnswer && !signal.aborted ? ceilingOf(run) : null;
  if (ceiling === null) return blocks;
  run.lastAnswerAsked = true;
  return [...blocks, { type: "text", text: lastAnswerRequest(ceiling) }];
}
