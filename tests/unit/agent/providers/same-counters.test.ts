import { afterEach, describe, expect, test } from "vitest";
import { runLoop } from "#lib/agent/loop.ts";
import type { RunResult } from "#lib/agent/parts.ts";
import { aLoop, aTool, failing, NEW } from "#tests/support/a-loop.ts";
import { badAnswers, PIECES } from "#tests/support/bad-answers.ts";
import {
  HTTP_KINDS,
  KINDS,
  type Kind,
  type Running,
  scriptOf,
  startModel,
} from "#tests/support/three-models.ts";

const running: Running[] = [];
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

/** Tools that read, fail, send and change. */
const tools = () => [
  aTool("fs_read", { can: { private_data: true }, gives: (input) => `read ${JSON.stringify(input)}` }),
  aTool("broken", { gives: () => failing("it broke") }),
  aTool("fetch", { can: { untrusted_input: true, external_send: true } }),
  aTool("long", { gives: () => "all the same words ".repeat(200) }),
  aTool("write", { readOnly: false, can: { destructive: true } }),
];

type Over = Parameters<typeof aLoop>[2];

async function runWith(kind: Kind, script: object, over: Over = {}) {
  const one = await startModel(kind, scriptOf(script));
  running.push(one);
  const { parts, events } = aLoop(one.model, tools(), over);
  return { result: await runLoop(parts, NEW, "Do it."), events, server: one.server, parts };
}

/** All of a result but the words of a failure, and signatures, which belong to a dialect. */
function common({ failure, ...result }: RunResult) {
  const text = JSON.stringify(result, (key, value) => (key === "signature" ? undefined : value));
  return { ...JSON.parse(text), failed: failure !== null };
}

const call = (tool: string, input: object = {}) => ({ tool, input });
const usage = (input_tokens: number, output_tokens: number) => ({
  input_tokens,
  output_tokens,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
});
const steps = (...list: object[]) => ({ rules: [{ steps: list }] });
const final = { when: { purpose: "final" }, steps: [{ text: "So far." }], repeat: true };
const calling = (count: number, tool = "fs_read") =>
  Array.from({ length: count }, (_, i) => ({ text: `Step ${i}.`, calls: [call(tool, { i })] }));

