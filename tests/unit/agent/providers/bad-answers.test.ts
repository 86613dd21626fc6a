import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Model } from "#lib/agent/model.ts";
import { postForEvents } from "#lib/agent/providers/post.io.ts";
import { aRequest, aWatch } from "#tests/support/a-request.ts";
import { badAnswers, PIECES, page, refuses, sends } from "#tests/support/bad-answers.ts";
import { anthropicEvent } from "#tests/support/fake-anthropic.ts";
import { openaiDelta, openaiEvent } from "#tests/support/fake-openai.ts";
import { type FakeServer, type Handler, openStream, startServer } from "#tests/support/fake-server.ts";
import { HTTP_KINDS, KEY, modelAt } from "#tests/support/three-models.ts";

let fake: FakeServer;
beforeAll(async () => {
  fake = await startServer((_, response) => response.destroy());
});
afterAll(() => fake.close());

async function answered(model: Model, handler: Handler) {
  fake.instead.push(handler);
  return await model.ask(aRequest(), aWatch());
}

describe.each(HTTP_KINDS)("%s", (kind) => {
  const of = PIECES[kind];
  test.each(Object.entries(badAnswers(of)))("%s is one clear line", async (_, { answer, expected }) => {
    const given = await answered(await modelAt(kind, fake.url), answer);
    expect(given).toMatchObject({
      kind: "failure",
      problem: expect.stringMatching(expected.problem),
      transient: expected.transient ?? false,
      overflow: expected.overflow ?? false,
      retryAfterMs: expected.retryAfterMs ?? null,
    });
    const problem = given.kind === "failure" ? given.problem : "";
    expect(problem).toMatch(/^127\.0\.0\.1:\d+: [\x20-\x7e…]{1,320}$/);
    expect(problem).not.toContain(KEY);
  });

  test("a server that is not there", async () => {
    const gone = await startServer(() => undefined);
    await gone.close();
    expect(await (await modelAt(kind, gone.url)).ask(aRequest(), aWatch())).toMatchObject({
      kind: "failure",
      problem: expect.stringMatching(/^127\.0\.0\.1:\d+: no server is listening there$/),
      transient: true,
    });
  });

  test("large arguments that are still allowed arrive whole, malformed ones too", async () => {
    const text = `{"text": "${"ü".repeat(2 * 1024 * 1024)}`;
    const given = await answered(await modelAt(kind, fake.url), sends(of.start, of.call("c", text), of.end));
    expect(given).toMatchObject({
      kind: "reply",
      content: [{ input: { __malformed_arguments: text } }],
      malformed: [0],
      stop: "tool_calls",
    });
  });

  test("a stop that nobody knows, line ends of another kind, remarks and fields that mean nothing", async () => {
    const strange = [
      ": remark\r\n",
      "retry: 5\r\n",
      "\r\n",
      of.start,
      of.text("Hi").replaceAll("\n", "\r\n"),
    ];
    const end = of.end.replace("end_turn", "odd").replace('"stop"', '"odd"').replaceAll("\n", "\r\n");
    const given = await answered(await modelAt(kind, fake.url), sends(...strange, end));
    expect(given).toMatchObject({ kind: "reply", stop: "unknown", content: [{ text: "Hi" }], usage: null });
  });

  test("a byte order mark before the first event", async () => {
    const handler = sends(`\uFEFF${of.start}`, of.text("Hi"), of.end);
    const given = await answered(await modelAt(kind, fake.url), handler);
    expect(given).toMatchObject({ kind: "reply", content: [{ text: "Hi" }] });
  });

  test("a connection that stays open after the end", async () => {
    const given = await answered(await modelAt(kind, fake.url), (_, response) => {
      openStream(response);
      response.write(of.start + of.text("Hi") + of.end);
    });
    expect(given).toMatchObject({ kind: "reply", content: [{ text: "Hi" }] });
  });

  test("characters that are cut in two by the network", async () => {
    const bytes = Buffer.from(of.start + of.text("wörld 🎉") + of.end);
    const given = await answered(await modelAt(kind, fake.url), async (_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const byte of bytes) {
        response.write(Buffer.from([byte]));
        if (byte > 127) await new Promise((resolve) => setTimeout(resolve, 2));
      }
      response.end();
    });
    expect(given).toMatchObject({ kind: "reply", content: [{ type: "text", text: "wörld 🎉" }] });
  });
});

