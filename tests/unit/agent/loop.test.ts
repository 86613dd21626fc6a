import { describe, expect, test } from "vitest";
import { runLoop } from "#lib/agent/loop.ts";
import type { Conversation } from "#lib/agent/parts.ts";
import type { Block, Message } from "#lib/transcript/record.ts";
import {
  aLoop,
  aModel,
  aTool,
  failure,
  NEW,
  rebuilt,
  reply,
  text,
  usage,
  use,
} from "#tests/support/a-loop.ts";

const user = (...content: Block[]): Message => ({ role: "user", content });
const assistant = (...content: Block[]): Message => ({ role: "assistant", content });
const result = (id: string, content: string, is_error = false): Block => ({
  type: "tool_result",
  tool_use_id: id,
  content,
  is_error,
});
const from = (...messages: Message[]): Conversation => ({ ...NEW, messages });

describe("the conversation", () => {
  test("is the prompt, each reply and one message with its results; the model reads all of it", async () => {
    const model = aModel([
      reply([text("I look."), use("look", { path: "a" }, "1")]),
      reply([text("It says fine.")]),
    ]);
    const { parts, events } = aLoop(model, [aTool("look")]);
    const { conversation } = await runLoop(parts, NEW, "What does it say?");
    expect(conversation.messages).toEqual([
      user(text("What does it say?")),
      assistant(text("I look."), use("look", { path: "a" }, "1")),
      user(result("1", "fine")),
      assistant(text("It says fine.")),
    ]);
    expect(rebuilt(NEW, events)).toEqual(conversation.messages);
    expect(events.map(({ type }) => type)).toEqual([
      "message",
      "message",
      "call_started",
      "call_finished",
      "message",
      "message",
    ]);
    expect(model.requests[1]).toMatchObject({
      purpose: "turn",
      system: "Be brief.",
      messages: conversation.messages.slice(0, 3),
      tools: [{ name: "look" }],
    });
  });

  test("goes on where another run left it, and neither run's messages are changed", async () => {
    const before = from(user(text("One?")), assistant(text("One.")));
    Object.freeze(before.messages);
    const { parts, events } = aLoop(aModel([reply([text("Two.")])]));
    const { conversation, text: said } = await runLoop(parts, before, "Two?");
    expect(conversation.messages).toEqual([...before.messages, user(text("Two?")), assistant(text("Two."))]);
    expect(said).toBe("Two.");
    expect(events.map(({ type }) => type)).toEqual(["message", "message"]);
  });

  test("a prompt after a message of the user's side joins it, and the transcript is told", async () => {
    const before = from(user(text("One?")));
    const { parts, events } = aLoop(aModel([reply([text("Yes.")])]));
    const { conversation } = await runLoop(parts, before, "Are you there?");
    expect(conversation.messages).toEqual([
      user(text("One?"), text("Are you there?")),
      assistant(text("Yes.")),
    ]);
    expect(events[0]).toEqual({ type: "rewrite", messages: conversation.messages.slice(0, 1) });
    expect(before.messages[0]?.content).toHaveLength(1);
  });

  test("calls that a killed run left without results get some", async () => {
    const before = from(user(text("Go.")), assistant(use("look", {}, "1"), use("look", {}, "2")));
    const { parts, events } = aLoop(aModel([reply([text("Hm.")])]), [aTool("look")]);
    const { conversation } = await runLoop(parts, before, "Go on.");
    const answered = conversation.messages[2]?.content.map((block) =>
      block.type === "tool_result" ? block.tool_use_id : block.type,
    );
    expect(answered).toEqual(["1", "2", "text"]);
    expect(rebuilt(before, events)).toEqual(conversation.messages);
  });

  test("a result that lost its call is no part of it", async () => {
    const before = from(user(text("Go.")), assistant(text("Hm.")), user(result("gone", "x"), text("And?")));
    const { parts, events } = aLoop(aModel([reply([text("Yes.")])]));
    const { conversation } = await runLoop(parts, before, "So?");
    expect(conversation.messages[2]).toEqual(user(text("And?"), text("So?")));
    expect(rebuilt(before, events)).toEqual(conversation.messages);
  });

  test("keeps thinking with its signature, and no empty text", async () => {
    const thinking: Block = { type: "thinking", text: "hm", signature: "s1" };
    const { parts } = aLoop(aModel([reply([thinking, text(""), text("Yes.")])]));
    const { conversation } = await runLoop(parts, NEW, "?");
    expect(conversation.messages[1]).toEqual(assistant(thinking, text("Yes.")));
  });

  test("no two calls have one id", async () => {
    const same = () => reply([use("look", {}, "x"), use("look", {}, "x"), use("look", {}, "")]);
    const before = from(user(text("?")), assistant(use("look", {}, "x")), user(result("x", "old")));
    const { parts, events } = aLoop(aModel([same(), same(), reply([text("Done.")])]), [aTool("look")]);
    const { conversation } = await runLoop(parts, before, "!");
    const ids = conversation.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_use" ? [block.id] : [])),
    );
    expect(ids).toEqual(["x", "x_2", "x_3", "call", "x_4", "x_5", "call_2"]);
    const answered = conversation.messages.flatMap(({ content }) =>
      content.flatMap((block) => (block.type === "tool_result" ? [block.tool_use_id] : [])),
    );
    expect(answered).toEqual(ids);
    const started = events.flatMap((event) => (event.type === "call_started" ? [event.call.id] : []));
    expect(started).toEqual(ids.slice(1));
  });

  test("an image in it is private from the start", async () => {
    const image: Block = { type: "image", media_type: "image/png", data: "AA==" };
    const { parts } = aLoop(aModel([reply([text("A cat.")])]));
    const done = await runLoop(parts, from(user(image, text("What is it?"))), "Well?");
    expect(done.outcome.taint).toEqual({ private: true, untrusted: false });
    expect(done.conversation.taint).toEqual(done.outcome.taint);
  });

  test("taint outlives the run that brought it", async () => {
    const { parts } = aLoop(aModel([reply([text("Hi.")])]));
    const taint = { private: true, untrusted: true };
    expect((await runLoop(parts, { messages: [], taint }, "Hi")).outcome.taint).toEqual(taint);
  });
});

