import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { ModelRequest, ModelSettings } from "#lib/agent/model.ts";
import type { ProviderConfig } from "#lib/config/config.ts";
import type { Message } from "#lib/transcript/record.ts";
import { aRequest, aTool, aWatch, results, user } from "#tests/support/a-request.ts";
import { PIECES, sends } from "#tests/support/bad-answers.ts";
import { anthropicEvent } from "#tests/support/fake-anthropic.ts";
import { openaiDelta } from "#tests/support/fake-openai.ts";
import { type FakeServer, startServer } from "#tests/support/fake-server.ts";
import { KEY, modelAt } from "#tests/support/three-models.ts";

let fake: FakeServer;
beforeAll(async () => {
  fake = await startServer((_, response) => response.destroy());
});
afterAll(() => fake.close());
beforeEach(() => {
  fake.seen.length = 0;
});

type Asking = {
  kind: ProviderConfig["kind"];
  model?: string;
  settings?: Partial<ModelSettings>;
  messages?: Message[];
  system?: string | null;
  provider?: Partial<ProviderConfig>;
  tools?: ModelRequest["tools"];
};

/** What the server got. */
async function sent({ kind, model, settings, messages, system = null, provider, tools }: Asking) {
  const asked = await modelAt(kind, fake.url, provider, model);
  const of = PIECES[kind === "anthropic" ? "anthropic" : "openai-compatible"];
  fake.instead.push(sends(of.start, of.text("ok"), of.end));
  const request = aRequest({
    system,
    messages: messages ?? [user("Hello")],
    tools: tools ?? [aTool("fs_read")],
  });
  const answer = await asked.ask({ ...request, settings: { ...request.settings, ...settings } }, aWatch());
  expect(answer).toMatchObject({ kind: "reply" });
  const [seen] = fake.seen;
  if (seen === undefined) throw new Error("nothing was sent");
  return seen;
}

const HISTORY: Message[] = [
  {
    role: "user",
    content: [
      { type: "text", text: "Look" },
      { type: "image", media_type: "image/png", data: "aGk=" },
    ],
  },
  {
    role: "assistant",
    content: [
      { type: "thinking", text: "Hm.", signature: "sig" },
      { type: "thinking", text: "", signature: "redacted:abc" },
      { type: "thinking", text: "mine" },
      { type: "text", text: "I look." },
      { type: "tool_use", id: "a:1", name: "fs.read", input: { path: "x" } },
      { type: "tool_use", id: "b", name: "", input: { __malformed_arguments: '{"x' } },
      { type: "tool_use", id: "c", name: "fs_read", input: [1] },
    ],
  },
  {
    role: "user",
    content: [
      { type: "tool_result", tool_use_id: "a:1", content: "fine", is_error: false },
      { type: "tool_result", tool_use_id: "b", content: "no", is_error: true },
      { type: "tool_result", tool_use_id: "c", content: "", is_error: true },
      { type: "text", text: "Go on." },
    ],
  },
];