/** Pieces of an answer, and what of it is thought and what is said. */
const THOUGHTS: [string, string[], string, string][] = [
  ["thoughts in the text", ["<think>\nHm {}\n</think>\n\nYes."], "Hm {}", "Yes."],
  ["thoughts in the text, letter by letter", [..." <think>Hm</think>\n Yes. <b>"], "Hm", "Yes. <b>"],
  ["no thoughts between their tags", ["<think>\n\n</think>\n\n", "Yes."], "", "Yes."],
  ["thoughts and no answer", ["<think>Hm", "</think>"], "Hm", ""],
  ["a tag that ends nothing", ["<think> is", " a tag"], "", "<think> is a tag"],
  ["a tag behind the first word", ["A <think>b", "</think> c"], "", "A <think>b</think> c"],
  ["a tag that only begins like one", ["<thi", "s>"], "", "<this>"],
  ["the beginning of a tag and no more", ["<thi"], "", "<thi"],
];

/** As servers tell it that leave something out of a count which OpenAI's own has in it, or name it otherwise. */
const USAGES: [string, object, object][] = [
  [
    "thinking beside what was written, as xAI counts it",
    {
      ...{ prompt_tokens: 32, completion_tokens: 9, total_tokens: 135 },
      completion_tokens_details: { reasoning_tokens: 94 },
    },
    { input_tokens: 32, output_tokens: 103, cache_read_input_tokens: 0 },
  ],
  [
    "thinking in the sum alone, as Gemini counts it",
    { prompt_tokens: 5, completion_tokens: 9, total_tokens: 83 },
    { input_tokens: 5, output_tokens: 78, cache_read_input_tokens: 0 },
  ],
  [
    "thinking within what was written",
    {
      ...{ prompt_tokens: 5, completion_tokens: 90, total_tokens: 95 },
      completion_tokens_details: { reasoning_tokens: 80 },
    },
    { input_tokens: 5, output_tokens: 90, cache_read_input_tokens: 0 },
  ],
  [
    "a sum that is less than its parts",
    { prompt_tokens: 5, completion_tokens: 9, total_tokens: 0 },
    { input_tokens: 5, output_tokens: 9, cache_read_input_tokens: 0 },
  ],
  [
    "the cache beside the prompt",
    {
      ...{ prompt_tokens: 5, completion_tokens: 9, total_tokens: 114 },
      prompt_tokens_details: { cached_tokens: 100 },
    },
    { input_tokens: 5, output_tokens: 9, cache_read_input_tokens: 100 },
  ],
  [
    "the cache in DeepSeek's words",
    { prompt_tokens: 100, completion_tokens: 9, prompt_cache_hit_tokens: 80, prompt_cache_miss_tokens: 20 },
    { input_tokens: 20, output_tokens: 9, cache_read_input_tokens: 80 },
  ],
  [
    "the cache in Moonshot's words",
    { prompt_tokens: 100, completion_tokens: 9, total_tokens: 109, cached_tokens: 80 },
    { input_tokens: 20, output_tokens: 9, cache_read_input_tokens: 80 },
  ],
];

describe("a server that says nothing", () => {
  const silent: [string, Handler][] = [
    ["before its answer", () => undefined],
    [
      "within its answer",
      (_, response) => {
        openStream(response);
        response.write('data: {"a":1}\n\n');
      },
    ],
  ];
  test.each(silent)("%s is given up on", async (_, handler) => {
    fake.instead.push(handler);
    const post = { url: fake.url, headers: {}, body: "{}" };
    const read = async () => {
      const events: unknown[] = [];
      for await (const event of postForEvents(post, new AbortController().signal, 100)) events.push(event);
      return events;
    };
    await expect(read()).rejects.toMatchObject({
      failure: { problem: "said nothing for 0.1 s", transient: true },
    });
  });
});

describe("how long a server asks to be left alone", () => {
  // The tests above take a while.
  const soon = new Date(Date.now() + 600_000).toUTCString();
  const cases: [Record<string, string>, (ms: number | null) => boolean][] = [
    [{ "retry-after": "7" }, (ms) => ms === 7000],
    [{ "retry-after": "1.5" }, (ms) => ms === 1500],
    [{ "retry-after": "7", "retry-after-ms": "120" }, (ms) => ms === 120],
    [{ "retry-after": soon }, (ms) => ms !== null && ms > 300_000 && ms <= 600_000],
    [{ "retry-after": "Thu, 01 Jan 1970 00:00:00 GMT" }, (ms) => ms === 0],
    [{ "retry-after": "9".repeat(400) }, (ms) => ms === Number.MAX_SAFE_INTEGER],
    [{ "retry-after": "soon", "retry-after-ms": "" }, (ms) => ms === null],
    [{}, (ms) => ms === null],
  ];
  test.each(cases)("%j", async (headers, fits) => {
    const given = await answered(await modelAt("local", fake.url), refuses(503, {}, headers));
    expect(given).toMatchObject({ kind: "failure", transient: true });
    expect(given.kind === "failure" && fits(given.retryAfterMs)).toBe(true);
  });
});

