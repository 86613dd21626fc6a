import fc from "fast-check";
import { expect, test } from "vitest";
import { runLoop } from "#lib/agent/loop.ts";
import type { ModelAnswer, StopReason } from "#lib/agent/model.ts";
import type { Conversation, LoopEvent, PermissionMode, RunResult, TrifectaPolicy } from "#lib/agent/parts.ts";
import type { Block, Message } from "#lib/transcript/record.ts";
import { recordLine } from "#lib/transcript/written.ts";
import {
  aLoop,
  aModel,
  aTool,
  failing,
  failure,
  rebuilt,
  reply,
  text,
  usage,
} from "#tests/support/a-loop.ts";

// Whatever a model answers and whenever a run is stopped: the conversation stays one that a server takes, the
// transcript says the same as the result, and the counters add up.

const HALF = String.fromCharCode(0xd83d);

const anInput = fc.constantFrom<unknown>({}, {}, { path: "a" }, { path: "b" }, null, [], "x", {
  __malformed_arguments: "{",
});
const aCall: fc.Arbitrary<Block> = fc.record({
  type: fc.constant("tool_use" as const),
  id: fc.constantFrom("", "x", "y", "z"),
  name: fc.constantFrom("read", "read", "page", "send", "change", "broken", "throws", "talk", "nonesuch"),
  input: anInput,
});
const aText = fc.constantFrom("", " ", "Hm.", `A half ${HALF} and more.`).map(text);
const aThought = fc.constant<Block>({ type: "thinking", text: "hm", signature: "s" });

const aReply = fc
  .record({
    content: fc.array(fc.oneof({ weight: 3, arbitrary: aCall }, aText, aThought), { maxLength: 5 }),
    stop: fc.constantFrom<StopReason>("end", "end", "pause", "length", "refusal", "unknown"),
    spent: fc.option(fc.record({ input: fc.nat(400), output: fc.nat(50) }), { freq: 5 }),
    by: fc.constantFrom("test", "test", "spare"),
  })
  .map(({ content, stop, spent, by }) =>
    reply(content, {
      stop,
      usage: spent && usage(spent.input, spent.output),
      malformed: [0],
      by: { provider: by, model: "m" },
    }),
  );
const aFailure = fc.boolean().map((overflow) => failure("down", { overflow }));

const aCase = fc.record({
  answers: fc.array(fc.oneof({ weight: 20, arbitrary: aReply }, { weight: 1, arbitrary: aFailure }), {
    maxLength: 25,
  }),
  start: fc.constantFrom<Message[]>(
    [],
    [{ role: "user", content: [text("before")] }],
    [
      { role: "user", content: [text("before")] },
      { role: "assistant", content: [{ type: "tool_use", id: "x", name: "read", input: {} }] },
    ],
  ),
  stopAt: fc.option(fc.nat(60)),
  over: fc.record({
    permissionMode: fc.constantFrom<PermissionMode>("ask", "allow", "read-only"),
    trifecta: fc.constantFrom<TrifectaPolicy>("block", "ask", "allow"),
    blockSendsAfterPrivate: fc.boolean(),
  }),
  approves: fc.boolean(),
  staged: fc.boolean(),
  limits: fc.record({
    maxTurns: fc.nat(20),
    maxOutputTokens: fc.option(fc.nat(400)),
    compactAtTokens: fc.option(fc.nat(300)),
    compactKeepRecent: fc.nat(4),
    compactValidate: fc.boolean(),
    forceFinalAnswer: fc.boolean(),
    outputBudgetBytes: fc.constant(5000),
  }),
});
type Case = typeof aCase extends fc.Arbitrary<infer T> ? T : never;

const tools = () => [
  aTool("read", { can: { private_data: true }, gives: () => "r".repeat(300) }),
  aTool("page", {
    can: { untrusted_input: true, external_send: true },
    gives: (input) => ({ content: "p", isError: false, fromOutside: JSON.stringify(input) === "{}" }),
  }),
  aTool("send", { readOnly: false, can: { external_send: true } }),
  aTool("change", { readOnly: false, gives: () => "c".repeat(6000) }),
  aTool("broken", { gives: () => failing(`no such thing, ${"and so on ".repeat(40)}`) }),
  aTool("throws", {
    gives: () => {
      throw new Error("boom");
    },
  }),
  aTool("talk"),
];

