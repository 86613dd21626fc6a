import { describe, expect, test } from "vitest";
import { type PassRules, shortenResults } from "#lib/agent/compact-passes.ts";
import { cutIndex, omissionsOf } from "#lib/agent/compact-summary.ts";
import { runLoop } from "#lib/agent/loop.ts";
import type { Tool } from "#lib/agent/tool.ts";
import type { Block, Message } from "#lib/transcript/record.ts";
import {
  type Answering,
  aLoop,
  aModel,
  aTool,
  failing,
  failure,
  NEW,
  rebuilt,
  reply,
  resultsIn,
  text,
  usage,
  use,
} from "#tests/support/a-loop.ts";

const long = (word: string) => `${word} `.repeat(200).trim();

/** Calls, each with its result. */
function history(...calls: [string, unknown, string, "error"?][]): Message[] {
  return calls.flatMap(([name, input, content, error], n): Message[] => [
    { role: "assistant", content: [{ type: "tool_use", id: `c${n}`, name, input }] },
    {
      role: "user",
      content: [{ type: "tool_result", tool_use_id: `c${n}`, content, is_error: error === "error" }],
    },
  ]);
}

const rules = (over: Partial<PassRules> = {}): PassRules => ({
  isRead: (name) => name === "read",
  wholeFrom: 0,
  ...over,
});
const contents = (messages: readonly Message[]) => resultsIn(messages).map(({ content }) => content);

describe("results that may go", () => {
  test("a read that was done again later, whatever the order of its arguments", () => {
    const messages = history(
      ["read", { a: 1, b: 2 }, long("old")],
      ["read", { a: 1 }, long("other")],
      ["read", { b: 2, a: 1 }, long("new")],
    );
    expect(contents(shortenResults(messages, rules()))).toEqual([
      "[stale: read was called again later with the same arguments]",
      long("other"),
      long("new"),
    ]);
  });

  test("no read for one that was cut off", () => {
    const cutOff = "Interrupted: the run was stopped before this call was made.";
    const messages = history(["read", {}, long("old")], ["read", {}, cutOff]);
    expect(shortenResults(messages, rules())).toBe(messages);
  });

  test("no read for one that failed, and no call that changes something", () => {
    const messages = history(
      ["read", {}, long("old")],
      ["read", {}, long("gone"), "error"],
      ["write", {}, long("done")],
      ["write", {}, long("done")],
    );
    expect(shortenResults(messages, rules())).toBe(messages);
  });

  test("of equal failures all but the last", () => {
    const messages = history(
      ["x", {}, long("no"), "error"],
      ["x", {}, long("other"), "error"],
      ["x", {}, long("no"), "error"],
    );
    expect(contents(shortenResults(messages, rules()))).toEqual([
      "[repeat: x failed again later in just the same way]",
      long("other"),
      long("no"),
    ]);
  });

  test("no denial, however often it was said", () => {
    const denied = `Denied by the user: ${long("no")}`;
    const messages = history(["x", {}, denied, "error"], ["x", {}, denied, "error"]);
    expect(shortenResults(messages, rules())).toBe(messages);
  });

  test("the rest of older ones; no half character is left", () => {
    const messages = history(["x", {}, `${"a".repeat(239)}${"😀".repeat(50)}`], ["x", {}, long("new")]);
    const [old, recent] = contents(shortenResults(messages, rules({ wholeFrom: 2 })));
    expect(old).toBe(`${"a".repeat(239)}\n[truncated: 100 characters left out]`);
    expect(recent).toBe(long("new"));
  });

  test("a result of 240 characters stays", () => {
    const messages = history(["x", {}, "a".repeat(240)], ["y", {}, "a".repeat(241)]);
    const [whole, cut] = contents(shortenResults(messages, rules({ wholeFrom: 9 })));
    expect(whole).toHaveLength(240);
    expect(cut).toBe(`${"a".repeat(240)}\n[truncated: 1 characters left out]`);
  });

  test("nothing the second time", () => {
    const messages = history(
      ["read", {}, long("a")],
      ["read", {}, long("b")],
      ["x", {}, long("no"), "error"],
      ["x", {}, long("no"), "error"],
    );
    const once = shortenResults(messages, rules({ wholeFrom: 99 }));
    expect(once).not.toBe(messages);
    expect(shortenResults(once, rules({ wholeFrom: 99 }))).toBe(once);
  });

  test("nothing of what is not worth its marker", () => {
    const messages = history(
      ["read", {}, "a"],
      ["read", {}, "b"],
      ["x", {}, "no", "error"],
      ["x", {}, "no", "error"],
    );
    expect(shortenResults(messages, rules({ wholeFrom: 99 }))).toBe(messages);
  });
});