describe("an empty turn", () => {
  test("is not kept; each nudge differs and joins the last message, whole conversations in the transcript", async () => {
    const model = aModel([reply([]), reply([text("  ")]), reply([text("Here.")])]);
    const { parts, events } = aLoop(model);
    const { conversation, text: said } = await runLoop(parts, NEW, "?");
    expect(said).toBe("Here.");
    const [first] = conversation.messages;
    expect(first?.content).toEqual([
      text("?"),
      text("[mecha: your last turn was empty (1 of 3). Write an answer or call a tool.]"),
      text("[mecha: your last turn was empty (2 of 3). Write an answer or call a tool.]"),
    ]);
    expect(conversation.messages).toHaveLength(2);
    expect(events.map(({ type }) => type)).toEqual(["message", "rewrite", "rewrite", "message"]);
    expect(model.requests[1]?.messages[0]?.content).toHaveLength(2);
    expect(rebuilt(NEW, events)).toEqual(conversation.messages);
  });

  test("stops the run after the third retry; a refusal without words is told", async () => {
    const model = aModel([reply([]), reply([]), reply([]), reply([], { stop: "refusal" })]);
    const { parts } = aLoop(model);
    const done = await runLoop(parts, NEW, "?");
    expect(done).toMatchObject({ text: "", refused: true, outcome: { stop_cause: "no_output", turns: 4 } });
    expect(done.conversation.messages).toHaveLength(1);
  });

  test("after a pause that had said it all is no empty turn", async () => {
    const { parts } = aLoop(aModel([reply([text("All.")], { stop: "pause" }), reply([])]));
    const done = await runLoop(parts, NEW, "?");
    expect(done).toMatchObject({ text: "All.", outcome: { stop_cause: "completed", turns: 2 } });
    expect(done.conversation.messages).toHaveLength(2);
  });

  test("a pause with nothing in it is one", async () => {
    const pause = () => reply([], { stop: "pause" });
    const { parts } = aLoop(aModel([pause(), pause(), pause(), pause()]));
    expect((await runLoop(parts, NEW, "?")).outcome.stop_cause).toBe("no_output");
  });
});

