import { describe, expect, test } from "vitest";
import type { ModelAnswer, ModelRequest } from "#lib/agent/model.ts";
import { builtInScripts } from "#lib/agent/providers/built-in-scripts.ts";
import { parseScript } from "#lib/agent/providers/parse-script.ts";
import { scriptedModel } from "#lib/agent/providers/scripted.ts";
import { sleep } from "#lib/agent/providers/sleep.io.ts";
import type { Sleep } from "#lib/agent/providers/sleep.ts";
import { aRequest, aTool, aWatch, results, user } from "#tests/support/a-request.ts";

const slept: number[] = [];
const noSleep: Sleep = async (ms) => void slept.push(ms);

function modelOf(script: object, how: Sleep = noSleep) {
  const parsed = parseScript(JSON.stringify({ name: "test", ...script }), "test.json");
  if (!parsed.ok) throw new Error(parsed.problem);
  return scriptedModel({
    provider: "scripted",
    model: "test",
    script: parsed.value,
    sleep: how,
    prices: null,
    contextWindow: null,
  });
}

async function texts(model: ReturnType<typeof modelOf>, requests: readonly ModelRequest[]) {
  const said: string[] = [];
  for (const request of requests) said.push(textOf(await model.ask(request, aWatch())));
  return said;
}

function textOf(answer: ModelAnswer): string {
  if (answer.kind === "failure") return `failure: ${answer.problem}`;
  return answer.content.flatMap((block) => (block.type === "text" ? [block.text] : [])).join("");
}

describe("which step answers", () => {
  test("each rule goes through its steps, and the next one follows", async () => {
    const model = modelOf({
      rules: [
        { when: { prompt_is: "a" }, steps: [{ text: "a1" }, { text: "a2" }] },
        { when: { prompt_contains: "b" }, steps: [{ text: "b1" }] },
        { steps: [{ text: "rest" }] },
      ],
    });
    const asked = ["a", "xbx", "a", "a", "b"].map((text) => aRequest({ messages: [user(text)] }));
    expect(await texts(model, asked)).toEqual([
      "a1",
      "b1",
      "a2",
      "rest",
      'failure: the script "test" has no answer left for turn 5 (prompt "b")',
    ]);
  });

  test("a rule that repeats starts over; otherwise never runs out and answers any purpose", async () => {
    const model = modelOf({
      rules: [
        { when: { prompt_is: "a" }, steps: [{ text: "1" }, { text: "2" }], repeat: true },
        { when: { purpose: "summary" }, steps: [{ text: "sum" }] },
      ],
      otherwise: { text: "else" },
    });
    const a = aRequest({ messages: [user("a")] });
    const asked = [a, a, a, { ...a, purpose: "summary" as const }, { ...a, purpose: "summary" as const }];
    expect(await texts(model, asked)).toEqual(["1", "2", "1", "sum", "else"]);
  });

  const history = [user("old"), user("do it"), results("fine", { error: "no such file" })];
  const holding: [string, object, Partial<ModelRequest>, boolean][] = [
    ["a result", { last_result_contains: "such" }, { messages: history }, true],
    ["another result", { last_result_contains: "fine" }, { messages: history }, false],
    ["an error", { last_result_is_error: true }, { messages: history }, true],
    ["no error", { last_result_is_error: false }, { messages: history }, false],
    ["no result", { last_result_is_error: false }, { messages: [user("a")] }, false],
    ["how many results", { results: 2 }, { messages: history }, true],
    ["no results yet", { results: 0 }, { messages: [...history, user("next")] }, true],
    ["the prompt under results", { prompt_is: "do it" }, { messages: history }, true],
    ["a tool", { tool_available: "fs_read" }, { tools: [aTool("fs_read")] }, true],
    ["a missing tool", { tool_available: "fs_read" }, { tools: [aTool("fs_list")] }, false],
    ["the system prompt", { seen_contains: "terse" }, { system: "Be terse." }, true],
    ["an old message", { seen_contains: "old" }, { messages: history }, true],
    ["nothing seen", { seen_contains: "new" }, { messages: history }, false],
    ["the first turn", { turn: 1 }, {}, true],
    ["the second turn", { turn: 2 }, {}, false],
    ["a file", { last_result_has_file: true }, { messages: [user("a"), results("src/\nREADME.md")] }, true],
    ["no file", { last_result_has_file: false }, { messages: [user("a"), results("src/")] }, true],
    ["another purpose", {}, { purpose: "judge" }, false],
  ];
  test.each(holding)("a condition on %s", async (_, when, over, holds) => {
    const model = modelOf({ rules: [{ when, steps: [{ text: "yes" }] }], otherwise: { text: "no" } });
    expect(await texts(model, [aRequest(over)])).toEqual([holds ? "yes" : "no"]);
  });

  test("what the program adds to the messages is no new prompt", async () => {
    const added = { type: "text" as const, text: "Please go on." };
    const first = { ...user("a"), content: [...user("a").content, added] };
    const second = { ...results("x"), content: [...results("x").content, added] };
    const model = modelOf({ rules: [{ when: { prompt_is: "a" }, steps: [{ text: "yes" }], repeat: true }] });
    const asked = [aRequest({ messages: [first] }), aRequest({ messages: [user("a"), second] })];
    expect(await texts(model, asked)).toEqual(["yes", "yes"]);
  });
});