describe("where a summary ends", () => {
  const roles = (pattern: string): Message[] =>
    [...pattern].map((role) => ({ role: role === "a" ? "assistant" : "user", content: [] }));
  test.each([
    ["uauauauau", 2, 7],
    ["uauauauau", 3, 7],
    ["uauauauau", 4, 5],
    ["uauauauau", 5, 5],
    ["uauauauau", 6, null],
    ["uauauauau", 0, 7],
    ["uauauauaua", 0, 9],
    ["uauauauau", 1, 7],
    ["uauauau", 1, 5],
    ["uauau", 1, null],
    ["uauauaaau", 3, 6],
    ["uuuuuuuu", 2, null],
    ["", 6, null],
  ])("%s, %d kept: %s", (pattern, keep, cut) => {
    expect(cutIndex(roles(pattern), keep)).toBe(cut);
  });
});

test.each([
  ["NONE", null],
  ["none.", null],
  [" **None** \n", null],
  ["", null],
  ["None of the figures are there", "None of the figures are there"],
  ["- the port", "- the port"],
])("a validator that says %j", (said, omissions) => {
  expect(omissionsOf(said)).toBe(omissions);
});

const KEEP = { compactAtTokens: 100, compactKeepRecent: 2 };

type Over = Parameters<typeof aLoop>[2] & { start?: readonly Message[]; tool?: Tool; looks?: number };

/** A run whose every request is at the limit: as many calls as it takes, then these answers to what comes next. */
async function full(
  answers: Answering[],
  { start = [], tool = aTool("look"), looks = 3, ...over }: Over = {},
) {
  const calls = Array.from({ length: looks }, (_, n) => reply([use("look", { n }, `l${n}`)]));
  const model = aModel([...calls, ...answers]);
  const { parts, events } = aLoop(model, [tool], { ...over, limits: { ...KEEP, ...over.limits } });
  const done = await runLoop(parts, { ...NEW, messages: start }, "The task.");
  expect(rebuilt({ ...NEW, messages: start }, events)).toEqual(done.conversation.messages);
  const after = model.requests.slice(looks);
  return { done, after, events, purposes: after.map(({ purpose }) => purpose) };
}

const words = (message: Message | undefined) =>
  (message?.content ?? []).map((block: Block) => (block.type === "text" ? block.text : block.type));