describe("OpenAI's dialect", () => {
  test("a plain request", async () => {
    const { path, headers, body } = await sent({
      kind: "local",
      system: "Be terse.",
      settings: { temperature: 0.5, seed: 42, effort: "high", thinking: true, cachePrompt: true },
    });
    expect(path).toBe("/v1/chat/completions");
    expect(headers.authorization).toBe(`Bearer ${KEY}`);
    expect(body).toEqual({
      model: "claude-opus-5",
      max_tokens: 1000,
      temperature: 0.5,
      seed: 42,
      messages: [
        { role: "system", content: "Be terse." },
        { role: "user", content: "Hello" },
      ],
      tools: [
        {
          type: "function",
          function: {
            name: "fs_read",
            description: "The tool fs_read.",
            parameters: { type: "object", properties: {} },
          },
        },
      ],
      stream: true,
      stream_options: { include_usage: true },
    });
  });

  test("OpenAI's own models take the limit under another name", async () => {
    const { body } = await sent({ kind: "openai" });
    expect(body).toMatchObject({ max_completion_tokens: 1000 });
    expect(body).not.toHaveProperty("max_tokens");
  });

  test("a server that wants no key gets none", async () => {
    expect(
      (await sent({ kind: "local", provider: { api_key: null } })).headers.authorization,
    ).toBeUndefined();
  });

  test("what Gemini signs a call with goes back beside the call", async () => {
    const extra_content = { google: { thought_signature: "c2ln" } };
    const call = (id: string, more: object) => ({
      id,
      function: { name: "fs_read", arguments: "{}" },
      ...more,
    });
    const model = await modelAt("openai-compatible", fake.url);
    const { start, end } = PIECES["openai-compatible"];
    const calls = openaiDelta({
      tool_calls: [call("call_1", { extra_content }), call("call_2", {})],
    });
    fake.instead.push(sends(start, calls, end), sends(start, end));
    const first = await model.ask(aRequest({ messages: [user("Go")] }), aWatch());
    if (first.kind !== "reply") throw new Error(first.kind);
    const said: Message = { role: "assistant", content: first.content };
    await model.ask(aRequest({ messages: [user("Go"), said, results("x", "y")] }), aWatch());
    expect(fake.seen[1]?.body.messages).toMatchObject([
      { role: "user" },
      { tool_calls: [{ id: "call_1", extra_content }, { id: "call_2" }] },
      { role: "tool" },
      { role: "tool" },
    ]);
    expect(JSON.stringify(fake.seen[1]?.body).split("extra_content")).toHaveLength(2);
  });

  test.each([
    ["/v1/", "/v1/chat/completions"],
    ["/gate/v1", "/gate/v1/chat/completions"],
    ["/v1beta/openai/", "/v1beta/openai/chat/completions"],
    ["/api/paas/v4", "/api/paas/v4/chat/completions"],
    ["/openai", "/openai/v1/chat/completions"],
    ["/inference/chat/completions", "/inference/chat/completions"],
    ["/v1/chat/completions", "/v1/chat/completions"],
  ])("an address that ends in %s", async (end, path) => {
    const seen = await sent({ kind: "local", provider: { base_url: `${fake.url}${end}` } });
    expect(seen.path).toBe(path);
  });

  test("a conversation goes back whole, in words that every server takes", async () => {
    const { body } = await sent({ kind: "local", messages: HISTORY, provider: { vision: true } });
    const fn = (id: string, name: string, text: string) => ({
      id,
      type: "function",
      function: { name, arguments: text },
    });
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
        ],
      },
      {
        role: "assistant",
        content: "I look.",
        reasoning_content: "Hm.mine",
        tool_calls: [
          fn("a:1", "fs_read", '{"path":"x"}'),
          fn("b", "unnamed", '{"__malformed_arguments":"{\\"x"}'),
          fn("c", "fs_read", '{"__malformed_arguments":"[1]"}'),
        ],
      },
      { role: "tool", tool_call_id: "a:1", content: "fine" },
      { role: "tool", tool_call_id: "b", content: "no" },
      { role: "tool", tool_call_id: "c", content: "(no reason was given)" },
      { role: "user", content: "Go on." },
    ]);
    fake.seen.length = 0;
    const own = await sent({ kind: "openai", messages: HISTORY });
    expect(JSON.stringify(own.body)).not.toContain("reasoning_content");
  });

  test("a model that cannot see is told that there was an image", async () => {
    for (const [kind, vision] of [
      ["local", null],
      ["anthropic", false],
    ] as const) {
      fake.seen.length = 0;
      const { body } = await sent({ kind, messages: HISTORY.slice(0, 1), provider: { vision } });
      expect(JSON.stringify(body)).toContain("[an image, which this model cannot see]");
      expect(JSON.stringify(body)).not.toContain("aGk=");
    }
  });

  test("says what it never sends", async () => {
    const drops = ["effort", "thinking", "cachePrompt"];
    for (const kind of ["openai", "openai-compatible", "local"] as const)
      expect((await modelAt(kind, fake.url)).drops).toEqual(drops);
  });
});