type Case = { script: object; over?: Over; outcome: object; failed?: boolean };
const CASES: Record<string, Case> = {
  "calls that work, fail, do not exist and are no JSON": {
    script: steps(
      { calls: [call("fs_read", { path: "a" }), call("broken"), call("no.such")] },
      {
        thinking: "Hm.",
        calls: [
          { tool: "fs_read", arguments: '{"path": ' },
          { tool: "fs_read", arguments: "" },
        ],
      },
      { text: "Done." },
    ),
    outcome: { turns: 3, tool_calls: 5, tool_errors: 2, malformed_tool_args: 1, stop_cause: "completed" },
  },
  "arguments that are JSON but no object": {
    script: steps(
      {
        calls: [
          { tool: "fs_read", arguments: "[1]" },
          { tool: "fs_read", arguments: "null" },
        ],
      },
      { text: "Done.", usage: usage(1, 1) },
    ),
    outcome: { tool_calls: 2, malformed_tool_args: 0 },
  },
  "a last call that failed": {
    script: steps({ calls: [call("fs_read")] }, { calls: [call("broken")] }, { text: "I give up." }),
    outcome: { ended_on_failed_call: true, tool_errors: 1 },
  },
  "two calls with one id, in one turn and over two": {
    script: steps(
      {
        calls: [
          { tool: "fs_read", id: "x" },
          { tool: "broken", id: "x" },
        ],
      },
      { calls: [{ tool: "fs_read", id: "x" }] },
      { text: "Done.", usage: usage(5, 5) },
    ),
    outcome: { tool_calls: 3, tool_errors: 1, stop_cause: "completed" },
  },
  "the limit on turns": {
    script: { rules: [{ steps: calling(9) }, final] },
    over: { limits: { maxTurns: 3 } },
    outcome: { turns: 3, stop_cause: "max_turns", exhausted: true },
  },
  "the budget of written tokens": {
    script: { rules: [{ steps: [{ calls: [call("fs_read")], usage: usage(10, 500) }] }, final] },
    over: { limits: { maxOutputTokens: 500 } },
    outcome: { turns: 1, stop_cause: "output_token_budget" },
  },
  "the budget in dollars": {
    script: { rules: [{ steps: [{ calls: [call("fs_read")], usage: usage(1_000_000, 0) }] }, final] },
    over: { limits: { maxCostUsd: 2.5 } },
    outcome: { turns: 1, stop_cause: "cost_budget" },
  },
  "tokens from the cache": {
    script: steps({
      text: "Hi",
      usage: { ...usage(100, 10), cache_read_input_tokens: 900 },
    }),
    outcome: { usage: { ...usage(100, 10), cache_read_input_tokens: 900 }, cost_usd: (190 * 3 + 150) / 1e6 },
  },
  "turns with nothing in them, then an answer": {
    script: steps({}, { thinking: "…" }, { text: " " }, { text: "At last." }),
    outcome: { turns: 4, stop_cause: "completed" },
  },
  "nothing but empty turns": {
    script: { otherwise: {} },
    outcome: { turns: 4, stop_cause: "no_output" },
  },
  "a refusal": {
    script: steps({ text: "I will not.", stop: "refusal" }),
    outcome: { stop_cause: "completed" },
  },
  "usage that is not told once": {
    script: steps({ calls: [call("fs_read")], usage: null }, { text: "Done.", usage: usage(3, 4) }),
    outcome: { usage: usage(3, 4), usage_complete: false },
  },
  "a mode that only reads": {
    script: steps({ calls: [call("write"), call("fs_read")] }, { text: "Done." }),
    over: { permissionMode: "read-only" },
    outcome: { tool_calls: 2, tool_denied: 1, tool_errors: 0 },
  },
  "a send that is blocked": {
    script: steps(
      { calls: [call("fs_read")] },
      { calls: [call("fetch")] },
      { calls: [call("fetch")] },
      { text: "Done." },
    ),
    over: { blockSendsAfterPrivate: true },
    outcome: { blocked_sends: 2, tool_denied: 2, taint: { private: true, untrusted: false } },
  },
  "a conversation that is shortened, and goes in circles": {
    script: {
      rules: [
        {
          steps: [
            ...calling(3, "long"),
            { calls: [call("long", { i: 3 })], usage: usage(5000, 10) },
            ...Array.from({ length: 9 }, () => ({ calls: [call("fs_read")], usage: usage(10, 1) })),
          ],
        },
        { when: { purpose: "summary" }, steps: [{ text: "Notes." }], repeat: true },
        { when: { purpose: "validate" }, steps: [{ text: "NONE" }], repeat: true },
        final,
      ],
    },
    over: { limits: { compactAtTokens: 4000, compactKeepRecent: 2, compactValidate: true } },
    outcome: { compactions: 1, stop_cause: "loop" },
  },
  "a provider that fails for good": {
    script: steps({ calls: [call("fs_read")] }, { fail: { problem: "no such model" } }),
    outcome: { turns: 2, tool_calls: 1, stop_cause: null },
    failed: true,
  },
  "a conversation that is too large, once": {
    script: steps(
      ...calling(3, "long"),
      { fail: { problem: "too long", overflow: true } },
      { text: "Done." },
    ),
    outcome: { stop_cause: "completed", usage_complete: true },
  },
};

describe("a run has the same result whoever answers", () => {
  describe.each(Object.entries(CASES))("%s", (_, { script, over, outcome, failed }) => {
    test.each(KINDS)("%s", async (kind) => {
      const { result, events } = await runWith(kind, script, over);
      expect(result.outcome).toMatchObject(outcome);
      expect(result.failure !== null).toBe(failed ?? false);
      if (kind === "scripted") return;
      const expected = await runWith("scripted", script, over);
      expect(common(result)).toEqual(common(expected.result));
      expect(events.map(({ type }) => type)).toEqual(expected.events.map(({ type }) => type));
    });
  });

  test("a pause is a turn of its own", async () => {
    const script = steps({ text: "One moment. ", stop: "pause" }, { text: "Done." });
    const { result } = await runWith("anthropic", script);
    expect(result.outcome).toMatchObject({ turns: 2, stop_cause: "completed" });
    expect(common(result)).toMatchObject({ text: common((await runWith("scripted", script)).result).text });
  });
});

describe("a run in which the provider breaks is a failure, with the counts of what was done before", () => {
  describe.each(HTTP_KINDS)("%s", (kind) => {
    const first = steps({ text: "I look.", calls: [call("fs_read"), call("broken")], usage: usage(50, 5) });
    test.each(Object.entries(badAnswers(PIECES[kind])))("%s", async (_, { answer, expected }) => {
      const one = await startModel(kind, scriptOf(first));
      running.push(one);
      const { parts } = aLoop(one.model, tools(), {
        observe: (event) => {
          if (event.type === "call_finished" && event.entry.name === "broken")
            one.server?.instead.push(answer);
        },
      });
      const result = await runLoop(parts, NEW, "Do it.");
      expect(result.failure).toMatch(expected.problem);
      expect(result.outcome).toMatchObject({
        turns: 2,
        usage: usage(50, 5),
        // What was too large has used nothing; of what broke nobody knows.
        usage_complete: expected.overflow ?? false,
        stop_cause: null,
        exhausted: false,
        ended_on_failed_call: false,
        tool_calls: 2,
        tool_errors: 1,
      });
      expect(result.conversation.messages).toHaveLength(3);
    });
  });
});
