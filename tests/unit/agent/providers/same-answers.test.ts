import { afterEach, describe, expect, test } from "vitest";
import type { ModelAnswer, ModelRequest } from "#lib/agent/model.ts";
import type { Message } from "#lib/transcript/record.ts";
import { aRequest, aTool, aWatch, user } from "#tests/support/a-request.ts";
import { KINDS, type Kind, type Running, scriptOf, startModel } from "#tests/support/three-models.ts";

const running: Running[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function start(kind: Kind, script: object) {
  const one = await startModel(kind, scriptOf(script));
  running.push(one);
  return one;
}

/** What the three have in common: signatures and the words of an HTTP error belong to a dialect. */
function common(answer: ModelAnswer) {
  if (answer.kind === "failure") return { ...answer, problem: null };
  const content = answer.content.map((block) => {
    if (block.type !== "thinking") return block;
    return { type: block.type, text: block.text };
  });
  return { ...answer, content };
}

/** Asks turn after turn, with a made-up result for each call, until a turn has none. */
async function converse(kind: Kind, script: object, over: Partial<ModelRequest> = {}) {
  const { model } = await start(kind, script);
  const messages: Message[] = [user("Go")];
  const answers: ReturnType<typeof common>[] = [];
  const told: string[] = [];
  for (let turn = 0; turn < 10; turn += 1) {
    const watch = aWatch();
    const answer = await model.ask(
      aRequest({ system: "Be terse.", tools: [aTool("fs_read")], messages: [...messages], ...over }),
      watch,
    );
    answers.push(common(answer));
    told.push(watch.texts.join(""));
    if (answer.kind !== "reply") break;
    messages.push({ role: "assistant", content: answer.content });
    const calls = answer.content.filter((block) => block.type === "tool_use");
    if (calls.length === 0) break;
    const content = calls.map(({ id, name }) => ({
      type: "tool_result" as const,
      tool_use_id: id,
      content: `result of ${name}`,
      is_error: false,
    }));
    messages.push({ role: "user", content });
  }
  return { answers, told };
}

const usage = {
  input_tokens: 100,
  output_tokens: 20,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 60,
};
const call = (tool: string, input: object) => ({ tool, input });

const SCRIPTS: Record<string, object> = {
  "a plain answer": { otherwise: { text: "Hello, wörld 🎉\n\n  indented" } },
  "thinking before an answer": { otherwise: { thinking: "Let me see.\nYes.", text: "Four.", usage } },
  "calls, results and an answer": {
    rules: [
      {
        steps: [
          { text: "I look.", calls: [call("fs_read", { path: "a.txt" })] },
          {
            thinking: "Both.",
            calls: [call("fs_read", { path: "ü 🎉", deep: { a: [1, null, "x"] } }), call("fs_read", {})],
          },
          { text: "{{last_result}}" },
        ],
      },
    ],
  },
  "arguments that are no JSON": {
    rules: [
      {
        steps: [
          {
            calls: [
              { tool: "fs_read", arguments: '{"path": "a' },
              { tool: "fs_read", arguments: "  " },
              { tool: "fs_read", arguments: '{"a":1}}' },
              { tool: "fs_read", arguments: "[1, 2]" },
              { tool: "fs_read", arguments: "not json at all" },
              { tool: "fs_read", arguments: '"{}"' },
            ],
          },
          // Arguments that were no object are sent back in one, so an estimate would count more.
          { text: "Done.", usage },
        ],
      },
    ],
  },
  "a tool that does not exist": {
    rules: [{ steps: [{ calls: [call("no.such tool", { a: 1 })] }, { text: "Oh." }] }],
  },
  "an answer cut at its limit": { otherwise: { text: "As I was say", stop: "length" } },
  "a refusal": { otherwise: { text: "I would rather not.", stop: "refusal" } },
  "nothing at all": { otherwise: { usage } },
  "usage that nobody told": { otherwise: { text: "Hm.", usage: null } },
  "a failure that passes": {
    otherwise: { fail: { problem: "busy", transient: true, retry_after_ms: 1500 } },
  },
  "a failure that stays": { otherwise: { fail: { problem: "no such model" } } },
  "a conversation that is too large": { otherwise: { fail: { problem: "too much", overflow: true } } },
  "a failure in the middle": { otherwise: { text: "So far ", fail: { problem: "busy", transient: true } } },
  "a script without an answer": { rules: [{ when: { turn: 9 }, steps: [{}] }] },
};

describe("the same conversation gives the same answers", () => {
  describe.each(Object.entries(SCRIPTS))("%s", (_, script) => {
    test.each(KINDS.slice(1))("scripted and %s", async (kind) => {
      const expected = await converse("scripted", script);
      expect(expected.answers.length).toBeGreaterThan(0);
      expect(await converse(kind, script)).toEqual(expected);
    });
  });

  test("a pause, which OpenAI's dialect does not know", async () => {
    const script = { rules: [{ steps: [{ text: "One moment.", stop: "pause" }] }] };
    const { answers } = await converse("anthropic", script);
    expect(answers).toEqual((await converse("scripted", script)).answers);
  });
});

describe("an abort is answered at once with what had come", () => {
  test.each(KINDS)("%s, in the middle of words", async (kind) => {
    const { model } = await start(kind, { otherwise: { text: "on and ", endless: true, chunk_delay_ms: 1 } });
    const controller = new AbortController();
    const watch = aWatch(controller.signal);
    const onText = (delta: string) => {
      watch.texts.push(delta);
      if (watch.texts.length === 4) controller.abort();
    };
    const answer = await model.ask(aRequest(), { ...watch, onText });
    expect(answer).toMatchObject({ kind: "aborted", content: [{ type: "text", text: "on and on and " }] });
  });

  test.each(KINDS)("%s, before the first byte", async (kind) => {
    const { model } = await start(kind, { otherwise: { delay_ms: 20_000 } });
    const controller = new AbortController();
    const asked = model.ask(aRequest(), aWatch(controller.signal));
    setTimeout(() => controller.abort(), 50);
    expect(await asked).toEqual({ kind: "aborted", content: [], usage: null });
  });
});

test.each(KINDS)("what the watcher throws is no failure of the provider: %s", async (kind) => {
  const { model } = await start(kind, { otherwise: { text: "on and ", endless: true } });
  const onText = () => {
    throw new Error("nobody reads this");
  };
  await expect(model.ask(aRequest(), { ...aWatch(), onText })).rejects.toThrow("nobody reads this");
});
