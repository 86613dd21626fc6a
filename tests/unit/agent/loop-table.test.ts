import { expect, test } from "vitest";
import { runLoop } from "#lib/agent/loop.ts";
import type { LoopLimits, LoopParts } from "#lib/agent/parts.ts";
import type { Outcome } from "#lib/transcript/record.ts";
import { aLoop, aTool, failing, NEW, scripted, usage } from "#tests/support/a-loop.ts";

// Every stop cause and every counter, each through the whole loop with a model that plays a script.

const call = (tool: string, input: object = {}) => ({ calls: [{ tool, input }], usage: usage(100, 10) });
const say = (text: string) => ({ text, usage: usage(100, 10) });
const turns = (...steps: object[]) => ({ steps });
const always = (step: object) => ({ steps: [step], repeat: true });
const atTheEnd = (text: string) => ({ when: { purpose: "final" }, steps: [say(text)] });
const summary = { when: { purpose: "summary" }, steps: [say("the notes")], repeat: true };

const tools = () => [
  aTool("look", { can: { private_data: true } }),
  aTool("count", { gives: (input) => JSON.stringify(input) }),
  aTool("broken", { gives: () => failing("no such thing") }),
  aTool("change", { readOnly: false }),
  aTool("fetch", {
    can: { untrusted_input: true, external_send: true },
    gives: () => ({ content: "page", isError: false, fromOutside: true }),
  }),
  aTool("post", { readOnly: false, can: { external_send: true } }),
];

type Row = {
  name: string;
  rules: object[];
  over?: Partial<Omit<LoopParts, "limits">> & { limits?: Partial<LoopLimits> };
  prices?: boolean;
  text: string;
  outcome: Partial<Outcome>;
};

const looping = Array.from({ length: 8 }, (_, n) => call("count", { n }));