describe("an answer", () => {
  const steps = (...list: object[]) => ({ rules: [{ steps: list }] });

  test("is told by the word and holds thinking, text and calls, the malformed ones named", async () => {
    const calls = [
      { tool: "a", input: { path: "{{prompt}}", deep: [{ x: "{{last_result_line:2}}" }] } },
      { tool: "b", arguments: '{"path": ' },
      { tool: "c", arguments: " " },
      { tool: "d", arguments: "[1]", id: "call_1" },
    ];
    const watch = aWatch();
    const request = aRequest({ messages: [user("go"), results("one\ntwo\nthree")] });
    const answer = await modelOf(steps({ text: "I look: {{first_file}}", thinking: "hm", calls })).ask(
      request,
      watch,
    );
    expect(answer).toEqual({
      kind: "reply",
      content: [
        { type: "thinking", text: "hm" },
        { type: "text", text: "I look: one" },
        { type: "tool_use", id: "call_1", name: "a", input: { path: "go", deep: [{ x: "two" }] } },
        { type: "tool_use", id: "call_2", name: "b", input: { __malformed_arguments: '{"path": ' } },
        { type: "tool_use", id: "call_3", name: "c", input: {} },
        { type: "tool_use", id: "call_1", name: "d", input: [1] },
      ],
      malformed: [3],
      sources: new Map([
        [2, '{"path":"go","deep":[{"x":"two"}]}'],
        [3, '{"path": '],
        [4, " "],
        [5, "[1]"],
      ]),
      stop: "tool_calls",
      usage: {
        input_tokens: 4,
        output_tokens: 16,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
      },
      answeredBy: { provider: "scripted", model: "test" },
    });
    expect(watch.texts).toEqual(["I ", "look: ", "one"]);
  });

  test("what a placeholder brings in is text: it holds no placeholders, and it is bounded", async () => {
    const model = modelOf(steps({ text: "{{last_result}}|{{nothing}}|{{last_result_line:9}}" }));
    const long = `{{prompt}}${"x".repeat(30_000)}`;
    const [said] = await texts(model, [aRequest({ messages: [user("p"), results(long)] })]);
    expect(said).toBe(`${long.slice(0, 20_000)}|{{nothing}}|`);
  });

  test("its stop and usage are the script's; null means that nobody said", async () => {
    const usage = {
      input_tokens: 7,
      output_tokens: 1,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 2,
    };
    const model = modelOf(steps({ usage, stop: "pause" }, { text: "x", usage: null, stop: "refusal" }));
    expect(await model.ask(aRequest(), aWatch())).toMatchObject({ content: [], usage, stop: "pause" });
    expect(await model.ask(aRequest(), aWatch())).toMatchObject({ usage: null, stop: "refusal" });
  });

  test("estimated usage grows with the conversation", async () => {
    const model = modelOf({ otherwise: { text: "ok" } });
    const inputs: unknown[] = [];
    for (const text of ["a", "a".repeat(400), "é".repeat(400)]) {
      const answer = await model.ask(aRequest({ messages: [user(text)] }), aWatch());
      inputs.push(answer.usage?.input_tokens);
    }
    expect(inputs).toEqual([1, 100, 200]);
  });

  test("fails as often as it says, after the text it has", async () => {
    const fail = { problem: "busy", transient: true, retry_after_ms: 10, times: 2 };
    const model = modelOf(steps({ text: "half", fail }, { text: "done" }));
    const failure = {
      kind: "failure",
      problem: "busy",
      overflow: false,
      transient: true,
      retryAfterMs: 10,
      usage: null,
    };
    const watch = aWatch();
    expect(await model.ask(aRequest(), watch)).toEqual(failure);
    expect(watch.texts).toEqual(["half"]);
    expect(await model.ask(aRequest(), aWatch())).toEqual(failure);
    expect(await texts(model, [aRequest()])).toEqual(["done"]);
  });

  test("waits as long as its script says", async () => {
    slept.length = 0;
    await modelOf(steps({ text: "a b", delay_ms: 50, chunk_delay_ms: 5 })).ask(aRequest(), aWatch());
    expect(slept).toEqual([50, 5, 5]);
  });
});