async function play({ answers, start, stopAt, over, approves, staged, limits }: Case) {
  const controller = new AbortController();
  const events: LoopEvent[] = [];
  const rest: ModelAnswer[] = Array.from({ length: 60 }, () => reply([text("The end.")]));
  const model = aModel([...answers, ...rest]);
  const { parts } = aLoop(model, tools(), {
    ...over,
    limits,
    approve: async () => (approves ? { allow: true } : { allow: false, by: "user", why: "no" }),
    outbox: staged ? { routes: (name) => name === "send", stage: async () => "kept" } : null,
    observe: (event) => {
      if (events.length === stopAt) controller.abort();
      events.push(event);
    },
    signal: controller.signal,
  });
  const before: Conversation = { messages: start, taint: { private: false, untrusted: false } };
  const done = await runLoop(parts, before, "Go.");
  return { before, done, events, model, stopped: controller.signal.aborted };
}

test("a run holds what it promises", { timeout: 120_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(aCase, async (one) => {
      const { before, done, events, model, stopped } = await play(one);
      expect(rebuilt(before, events)).toEqual(done.conversation.messages);
      wellFormed(done.conversation.messages);
      for (const request of model.requests) wellFormed(request.messages);
      addsUp(done, events);
      expect(model.requests.filter(({ purpose }) => purpose === "turn")).toHaveLength(done.outcome.turns);
      expect(done.outcome.turns).toBeLessThanOrEqual(one.limits.maxTurns);
      if (done.outcome.stop_cause === "interrupted") expect(stopped).toBe(true);
      for (const event of events)
        if (event.type === "message") recordLine({ record: "message", ...event.message });
      if (done.failure === null) recordLine({ record: "outcome", ...done.outcome });
    }),
    { numRuns: 1000 },
  );
});

test("the same run again is the same", async () => {
  await fc.assert(
    fc.asyncProperty(aCase, async (one) => {
      const [first, second] = [await play(one), await play(one)];
      expect(second.events).toEqual(first.events);
      expect(second.done).toEqual(first.done);
    }),
    { numRuns: 100 },
  );
});

function wellFormed(messages: readonly Message[]): void {
  const ids: string[] = [];
  for (const [index, { role, content }] of messages.entries()) {
    const previous = messages[index - 1];
    const owed = previous?.role === "assistant" ? callIds(previous) : [];
    const results = content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : []));
    ids.push(...owed);
    // Only a model that paused is asked twice in a row.
    const inTurn = index === 0 ? role === "user" : role === "assistant" || previous?.role === "assistant";
    const held = content.length > 0 && (role === "user" || results.length === 0);
    if (results.join() !== owed.join() || !inTurn || !held)
      throw new Error(`message ${index} may not stand there: ${JSON.stringify(messages, null, 1)}`);
  }
  expect(new Set(ids).size).toBe(ids.length);
  const last = messages.at(-1);
  if (last?.role === "assistant") expect(callIds(last)).toEqual([]);
}

function callIds({ content }: Message): string[] {
  return content.flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}

function addsUp({ outcome, trace, failure: failed, conversation }: RunResult, events: LoopEvent[]): void {
  const fine = trace.filter((entry) => !entry.is_error && !entry.staged && !entry.unknown).length;
  expect(outcome.tool_calls).toBe(fine + outcome.tool_errors + outcome.tool_denied + outcome.tool_staged);
  const finished = events.flatMap((event) => (event.type === "call_finished" ? [event] : []));
  expect(finished.map(({ entry }) => entry)).toEqual(trace);
  expect(events.filter(({ type }) => type === "call_started")).toHaveLength(trace.length);
  expect(outcome.blocked_sends).toBe(finished.filter(({ blocked }) => blocked).length);
  const written = events.flatMap((event) => (event.type === "message" ? callIds(event.message) : []));
  if (outcome.stop_cause === "interrupted") expect(trace.length).toBeLessThanOrEqual(written.length);
  else expect(trace).toHaveLength(written.length);
  expect(outcome.stop_cause === null).toBe(failed !== null);
  expect(outcome.compactions).toBe(events.filter(({ type }) => type === "compacted").length);
  expect(outcome.taint).toEqual(conversation.taint);
  const ran = (name: string) => trace.some((entry) => entry.name === name && !entry.denied);
  if (conversation.taint.private) expect(ran("read")).toBe(true);
  if (conversation.taint.untrusted) expect(ran("page")).toBe(true);
}