const rows: Row[] = [
  {
    name: "completed",
    rules: [turns(call("look"), say("Done."))],
    text: "Done.",
    outcome: {
      stop_cause: "completed",
      turns: 2,
      usage: usage(200, 20),
      usage_complete: true,
      tool_calls: 1,
    },
  },
  {
    name: "completed with a cost",
    rules: [turns(say("Done."))],
    prices: true,
    text: "Done.",
    outcome: { stop_cause: "completed", cost_usd: (100 * 2 + 10 * 8) / 1e6 },
  },
  {
    name: "a refusal with words is completed",
    rules: [turns({ text: "I will not.", stop: "refusal" })],
    text: "I will not.",
    outcome: { stop_cause: "completed", turns: 1 },
  },
  {
    name: "a token limit with words is completed",
    rules: [turns({ text: "So far", stop: "length" })],
    text: "So far",
    outcome: { stop_cause: "completed", turns: 1 },
  },
  {
    name: "a pause is asked on, and each continuation is a turn",
    rules: [turns({ text: "One, ", stop: "pause" }, { text: "two.", usage: usage(1, 1) })],
    text: "One, two.",
    outcome: { stop_cause: "completed", turns: 2 },
  },
  {
    name: "max_turns",
    rules: [always(call("count")), atTheEnd("What I have.")],
    over: { limits: { maxTurns: 3 } },
    text: "What I have.",
    outcome: {
      stop_cause: "max_turns",
      exhausted: true,
      turns: 3,
      tool_calls: 3,
      usage: usage(400, 40),
      usage_complete: true,
    },
  },
  {
    name: "max_turns of zero",
    rules: [atTheEnd("Nothing.")],
    over: { limits: { maxTurns: 0 } },
    text: "Nothing.",
    outcome: { stop_cause: "max_turns", exhausted: true, turns: 0, usage: usage(100, 10) },
  },
  {
    name: "max_turns without a last answer",
    rules: [always(call("broken"))],
    over: { limits: { maxTurns: 2, forceFinalAnswer: false } },
    text: "",
    outcome: { stop_cause: "max_turns", turns: 2, tool_errors: 2, ended_on_failed_call: false },
  },
  {
    name: "output_token_budget",
    rules: [always(call("count")), atTheEnd("Cut.")],
    over: { limits: { maxOutputTokens: 20 } },
    text: "Cut.",
    outcome: { stop_cause: "output_token_budget", exhausted: true, turns: 2, usage: usage(300, 30) },
  },
  {
    name: "cost_budget",
    rules: [always(call("count")), atTheEnd("Cut.")],
    over: { limits: { maxCostUsd: 0.00056 } },
    prices: true,
    text: "Cut.",
    outcome: { stop_cause: "cost_budget", exhausted: true, turns: 2, cost_usd: (300 * 2 + 30 * 8) / 1e6 },
  },
  {
    name: "a cost budget without prices ends nothing",
    rules: [turns(call("count"), say("Done."))],
    over: { limits: { maxCostUsd: 0 } },
    text: "Done.",
    outcome: { stop_cause: "completed", cost_usd: null },
  },
  {
    name: "interrupted",
    rules: [turns(say("never asked"))],
    over: { signal: AbortSignal.abort() },
    text: "",
    outcome: { stop_cause: "interrupted", turns: 0, usage: usage(0, 0), usage_complete: true },
  },
  {
    name: "loop",
    rules: [
      turns(...looping, call("count", { n: "again" }), call("count", { n: "again" })),
      summary,
      atTheEnd("Circles."),
    ],
    over: { limits: { compactAtTokens: 100, compactKeepRecent: 2 } },
    text: "Circles.",
    outcome: { stop_cause: "loop", exhausted: false, ended_on_failed_call: false },
  },
  {
    name: "no_output",
    rules: [turns(call("broken"), { text: "" }, { text: " \n" }, { thinking: "hm", text: "" }, { text: "" })],
    text: "",
    outcome: {
      stop_cause: "no_output",
      turns: 5,
      exhausted: false,
      ended_on_failed_call: false,
      tool_errors: 1,
    },
  },
  {
    name: "a productive turn starts the count of empty ones anew",
    rules: [
      turns(
        { text: "" },
        { text: "" },
        { text: "" },
        call("count"),
        { text: "" },
        { text: "" },
        { text: "" },
        say("At last."),
      ),
    ],
    text: "At last.",
    outcome: { stop_cause: "completed", turns: 8 },
  },
  {
    name: "tool_errors: a failed call that ends the run",
    rules: [turns(call("count"), call("broken"), say("It failed."))],
    text: "It failed.",
    outcome: { tool_calls: 2, tool_errors: 1, ended_on_failed_call: true },
  },
  {
    name: "tool_errors: a tool that does not exist",
    rules: [turns(call("nonesuch"), say("There is none."))],
    text: "There is none.",
    outcome: { tool_calls: 1, tool_errors: 1, ended_on_failed_call: true },
  },
  {
    name: "a failed call made good",
    rules: [turns(call("broken"), call("count"), say("Good."))],
    text: "Good.",
    outcome: { tool_calls: 2, tool_errors: 1, ended_on_failed_call: false },
  },
  {
    name: "tool_denied by the mode",
    rules: [turns(call("change"), say("I may not."))],
    over: { permissionMode: "read-only" },
    text: "I may not.",
    outcome: { tool_calls: 1, tool_denied: 1, tool_errors: 0, ended_on_failed_call: false },
  },
  {
    name: "tool_denied by the person",
    rules: [turns(call("broken"), call("change"), say("Very well."))],
    over: { permissionMode: "ask" },
    text: "Very well.",
    outcome: { tool_calls: 2, tool_denied: 1, tool_errors: 1, ended_on_failed_call: true },
  },
  {
    name: "tool_staged",
    rules: [turns(call("look"), call("fetch"), call("post"), say("Drafted."))],
    over: { outbox: { routes: (name) => name === "post", stage: async () => "kept as a draft" } },
    text: "Drafted.",
    outcome: { tool_calls: 3, tool_staged: 1, tool_denied: 0, tool_errors: 0, blocked_sends: 0 },
  },
  {
    name: "malformed_tool_args",
    rules: [turns({ calls: [{ tool: "count", arguments: '{"n": ' }] }, say("Oh."))],
    text: "Oh.",
    outcome: { tool_calls: 1, malformed_tool_args: 1, tool_errors: 0 },
  },
  {
    name: "blocked_sends",
    rules: [turns({ calls: [{ tool: "look" }, { tool: "fetch" }] }, call("post"), say("Refused."))],
    text: "Refused.",
    outcome: {
      tool_calls: 3,
      tool_denied: 1,
      blocked_sends: 1,
      tool_errors: 0,
      taint: { private: true, untrusted: true },
    },
  },
  {
    name: "compactions",
    rules: [turns(...looping.slice(0, 4), say("Done.")), summary],
    over: { limits: { compactAtTokens: 100, compactKeepRecent: 2 } },
    text: "Done.",
    outcome: { stop_cause: "completed", compactions: 1, turns: 5, usage: usage(600, 60) },
  },
  {
    name: "usage_complete is false when one request did not tell",
    rules: [turns({ ...call("count"), usage: null }, say("Done."))],
    text: "Done.",
    outcome: { usage: usage(100, 10), usage_complete: false },
  },
];

test.each(rows)("$name", async ({ rules, over, prices, text, outcome }) => {
  const model = scripted(rules, prices ? { inputPerMtok: 2, outputPerMtok: 8 } : null);
  const { parts } = aLoop(model, tools(), over);
  const result = await runLoop(parts, NEW, "Do it.");
  expect({ text: result.text, failure: result.failure, outcome: result.outcome }).toMatchObject({
    text,
    failure: null,
    outcome,
  });
});

test("a provider that fails is no stop", async () => {
  const model = scripted([turns(call("count"), { fail: { problem: "HTTP 500" } })]);
  const { parts } = aLoop(model, tools());
  const result = await runLoop(parts, NEW, "Do it.");
  expect(result).toMatchObject({
    failure: "HTTP 500",
    text: "",
    outcome: { stop_cause: null, turns: 2, tool_calls: 1, exhausted: false, usage_complete: false },
  });
  expect(result.conversation.messages).toHaveLength(3);
});