describe("an abort", () => {
  test("before anything", async () => {
    const answer = await modelOf({ otherwise: {} }).ask(aRequest(), aWatch(AbortSignal.abort()));
    expect(answer).toEqual({ kind: "aborted", content: [], usage: null });
  });

  test("during a delay", async () => {
    const controller = new AbortController();
    const asked = modelOf({ otherwise: { delay_ms: 60_000 } }, sleep).ask(
      aRequest(),
      aWatch(controller.signal),
    );
    controller.abort();
    expect(await asked).toEqual({ kind: "aborted", content: [], usage: null });
  });

  test.each([
    { endless: true, text: "on and " },
    { text: "on and on", calls: [{ tool: "a" }] },
  ])("in the middle of %j: what was told is kept", async (step) => {
    const controller = new AbortController();
    const watch = aWatch(controller.signal);
    const told = (delta: string) => {
      watch.texts.push(delta);
      if (watch.texts.length === 2) controller.abort();
    };
    const model = modelOf({ otherwise: { chunk_delay_ms: 1, ...step } }, sleep);
    const answer = await model.ask(aRequest(), { ...watch, onText: told });
    expect(answer).toMatchObject({ kind: "aborted", content: [{ type: "text", text: "on and " }] });
  });
});

describe("the built-in model", () => {
  const tools = [aTool("fs_list"), aTool("fs_read")];
  const builtIn = async () => {
    const script = await builtInScripts.get("scripted")?.();
    if (script === undefined) throw new Error("not there");
    const parts = { provider: "scripted", model: "scripted", prices: null, contextWindow: null };
    return scriptedModel({ ...parts, script, sleep: noSleep });
  };

  test("lists, reads the first file and says what it saw, for each prompt anew", async () => {
    const model = await builtIn();
    for (const prompt of ["one", "two"]) {
      const start = [user("earlier"), results("x"), user(prompt)];
      expect(await model.ask(aRequest({ tools, messages: start }), aWatch())).toMatchObject({
        content: [{ type: "text" }, { type: "tool_use", name: "fs_list", input: {} }],
      });
      const listed = [...start, results("docs/\nREADME.md\nsrc/")];
      expect(await model.ask(aRequest({ tools, messages: listed }), aWatch())).toMatchObject({
        content: [{ type: "text" }, { type: "tool_use", name: "fs_read", input: { path: "README.md" } }],
      });
      const read = [...listed, results("# Title\nmore")];
      expect(await texts(model, [aRequest({ tools, messages: read })])).toEqual([
        "I listed the workspace and read its first file. It begins with: # Title",
      ]);
    }
  });

  const ends: [string, Partial<ModelRequest>, RegExp][] = [
    ["without tools", {}, /no tool to look at the workspace/],
    ["without files", { tools, messages: [user("a"), results("src/")] }, /holds no file/],
    [
      "where listing failed",
      { tools, messages: [user("a"), results({ error: "no" })] },
      /could not list.*: no/,
    ],
    [
      "where reading failed",
      { tools, messages: [user("a"), results("x", { error: "no" })] },
      /not read.*: no/,
    ],
    ["without fs_read", { tools: tools.slice(0, 1), messages: [user("a"), results("x")] }, /no tool to read/],
    ["when asked for a last answer", { purpose: "final" }, /scripted model/],
  ];
  test.each(ends)("%s it says so", async (_, over, pattern) => {
    expect((await texts(await builtIn(), [aRequest(over)]))[0]).toMatch(pattern);
  });
});