describe("a conversation that another provider began", () => {
  const LONG = `fc_${"0123456789".repeat(9)}`;
  const called = (...ids: string[]): Message[] => [
    user("Go"),
    {
      role: "assistant",
      content: ids.map((id) => ({ type: "tool_use", id, name: "fs_read", input: {} })),
    },
    {
      role: "user",
      content: ids.map((id) => ({
        ...({ type: "tool_result", tool_use_id: id } as const),
        ...{ content: id, is_error: false },
      })),
    },
  ];
  /** The ids of the calls, and of the results, as they were sent. */
  const idsSent = async (asking: Asking) => {
    const text = JSON.stringify((await sent(asking)).body.messages);
    const all = (pattern: RegExp) => [...text.matchAll(pattern)].map(([, id]) => id);
    return [all(/"id":"([^"]*)"/g), all(/"tool_(?:call|use)_id":"([^"]*)"/g)];
  };

  test.each<[string, Asking, string[], RegExp]>([
    ["OpenAI takes 40 characters", { kind: "openai" }, ["call_1", LONG, `${LONG}0`], /^.{1,40}$/],
    [
      "Mistral takes nine letters and digits",
      { kind: "openai-compatible", model: "devstral-small" },
      ["D681PevKs", "call_1", LONG],
      /^[A-Za-z0-9]{9}$/,
    ],
    [
      "Anthropic takes letters, digits and lines",
      { kind: "anthropic" },
      ["functions.bash:0", "functions.bash.0", "functions_bash_0"],
      /^[A-Za-z0-9_-]+$/,
    ],
  ])("%s, and two ids stay two", async (_, asking, ids, shape) => {
    const [calls, answers] = await idsSent({ ...asking, messages: called(...ids) });
    expect(answers).toEqual(calls);
    expect(new Set(calls).size).toBe(ids.length);
    for (const id of calls ?? []) expect(id).toMatch(shape);
  });

  test("an id that is taken stays as it is, and any other server gets what was there", async () => {
    const own = async (asking: Asking, id: string) => (await idsSent({ ...asking, messages: called(id) }))[0];
    expect(await own({ kind: "openai" }, "call_1")).toEqual(["call_1"]);
    fake.seen.length = 0;
    const mistral: Asking = { kind: "openai-compatible", model: "mistral-large" };
    expect(await own(mistral, "D681PevKs")).toEqual(["D681PevKs"]);
    fake.seen.length = 0;
    expect(await own({ kind: "local" }, LONG)).toEqual([LONG]);
  });

  test("where a model thinks, each of its messages has thoughts; elsewhere none is given any", async () => {
    const said = (...content: Message["content"]): Message => ({ role: "assistant", content });
    const text = { type: "text" as const, text: "x" };
    const messages = [
      ...called("c1"),
      said({ type: "thinking", text: "Hm." }, text),
      user("b"),
      said(text),
      user("c"),
    ];
    const thoughts = async (asking: Asking) => {
      fake.seen.length = 0;
      const sentMessages = (await sent(asking)).body.messages as {
        role: string;
        reasoning_content?: string;
      }[];
      return sentMessages.filter(({ role }) => role === "assistant").map((one) => one.reasoning_content);
    };
    expect(await thoughts({ kind: "local", messages })).toEqual([" ", "Hm.", " "]);
    expect(await thoughts({ kind: "openai", messages })).toEqual([undefined, undefined, undefined]);
    expect(await thoughts({ kind: "local", messages: called("c1") })).toEqual([undefined]);
    expect(await thoughts({ kind: "local", model: "kimi-k2.5", messages: called("c1") })).toEqual([" "]);
  });

  test.each(["anthropic", "openai", "local"] as const)("%s gets no half of a character", async (kind) => {
    const half = "a\ud83d";
    const messages: Message[] = [
      user(half),
      {
        role: "assistant",
        content: [{ type: "tool_use", id: "c", name: "fs_read", input: { [half]: [{ deep: half }] } }],
      },
      {
        role: "user",
        content: [{ type: "tool_result", tool_use_id: "c", content: half, is_error: false }],
      },
    ];
    const { body } = await sent({ kind, system: half, messages });
    const text = JSON.stringify(body);
    expect(text).not.toMatch(/\\ud83d/i);
    expect(text.match(/a\ufffd/g)).toHaveLength(5);
  });
});