describe("what servers that speak OpenAI's dialect do differently, and can be understood", () => {
  const tool = (call: object) => openaiDelta({ tool_calls: [call] });
  const done = `${openaiDelta({}, "tool_calls")}data: [DONE]\n\n`;
  const call = (id: string, input: unknown) => ({ type: "tool_use", id, name: "a", input });
  const cases: [string, string[], object][] = [
    [
      "arguments that are an object",
      [tool({ index: 0, id: "1", function: { name: "a", arguments: { x: [1] } } })],
      { content: [call("1", { x: [1] })], malformed: [] },
    ],
    [
      "calls without an index",
      [
        tool({ id: "1", function: { name: "a", arguments: '{"x"' } }),
        tool({ function: { arguments: ":1}" } }),
        tool({ id: "2", function: { name: "a", arguments: "{}" } }),
      ],
      { content: [call("1", { x: 1 }), call("2", {})] },
    ],
    [
      "all calls under one index",
      [
        tool({ index: 0, id: "1", function: { name: "a", arguments: "{}" } }),
        tool({ index: 0, id: "2", function: { name: "a", arguments: '{"y":2}' } }),
      ],
      { content: [call("1", {}), call("2", { y: 2 })] },
    ],
    [
      "id and name again with each piece",
      [
        tool({ index: 0, id: "1", function: { name: "a", arguments: '{"x":' } }),
        tool({ index: 0, id: "1", function: { name: "a", arguments: "1}" } }),
      ],
      { content: [call("1", { x: 1 })] },
    ],
    [
      "a call without an id",
      [tool({ index: 0, function: { name: "a", arguments: "{}" } })],
      { content: [call("", {})] },
    ],
    [
      "parallel calls under one index and without ids, also in one event",
      [
        tool({ index: 0, id: "", function: { name: "a", arguments: '{"x":1}' } }),
        tool({ index: 0, id: "", function: { name: "a", arguments: '{"x":2}' } }),
        openaiDelta({
          tool_calls: [
            { function: { name: "a", arguments: '{"x":"}{"}' } },
            { function: { name: "a", arguments: '{"x":{}}' } },
          ],
        }),
      ],
      {
        content: [call("", { x: 1 }), call("", { x: 2 }), call("", { x: "}{" }), call("", { x: {} })],
        malformed: [],
      },
    ],
    [
      "calls that only their ids tell apart, the name behind the arguments, in turns",
      [
        tool({ id: "1", function: { arguments: '{"x":' } }),
        tool({ id: "2", function: { arguments: '{"x"' } }),
        tool({ id: "1", function: { name: "a", arguments: "1}" } }),
        tool({ id: "2", function: { name: "a", arguments: ":2}" } }),
      ],
      { content: [call("1", { x: 1 }), call("2", { x: 2 })], malformed: [] },
    ],
    [
      "calls without an index or an id, without arguments, told apart by their names",
      [tool({ function: { name: "a" } }), tool({ function: { name: "b" } })],
      { content: [call("", {}), { ...call("", {}), name: "b" }] },
    ],
    [
      "an id of its own for each piece of a call",
      [
        tool({ index: 0, id: "1", function: { name: "a" } }),
        tool({ index: 0, id: "2", function: { arguments: '{"x":' } }),
        tool({ index: 0, id: "3", function: { arguments: "1}" } }),
      ],
      { content: [call("1", { x: 1 })] },
    ],
    [
      "arguments that are all said again at the end, with and without their name",
      [
        tool({ index: 0, id: "1", function: { name: "a", arguments: '{"x":"\\"}"' } }),
        tool({ index: 0, function: { arguments: "}" } }),
        tool({ index: 0, id: "1", function: { name: "a", arguments: '{"x":"\\"}"}' } }),
        tool({ index: 0, function: { arguments: '{"x":"\\"}"}' } }),
      ],
      { content: [call("1", { x: '"}' })], malformed: [] },
    ],
    [
      "an id that a double would round",
      [tool({ index: 0, id: "1", function: { name: "a", arguments: '{"x":2512292042121000001,"y":7}' } })],
      { content: [call("1", { x: "2512292042121000001", y: 7 })], malformed: [] },
    ],
    [
      "an empty object until the arguments come",
      [
        tool({ index: 0, id: "1", function: { name: "a", arguments: "{}" } }),
        tool({ index: 0, id: "1", function: { name: "a", arguments: '{"x":' } }),
        tool({ index: 0, function: { arguments: "1}" } }),
      ],
      { content: [call("1", { x: 1 })], malformed: [] },
    ],
    [
      "a name in pieces",
      [
        tool({ index: 0, id: "1", function: { name: "get_", arguments: "{" } }),
        tool({ index: 0, function: { name: "it", arguments: "}" } }),
      ],
      { content: [{ ...call("1", {}), name: "get_it" }] },
    ],
    [
      "usage beside the last words",
      [openaiEvent({ choices: [{ delta: {}, usage: { prompt_tokens: 3, completion_tokens: 2 } }] })],
      { usage: { input_tokens: 3, output_tokens: 2 } },
    ],
    ["events without data, between the others", ["data:\n\n", "data: \n\n", "event: ping\n\n"], {}],
    ["null everywhere", [openaiDelta({ content: null, tool_calls: null, reasoning: null })], { content: [] }],
    [
      "thoughts under another name, words in parts",
      [openaiDelta({ reasoning: "Hm." }), openaiDelta({ content: [{ type: "text", text: "Yes." }] })],
      {
        content: [
          { type: "thinking", text: "Hm." },
          { type: "text", text: "Yes." },
        ],
      },
    ],
    [
      "a refusal beside the content",
      [openaiDelta({ refusal: "No." })],
      { content: [{ type: "text", text: "No." }], stop: "refusal" },
    ],
    [
      "usage with every event, the last one whole",
      [1, 9].map((n) => openaiEvent({ choices: [], usage: { prompt_tokens: 30, completion_tokens: n } })),
      { usage: { input_tokens: 30, output_tokens: 9, cache_read_input_tokens: 0 } },
    ],
    [
      "usage that is none",
      [openaiEvent({ choices: [], usage: { prompt_tokens: -1, completion_tokens: 2.5 } })],
      { usage: null },
    ],
    [
      "more tokens from the cache than there are",
      [
        openaiEvent({
          choices: [],
          usage: { prompt_tokens: 5, completion_tokens: 1, prompt_tokens_details: { cached_tokens: 8 } },
        }),
      ],
      { usage: { input_tokens: 0, cache_read_input_tokens: 5 } },
    ],
    ...THOUGHTS.map(([name, pieces, thinking, text]): [string, string[], object] => [
      name,
      pieces.map((content) => openaiDelta({ content })),
      {
        content: [
          ...(thinking === "" ? [] : [{ type: "thinking", text: thinking }]),
          ...(text === "" ? [] : [{ type: "text", text }]),
        ],
      },
    ]),
    ...USAGES.map(([name, usage, told]): [string, string[], object] => [
      name,
      [openaiEvent({ choices: [], usage })],
      { usage: { cache_creation_input_tokens: 0, ...told } },
    ]),
  ];
  test("thoughts in the text that were cut off are no answer, and nobody is told of them", async () => {
    const model = await modelAt("openai-compatible", fake.url);
    const events = [openaiDelta({ content: "<think>Hm {" }), openaiDelta({}, "length")];
    const watch = aWatch();
    fake.instead.push(sends(...events, "data: [DONE]\n\n"));
    expect(await model.ask(aRequest(), watch)).toMatchObject({
      content: [{ type: "thinking", text: "Hm {" }],
      stop: "length",
    });
    expect(watch.texts).toEqual([]);
  });

  test.each(cases)("%s", async (_, events, expected) => {
    const model = await modelAt("openai-compatible", fake.url);
    expect(await answered(model, sends(...events, done))).toMatchObject({ kind: "reply", ...expected });
  });

  const unfinished: [string, string[], object][] = [
    [
      "an error in a field of its own",
      [
        'error: {"code":400,"message":"the request exceeds the available context size"}\n\n',
        "data: [DONE] \n\n",
      ],
      { problem: expect.stringMatching(/broke off with an error: the request exceeds/), overflow: true },
    ],
    [
      "an error that says so of itself",
      [openaiEvent({ object: "error", message: "no such tool parser", code: 400 })],
      { problem: expect.stringMatching(/no such tool parser$/), transient: false },
    ],
    [
      "an error that is called a stream and is none",
      ['{\n  "error": {\n\n    "message": "out of memory" }\n}\n'],
      { problem: expect.stringMatching(/out of memory$/) },
    ],
    [
      "words in the place of choices",
      ['data: {"detail":"Not authenticated"}\n\n'],
      { problem: expect.stringMatching(/the answer holds no choices: Not authenticated$/) },
    ],
    [
      "a reason to stop that is empty until the end, which does not come",
      [openaiDelta({ content: "Half an ans" }, "")],
      { problem: expect.stringMatching(/the answer ended before it was complete$/), transient: true },
    ],
  ];
  test.each(unfinished)("%s", async (_, events, expected) => {
    const model = await modelAt("openai-compatible", fake.url);
    expect(await answered(model, sends(...events))).toMatchObject({ kind: "failure", ...expected });
  });

  test("an error in the place of a choice", async () => {
    const choice = { delta: {}, finish_reason: "error", error: { message: "upstream is gone", code: 502 } };
    const model = await modelAt("openai-compatible", fake.url);
    expect(await answered(model, sends(openaiEvent({ choices: [choice] }), done))).toMatchObject({
      kind: "failure",
      problem: expect.stringMatching(/upstream is gone$/),
      transient: true,
    });
  });

  test("a whole answer instead of a stream", async () => {
    const message = {
      role: "assistant",
      content: "Hi",
      tool_calls: [{ id: "1", function: { name: "a", arguments: "{}" } }],
    };
    const whole = JSON.stringify(
      {
        choices: [{ message, finish_reason: "tool_calls" }],
        usage: { prompt_tokens: 2, completion_tokens: 1 },
      },
      null,
      2,
    );
    const given = await answered(
      await modelAt("openai-compatible", fake.url),
      page(200, "application/json", whole),
    );
    expect(given).toMatchObject({
      kind: "reply",
      content: [{ type: "text", text: "Hi" }, call("1", {})],
      usage: { output_tokens: 1 },
    });
  });
});