describe("a summary", () => {
  test("is made as well where one message is to be kept: the newest call stays with its result", async () => {
    const { done, purposes } = await full(
      [reply([text("Notes.")]), reply([text("Done.")], { usage: usage(1, 1) })],
      { limits: { compactKeepRecent: 1 } },
    );
    expect(purposes).toEqual(["summary", "turn"]);
    expect(done.outcome.compactions).toBe(1);
    expect(done.conversation.messages.map(({ role }) => role)).toEqual([
      "user",
      "assistant",
      "user",
      "assistant",
    ]);
  });

  test("takes the place of the older part, after the task and before what is carried", async () => {
    const { done, after, events, purposes } = await full(
      [reply([text("Notes.")]), reply([text("Done.")], { usage: usage(1, 1) })],
      { carry: () => "- buy milk" },
    );
    expect(purposes).toEqual(["summary", "turn"]);
    expect(done.outcome).toMatchObject({ compactions: 1, turns: 4, usage: usage(401, 41) });
    const [first, second, third, last] = done.conversation.messages;
    expect(words(first)).toEqual([
      "The task.",
      "[mecha: what has happened so far, in short; the messages themselves are gone]\nNotes.",
      "[mecha: kept beside the messages]\n- buy milk",
    ]);
    expect(second?.content).toMatchObject([{ type: "tool_use", id: "l2" }]);
    expect(third?.content).toMatchObject([{ type: "tool_result", tool_use_id: "l2" }]);
    expect(words(last)).toEqual(["Done."]);
    expect(events.filter(({ type }) => type === "rewrite" || type === "compacted")).toMatchObject([
      { type: "rewrite" },
      { type: "compacted", messagesBefore: 7, messagesAfter: 3 },
    ]);
    const asked = after[0];
    expect(asked?.tools).toEqual([]);
    expect(asked?.messages).toHaveLength(1);
    expect(words(asked?.messages[0])[0]).toContain('<call of look>\n{"n":1}\n\n<result>\nfine');
    expect(words(asked?.messages[0])[0]).not.toContain('{"n":2}');
  });

  test("of a conversation with one: the old notes are noted, not kept", async () => {
    const start: Message[] = [
      {
        role: "user",
        content: [text("First task."), text("[mecha: what has happened so far, in short]\nOld notes.")],
      },
      { role: "assistant", content: [text("Yes.")] },
    ];
    const { done, after } = await full([reply([text("New notes.")]), reply([text("Done.")])], {
      start,
      looks: 2,
    });
    expect(words(after[0]?.messages[0])[0]).toContain("Old notes.");
    expect(words(done.conversation.messages[0])).toEqual([
      "First task.",
      "[mecha: the latest request, word for word]\nThe task.",
      "[mecha: what has happened so far, in short; the messages themselves are gone]\nNew notes.",
    ]);
  });

  test("is checked once and written again once", async () => {
    const { done, after, purposes } = await full(
      [
        reply([text("Notes.")]),
        reply([text("- the port")]),
        reply([text("Notes, port 80.")]),
        reply([text("Done.")]),
      ],
      { limits: { compactValidate: true } },
    );
    expect(purposes).toEqual(["summary", "validate", "summary", "turn"]);
    expect(words(after[2]?.messages[0])[0]).toContain("- the port");
    expect(words(done.conversation.messages[0])[1]).toContain("Notes, port 80.");
    expect(done.outcome).toMatchObject({ compactions: 1, turns: 4, usage: usage(700, 70) });
  });

  test("that lacks nothing is not written again; a check that fails is no check", async () => {
    const limits = { compactValidate: true };
    const good = await full([reply([text("Notes.")]), reply([text("NONE")]), reply([text("Done.")])], {
      limits,
    });
    expect(good.purposes).toEqual(["summary", "validate", "turn"]);
    const failed = await full([reply([text("Notes.")]), failure("down"), reply([text("Done.")])], { limits });
    expect(failed.purposes).toEqual(["summary", "validate", "turn"]);
    expect(failed.done.outcome).toMatchObject({ compactions: 1, usage_complete: false });
  });

  test.each([
    ["failed", failure("down")],
    ["was empty", reply([text(" ")])],
    ["was refused", reply([text("I cannot.")], { stop: "refusal" })],
  ])("that %s is not tried again in this run", async (_, answer) => {
    const { done, purposes, events } = await full([
      answer,
      reply([use("look", { n: 5 })]),
      reply([text("Done.")]),
    ]);
    expect(purposes).toEqual(["summary", "turn", "turn"]);
    expect(done.outcome).toMatchObject({ compactions: 0, stop_cause: "completed" });
    expect(done.refused).toBe(false);
    expect(events.filter(({ type }) => type === "note")).toHaveLength(1);
  });

  test("that was cut off says so, to the model and to the person", async () => {
    const { done, events } = await full([
      reply([text("Goal: a tab")], { stop: "length" }),
      reply([text("Done.")]),
    ]);
    expect(done.outcome).toMatchObject({ compactions: 1, stop_cause: "completed" });
    expect(words(done.conversation.messages[0])[1]).toMatch(
      /\nGoal: a tab\n\[mecha: the notes were cut off here, .*\]$/,
    );
    expect(events.filter(({ type }) => type === "note")).toEqual([
      { type: "note", text: "the summary of the conversation was cut off at the limit of one answer" },
    ]);
  });

  test("is not streamed to the person", async () => {
    const streamed: Answering = (_, watch) => {
      watch.onText("No");
      return reply([text("Notes.")]);
    };
    const { events } = await full([streamed, reply([text("Done.")])]);
    expect(events.filter(({ type }) => type === "text")).toEqual([]);
  });

  test("spends tokens, and the budget is looked at before the next turn", async () => {
    const { done, purposes } = await full([reply([text("Notes.")]), reply([text("So far.")])], {
      limits: { maxOutputTokens: 35 },
    });
    expect(purposes).toEqual(["summary", "final"]);
    expect(done.outcome.stop_cause).toBe("output_token_budget");
  });

  test("is not made of too little: results are shortened all the same", async () => {
    const tool = aTool("look", { gives: () => long("text") });
    const { done, purposes, events } = await full([reply([text("Done.")])], {
      limits: { compactKeepRecent: 9 },
      tool,
    });
    expect(purposes).toEqual(["turn"]);
    expect(done.outcome.compactions).toBe(0);
    expect(events.some(({ type }) => type === "compacted")).toBe(false);
  });
});

test("a conversation below the limit is left alone, and so is one whose size nobody told", async () => {
  for (const told of [usage(99, 1), null]) {
    const looks = Array.from({ length: 6 }, (_, n) => reply([use("look", { n })], { usage: told }));
    const { parts, events } = aLoop(aModel([...looks, reply([text("Done.")])]), [aTool("look")], {
      limits: KEEP,
    });
    await runLoop(parts, NEW, "?");
    expect(events.some(({ type }) => type === "rewrite")).toBe(false);
  }
});

