import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { builtInScripts } from "#lib/agent/providers/built-in-scripts.ts";
import { parseScript } from "#lib/agent/providers/parse-script.ts";
import { root } from "#tests/support/module-graph.ts";

const problem = (value: unknown) => {
  const parsed = parseScript(typeof value === "string" ? value : JSON.stringify(value), "demo.json");
  return parsed.ok ? null : parsed.problem;
};
const withStep = (step: unknown) => ({ name: "a", rules: [{ steps: [step] }] });

test("every key that a script may have", () => {
  const usage = {
    input_tokens: 1,
    output_tokens: 2,
    cache_creation_input_tokens: 3,
    cache_read_input_tokens: 4,
  };
  const fail = { problem: "down", transient: true, overflow: false, retry_after_ms: 5, times: 2 };
  const when = {
    purpose: "final",
    prompt_is: "a",
    prompt_contains: "b",
    last_result_contains: "c",
    last_result_is_error: true,
    last_result_has_file: false,
    results: 0,
    tool_available: "d",
    seen_contains: "e",
    turn: 1,
  };
  const step = {
    text: "t",
    thinking: "h",
    calls: [{ tool: "x", input: { a: 1 }, id: "i" }],
    delay_ms: 1,
    chunk_delay_ms: 2,
    stop: "length",
    usage,
    fail,
    endless: true,
  };
  const file = { name: "n", model: "m", rules: [{ when, steps: [step], repeat: true }], otherwise: {} };
  const parsed = parseScript(`\uFEFF${JSON.stringify(file)}`, "demo.json");
  expect(parsed).toMatchObject({ ok: true, value: { ...file, otherwise: { usage: "estimate", calls: [] } } });
});

describe("what is wrong is said with its place", () => {
  const cases: [unknown, RegExp][] = [
    ['{"name": "a", ', /^demo\.json: it is cut off in the middle$/],
    ["[]", /^demo\.json: the file must be an object$/],
    [{ rules: [] }, /^demo\.json: name is missing$/],
    [{ name: " ", rules: [] }, /name is missing/],
    [{ name: "a" }, /rules is missing/],
    [{ name: "a", ruels: [] }, /^demo\.json: unknown key "ruels"; did you mean "rules"\?$/],
    [{ name: "a", rules: [], banana: 1 }, /unknown key "banana"; known are name, model, rules, otherwise$/],
    [{ name: "a", rules: {} }, /rules must be a list/],
    [{ name: "a", rules: [{}] }, /rules\[0\]\.steps must hold at least one step/],
    [
      { name: "a", rules: [{ steps: [{}], when: { promt_is: "x" } }] },
      /rules\[0\]\.when: unknown key "promt_is"; did you mean "prompt_is"\?/,
    ],
    [
      { name: "a", rules: [{ steps: [{}], when: { purpose: "answer" } }] },
      /rules\[0\]\.when\.purpose must be one of "turn", "final", "summary", "validate", "judge"/,
    ],
    [{ name: "a", rules: [{ steps: [{}], when: null }] }, /rules\[0\]\.when must be an object/],
    [{ name: "a", rules: [{ steps: [{}], when: { turn: 1.5 } }] }, /when\.turn must be a whole number/],
    [withStep({ text: 1 }), /rules\[0\]\.steps\[0\]\.text must be a text/],
    [withStep({ stop: "tool_calls" }), /steps\[0\]\.stop must be one of/],
    [withStep({ delay_ms: -1 }), /delay_ms must be a whole number from 0/],
    [withStep({ endless: "yes" }), /endless must be true or false/],
    [withStep({ calls: [{ input: {} }] }), /calls\[0\]\.tool is missing/],
    [withStep({ calls: [{ tool: "a", input: [] }] }), /calls\[0\]\.input must be an object/],
    [withStep({ calls: [{ tool: "a", input: {}, arguments: "" }] }), /arguments cannot stand beside input/],
    [withStep({ usage: { input_tokens: 1 } }), /usage\.output_tokens is missing: all four/],
    [withStep({ fail: {} }), /steps\[0\]\.fail\.problem is missing/],
    [withStep({ fail: { problem: "x", times: 0 } }), /fail\.times must be at least 1/],
    [{ name: "a", otherwise: { txt: "" } }, /otherwise: unknown key "txt"; did you mean "text"\?/],
  ];
  test.each(cases)("%j", (value, pattern) => expect(problem(value)).toMatch(pattern));

  test("an input that nests beyond reason", () => {
    const nested = `${'{"a":'.repeat(5000)}1${"}".repeat(5000)}`;
    const text = `{"name":"a","otherwise":{"calls":[{"tool":"t","input":${nested}}]}}`;
    expect(problem(text)).toBe("demo.json: otherwise.calls[0].input nests too deep");
  });
});

test("what is built in is a script that its own reader takes", async () => {
  expect([...builtInScripts.keys()]).toEqual(["scripted", "proposer", "perfect", "flawed"]);
  // The other two are data: loading them reads them.
  for (const load of builtInScripts.values()) await load();
  const script = await builtInScripts.get("scripted")?.();
  const written = JSON.stringify(script, (key, value) =>
    value === null || (key === "usage" && value === "estimate") ? undefined : value,
  );
  expect(parseScript(written, "built in")).toEqual({ ok: true, value: script });
});

test("the examples of the guide are scripts", () => {
  const guide = readFileSync(path.join(root, "docs/scripted.md"), "utf8");
  const examples = [...guide.matchAll(/```json\n(.*?)```/gs)].map(([, text = ""]) => text);
  expect(examples).toHaveLength(4);
  for (const text of examples) expect(parseScript(text, "scripted.md")).toMatchObject({ ok: true });
});