describe("Anthropic's dialect", () => {
  test("a plain request", async () => {
    const { path, headers, body } = await sent({
      kind: "anthropic",
      system: "Be terse.",
      settings: { temperature: 0.5, seed: 42 },
    });
    expect(path).toBe("/v1/messages");
    expect(headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    expect(headers.authorization).toBeUndefined();
    expect(body).toEqual({
      model: "claude-opus-5",
      max_tokens: 1000,
      thinking: { type: "disabled" },
      system: [{ type: "text", text: "Be terse." }],
      messages: [{ role: "user", content: [{ type: "text", text: "Hello" }] }],
      tools: [
        {
          name: "fs_read",
          description: "The tool fs_read.",
          input_schema: { type: "object", properties: {} },
        },
      ],
      stream: true,
    });
  });

  const thinking: [string, Partial<ModelSettings>, object][] = [
    [
      "claude-opus-5",
      { thinking: true, effort: "max" },
      { thinking: { type: "adaptive" }, output_config: { effort: "max" }, max_tokens: 30_000 },
    ],
    ["claude-sonnet-4-6", { thinking: true }, { thinking: { type: "adaptive" } }],
    ["anthropic/claude-opus-4.6", { thinking: true }, { thinking: { type: "adaptive" } }],
    ["anthropic/claude-sonnet-4", { thinking: true }, { thinking: { type: "enabled" } }],
    [
      "anthropic/claude-opus-4.5",
      { thinking: true, effort: "low" },
      { thinking: { type: "enabled" }, output_config: { effort: "low" } },
    ],
    ["anthropic/claude-sonnet-4.5", {}, { thinking: undefined }],
    ["claude-next-9", { thinking: true }, { thinking: { type: "adaptive" } }],
    [
      "claude-sonnet-4-5-20250929",
      { thinking: true, effort: "low" },
      { thinking: { type: "enabled", budget_tokens: 4000 }, max_tokens: 30_000, output_config: undefined },
    ],
    [
      "claude-opus-4-5",
      { thinking: true, effort: "high" },
      {
        thinking: { type: "enabled", budget_tokens: 15_000 },
        output_config: { effort: "high" },
        max_tokens: 30_000,
      },
    ],
    [
      "claude-opus-4-20250514",
      { thinking: true },
      { thinking: { type: "enabled", budget_tokens: 15_000 }, max_tokens: 30_000 },
    ],
    [
      "claude-3-7-sonnet-latest",
      { thinking: true, effort: "max" },
      { thinking: { type: "enabled", budget_tokens: 15_000 }, output_config: undefined },
    ],
    ["claude-sonnet-4-5", { thinking: true, maxTokens: 1500 }, { thinking: undefined, max_tokens: 1500 }],
    ["claude-sonnet-4-5", { thinking: false }, { thinking: undefined }],
    [
      "claude-3-5-haiku",
      { thinking: true, effort: "max", maxTokens: 4000 },
      { thinking: undefined, output_config: undefined },
    ],
    [
      "some-other-model",
      { thinking: true, effort: "max" },
      { thinking: undefined, output_config: undefined },
    ],
  ];
  test.each(thinking)("%s with %j", async (model, settings, expected) => {
    const { body } = await sent({ kind: "anthropic", model, settings: { maxTokens: 30_000, ...settings } });
    const { thinking, output_config, max_tokens } = body;
    expect({ thinking, output_config, max_tokens }).toMatchObject(expected);
  });

  test("a conversation goes back whole: thinking as it was signed, ids that are taken, errors as errors", async () => {
    const { body } = await sent({ kind: "anthropic", messages: HISTORY });
    expect(body.messages).toEqual([
      {
        role: "user",
        content: [
          { type: "text", text: "Look" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: "aGk=" } },
        ],
      },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "Hm.", signature: "sig" },
          { type: "redacted_thinking", data: "abc" },
          { type: "text", text: "I look." },
          { type: "tool_use", id: "a_1", name: "fs_read", input: { path: "x" } },
          { type: "tool_use", id: "b", name: "unnamed", input: { __malformed_arguments: '{"x' } },
          { type: "tool_use", id: "c", name: "fs_read", input: { __malformed_arguments: "[1]" } },
        ],
      },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "a_1", content: "fine" },
          { type: "tool_result", tool_use_id: "b", content: "no", is_error: true },
          { type: "tool_result", tool_use_id: "c", content: "(no reason was given)", is_error: true },
          { type: "text", text: "Go on." },
        ],
      },
    ]);
  });

  test("arguments whose names are refused are not offered, and every other is", async () => {
    const properties = { $filter: {}, "tag[]": {}, path: {}, "a.b-c_1": {} };
    const parameters = { type: "object", properties, required: ["$filter", "path"] };
    const tool = { ...aTool("list"), parameters };
    const { body } = await sent({ kind: "anthropic", tools: [tool, aTool("fs_read")] });
    expect(body.tools).toMatchObject([
      {
        name: "list",
        description: 'The tool list.\n(Arguments that cannot be given here: "$filter", "tag[]".)',
        input_schema: { type: "object", properties: { path: {}, "a.b-c_1": {} }, required: ["path"] },
      },
      { name: "fs_read", description: "The tool fs_read." },
    ]);
    expect(JSON.stringify(body.tools)).not.toContain('"tag[]":');
    fake.seen.length = 0;
    const other = await sent({ kind: "openai", tools: [tool] });
    expect(other.body.tools).toMatchObject([{ function: { parameters } }]);
  });

  test("work that another provider began goes on without a budget to think", async () => {
    const call = { type: "tool_use" as const, id: "call_1", name: "fs_read", input: {} };
    const messages: Message[] = [user("a"), { role: "assistant", content: [call] }, results("b")];
    const asking = { kind: "anthropic", model: "claude-sonnet-4-5", messages } as const;
    const { body } = await sent({ ...asking, settings: { thinking: true, maxTokens: 9000 } });
    expect(body).not.toHaveProperty("thinking");
    expect(body).toMatchObject({ max_tokens: 9000 });
  });

  test("breakpoints of the cache: the system prompt and the last two messages of the person", async () => {
    const messages: Message[] = [
      user("a"),
      ...HISTORY.slice(1),
      { role: "assistant", content: [{ type: "text", text: "x" }] },
      user("b"),
    ];
    const { body } = await sent({
      kind: "anthropic",
      system: "S",
      messages,
      settings: { cachePrompt: true },
    });
    const marked = JSON.stringify(body).match(/"text":"[^"]*","cache_control":\{"type":"ephemeral"\}/g);
    expect(marked).toEqual(
      ['"S"', '"Go on."', '"b"'].map((text) => `"text":${text},"cache_control":{"type":"ephemeral"}`),
    );
    fake.seen.length = 0;
    const plain = await sent({ kind: "anthropic", system: "S", messages });
    expect(JSON.stringify(plain.body)).not.toContain("cache_control");
  });

  test("counts of the cache, and thinking that nobody can read, arrive", async () => {
    const model = await modelAt("anthropic", fake.url);
    const block = (index: number, content_block: object) =>
      anthropicEvent({ type: "content_block_start", index, content_block });
    const usage = {
      input_tokens: 30,
      cache_creation_input_tokens: 10,
      cache_read_input_tokens: 60,
      output_tokens: 1,
    };
    fake.instead.push(
      sends(
        anthropicEvent({ type: "message_start", message: { id: "m", usage } }),
        anthropicEvent({ type: "something_new", index: 7 }),
        block(0, { type: "redacted_thinking", data: "abc" }),
        block(1, { type: "thinking", thinking: "", signature: "" }),
        anthropicEvent({
          type: "content_block_delta",
          index: 1,
          delta: { type: "signature_delta", signature: "sig" },
        }),
        block(2, { type: "tool_use", id: "t", name: "fs_read", input: { whole: true } }),
        block(3, { type: "server_tool_use", id: "s", name: "web_search", input: {} }),
        anthropicEvent({
          type: "message_delta",
          delta: { stop_reason: "tool_use" },
          usage: { output_tokens: 9 },
        }),
        anthropicEvent({ type: "message_stop" }),
      ),
    );
    expect(await model.ask(aRequest(), aWatch())).toMatchObject({
      content: [
        { type: "thinking", text: "", signature: "redacted:abc" },
        { type: "thinking", text: "", signature: "sig" },
        { type: "tool_use", id: "t", input: { whole: true } },
      ],
      stop: "tool_calls",
      usage: { ...usage, output_tokens: 9 },
    });
  });

  const drops: [string, string[]][] = [
    ["claude-opus-5", ["temperature", "seed"]],
    ["claude-sonnet-4-5", ["temperature", "seed"]],
    ["claude-3-5-haiku", ["temperature", "seed", "effort", "thinking"]],
    ["some-other-model", ["temperature", "seed", "effort", "thinking"]],
  ];
  test.each(drops)("says what %s is never sent: %j", async (name, expected) => {
    expect((await modelAt("anthropic", fake.url, {}, name)).drops).toEqual(expected);
  });
});