test("cached input counts as input", async () => {
  const cached = { ...usage(1, 1), cache_read_input_tokens: 50, cache_creation_input_tokens: 49 };
  const looks = Array.from({ length: 3 }, (_, n) => reply([use("look", { n })], { usage: cached }));
  const model = aModel([...looks, reply([text("Notes.")]), reply([text("Done.")])]);
  const { parts } = aLoop(model, [aTool("look")], { limits: KEEP });
  expect((await runLoop(parts, NEW, "?")).outcome.compactions).toBe(1);
});

describe("a request that was too large", () => {
  const tooLarge = () => failure("context length exceeded", { overflow: true });
  const big = () => aTool("look", { gives: () => long("text") });

  test("is asked again after every result was thinned", async () => {
    const model = aModel([reply([use("look")]), tooLarge(), reply([text("Done.")])]);
    const { parts, events } = aLoop(model, [big()]);
    const done = await runLoop(parts, NEW, "?");
    expect(done).toMatchObject({ failure: null, text: "Done.", outcome: { turns: 3, compactions: 0 } });
    expect(resultsIn(model.requests[2]?.messages ?? [])[0]?.content).toMatch(
      /\[truncated: \d+ characters left out\]$/,
    );
    expect(rebuilt(NEW, events)).toEqual(done.conversation.messages);
  });

  test("is asked again once, and once more after an answer has come", async () => {
    const looks = Array.from({ length: 4 }, (_, n) => reply([use("look", { n })]));
    const twice = aModel([...looks, tooLarge(), tooLarge()]);
    const keepFew = { limits: { compactKeepRecent: 2 } };
    expect(await runLoop(aLoop(twice, [big()], keepFew).parts, NEW, "?")).toMatchObject({
      failure: "context length exceeded",
      outcome: { turns: 6, compactions: 0 },
    });
    const apart = aModel([
      reply([use("look")]),
      tooLarge(),
      reply([use("look")]),
      tooLarge(),
      reply([text("Done.")]),
    ]);
    expect(await runLoop(aLoop(apart, [big()]).parts, NEW, "?")).toMatchObject({
      failure: null,
      text: "Done.",
    });
  });

  test("with nothing to thin gets a summary, and without that fails", async () => {
    const looks = Array.from({ length: 4 }, (_, n) => reply([use("look", { n })]));
    const model = aModel([...looks, tooLarge(), reply([text("Notes.")]), reply([text("Done.")])]);
    const { parts } = aLoop(model, [aTool("look")], { limits: { compactKeepRecent: 2 } });
    expect(await runLoop(parts, NEW, "?")).toMatchObject({ failure: null, outcome: { compactions: 1 } });
    const short = aModel([tooLarge()]);
    expect((await runLoop(aLoop(short).parts, NEW, "?")).failure).toBe("context length exceeded");
  });

  test("for the last answer is asked again too", async () => {
    const model = aModel([reply([use("look")]), tooLarge(), reply([text("So far.")])]);
    const { parts } = aLoop(model, [big()], { limits: { maxTurns: 1 } });
    const done = await runLoop(parts, NEW, "?");
    expect(done).toMatchObject({ text: "So far.", outcome: { stop_cause: "max_turns", turns: 1 } });
  });
});

describe("the loop guard", () => {
  const again = () => reply([use("look", { n: "same" })], { usage: usage(1, 1) });

  test("is asleep before a summary", async () => {
    const model = aModel([again(), again(), again(), reply([text("Done.")])]);
    const { parts } = aLoop(model, [aTool("look")]);
    expect((await runLoop(parts, NEW, "?")).outcome.stop_cause).toBe("completed");
  });

  test("ends a run that does the same again after one", async () => {
    const { done, purposes } = await full([
      reply([text("Notes.")]),
      again(),
      again(),
      reply([text("In circles.")]),
    ]);
    expect(purposes).toEqual(["summary", "turn", "turn", "final"]);
    expect(done).toMatchObject({ text: "In circles.", outcome: { stop_cause: "loop", exhausted: false } });
  });

  test("does not mind the same call with another result, and can be turned off", async () => {
    let n = 0;
    const counting = aTool("look", { gives: () => failing(`${++n}`) });
    const other = await full([reply([text("Notes.")]), again(), again(), reply([text("Done.")])], {
      tool: counting,
    });
    expect(other.done.outcome.stop_cause).toBe("completed");
    const off = await full([reply([text("Notes.")]), again(), again(), reply([text("Done.")])], {
      limits: { loopGuard: false },
    });
    expect(off.done.outcome.stop_cause).toBe("completed");
  });
});