describe("what servers that speak Anthropic's dialect do differently, and can be understood", () => {
  const asked = async (...events: { type: string; [key: string]: unknown }[]) =>
    answered(await modelAt("anthropic", fake.url), sends(...events.map(anthropicEvent)));
  const start = (usage: object) => ({ type: "message_start", message: { id: "m", usage } });
  const end = (usage: object) => ({ type: "message_delta", delta: { stop_reason: "tool_use" }, usage });
  const block = { type: "tool_use", id: "1", name: "a", input: { x: 1 } };

  test.each([[[]], [['{"x":', "2}"]]])(
    "arguments at the start of a call; pieces stand for them: %j",
    async (pieces) => {
      const given = await asked(
        start({ input_tokens: 5 }),
        { type: "content_block_start", index: 0, content_block: block },
        ...pieces.map((partial_json) => ({
          type: "content_block_delta",
          index: 0,
          delta: { type: "input_json_delta", partial_json },
        })),
        end({ output_tokens: 2 }),
      );
      expect(given).toMatchObject({
        content: [{ input: { x: pieces.length === 0 ? 1 : 2 } }],
        malformed: [],
      });
    },
  );

  test("what was read is told at the start, and as 0 at the end; or the other way round", async () => {
    const whole = { input_tokens: 7, output_tokens: 2, cache_read_input_tokens: 3 };
    const read = { input_tokens: 7, cache_read_input_tokens: 3 };
    const none = { input_tokens: 0, cache_read_input_tokens: 0 };
    const first = await asked(start({ ...read, output_tokens: 1 }), end({ ...none, output_tokens: 2 }));
    const last = await asked(start({ ...none, output_tokens: 0 }), end({ ...read, output_tokens: 2 }));
    expect([first, last]).toMatchObject([{ usage: whole }, { usage: whole }]);
  });
});

describe("a conversation that is too large, in the words of many servers", () => {
  test.each([
    "This model's maximum prompt length is 131072 but the request contains 537812 tokens.",
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 3500 `inputs` tokens",
    "Range of input length should be [1, 30720]",
    "The decoder prompt (length 40000) is longer than the maximum model length of 32768.",
    "model_max_prompt_tokens_exceeded",
    "Total tokens of image and text exceed max message tokens",
    "the request exceeds the available context size. try increasing the context size",
    "Your request exceeded model token limit: 262144",
  ])("%s", async (message) => {
    const given = await answered(await modelAt("local", fake.url), refuses(400, { error: { message } }));
    expect(given).toMatchObject({ kind: "failure", overflow: true, transient: false });
  });

  test("what only sounds like it is none", async () => {
    for (const message of ["max_tokens is too large: 100000", "string too long, maximum length 10"]) {
      const given = await answered(await modelAt("local", fake.url), refuses(400, { error: { message } }));
      expect(given).toMatchObject({ kind: "failure", overflow: false });
    }
  });
});