describe("at a ceiling", () => {
  test("the last answer is asked for in the message of the last results, without tools", async () => {
    const model = aModel([reply([use("look", {}, "1")]), reply([text("So far: fine.")])]);
    const { parts, events } = aLoop(model, [aTool("look")], { limits: { maxTurns: 1 } });
    const done = await runLoop(parts, NEW, "?");
    expect(done.conversation.messages[2]?.content).toEqual([
      result("1", "fine"),
      text(
        "[mecha: the limit on turns is reached. No tool can be used for this answer. Answer now with what you have found out, and say what is still open.]",
      ),
    ]);
    expect(model.requests[1]).toMatchObject({ purpose: "final", tools: [] });
    expect(events.some(({ type }) => type === "rewrite")).toBe(false);
    expect(done.outcome).toMatchObject({ turns: 1, usage: usage(200, 20), stop_cause: "max_turns" });
  });

  test("a last answer that calls tools all the same is only its words", async () => {
    const model = aModel([reply([text("Words."), use("look")])]);
    const { parts } = aLoop(model, [aTool("look")], { limits: { maxTurns: 0 } });
    const done = await runLoop(parts, NEW, "?");
    expect(done).toMatchObject({ text: "Words.", outcome: { tool_calls: 0, stop_cause: "max_turns" } });
    expect(done.conversation.messages.at(-1)).toEqual(assistant(text("Words.")));
  });

  test("a last answer that does not come is an empty one, and the stop is what it was", async () => {
    const { parts } = aLoop(aModel([reply([])]), [], { limits: { maxTurns: 0 } });
    const done = await runLoop(parts, NEW, "?");
    expect(done).toMatchObject({ text: "", failure: null, outcome: { stop_cause: "max_turns" } });
  });

  test("a provider that fails at the last answer fails the run", async () => {
    const { parts } = aLoop(aModel([failure("HTTP 500")]), [], { limits: { maxTurns: 0 } });
    expect(await runLoop(parts, NEW, "?")).toMatchObject({
      failure: "HTTP 500",
      outcome: { stop_cause: null, exhausted: false },
    });
  });

  test("after a pause the request is a message of its own", async () => {
    const model = aModel([reply([text("Hm, ")], { stop: "pause" }), reply([text("done.")])]);
    const { parts } = aLoop(model, [], { limits: { maxTurns: 1 } });
    const done = await runLoop(parts, NEW, "?");
    expect(done.text).toBe("done.");
    expect(done.conversation.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
  });

  test("turns come before tokens, and tokens before cost", async () => {
    const causes: (string | null)[] = [];
    const all = { maxTurns: 1, maxOutputTokens: 1, maxCostUsd: 0.000001, forceFinalAnswer: false };
    for (const limits of [all, { ...all, maxTurns: 9 }, { ...all, maxTurns: 9, maxOutputTokens: null }]) {
      const model = aModel([reply([use("look")])], { inputPerMtok: 1, outputPerMtok: 1 });
      const { parts } = aLoop(model, [aTool("look")], { limits });
      causes.push((await runLoop(parts, NEW, "?")).outcome.stop_cause);
    }
    expect(causes).toEqual(["max_turns", "output_token_budget", "cost_budget"]);
  });
});

describe("a provider", () => {
  test("that fails leaves the conversation, the counts and one line", async () => {
    const model = aModel([reply([use("look", {}, "1")]), failure("overloaded", { usage: usage(5, 0) })]);
    const { parts, events } = aLoop(model, [aTool("look")]);
    const done = await runLoop(parts, NEW, "?");
    expect(done).toMatchObject({
      failure: "overloaded",
      outcome: { turns: 2, usage: usage(105, 10), usage_complete: true, tool_calls: 1, stop_cause: null },
    });
    expect(rebuilt(NEW, events)).toEqual(done.conversation.messages);
  });

  test("that hands over to another is told before its first message, and told back", async () => {
    const other = { provider: "spare", model: "s" };
    const model = aModel([
      reply([use("look")], { by: other }),
      reply([use("look")], { by: other }),
      reply([text("Hi.")]),
    ]);
    const { parts, events } = aLoop(model, [aTool("look")]);
    await runLoop(parts, NEW, "?");
    const told = events.flatMap((event) => (event.type === "answerer" ? [event.answerer.provider] : []));
    expect(told).toEqual(["spare", "test"]);
    expect(events.map(({ type }) => type).slice(0, 3)).toEqual(["message", "answerer", "message"]);
  });

  test.each([null, usage(Number.NaN, 1), usage(-1, 1), usage(0.5, 1)])(
    "that tells no usable usage (%o) leaves a lower bound",
    async (told) => {
      const { parts } = aLoop(aModel([reply([text("Hi.")], { usage: told })]));
      expect((await runLoop(parts, NEW, "?")).outcome).toMatchObject({
        usage: usage(0, 0),
        usage_complete: false,
      });
    },
  );

  test("streams what the person reads", async () => {
    const model = aModel([
      (_, watch) => {
        watch.onText("H");
        watch.onText("i.");
        watch.onNote("asked again");
        return reply([text("Hi.")]);
      },
    ]);
    const { parts, events } = aLoop(model);
    await runLoop(parts, NEW, "?");
    expect(events.slice(1, 4)).toEqual([
      { type: "text", delta: "H" },
      { type: "text", delta: "i." },
      { type: "note", text: "asked again" },
    ]);
  });
});

test("a transcript that cannot be written ends the run with its own error", async () => {
  const model = aModel([reply([text("Hi.")])]);
  const { parts } = aLoop(model, [], {
    observe: () => {
      throw new Error("disk full");
    },
  });
  await expect(runLoop(parts, NEW, "?")).rejects.toThrow("disk full");
  expect(model.requests).toHaveLength(0);
});
