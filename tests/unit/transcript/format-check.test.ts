import { describe, expect, it } from "vitest";
import { checkSession } from "#tests/support/format-check.ts";

// A check that finds nothing wrong has to be one that can.

const ID = "20260805T091500-3f2a1b7c";
const CONFIG =
  '{"record":"config","mecha_version":"0.1.11","provider":"local","model":"qwen3-moe","workspace":"/home/u/proj","system_prompt":null,"tools":["fs_list","fs_read"],"effort":"high","temperature":null,"seed":7,"thinking":true,"cache_prompt":true,"max_tokens":64000,"max_turns":40,"max_output_tokens":null,"max_cost_usd":null,"compact_at_tokens":null,"compact_keep_recent":6,"permission_mode":"ask","trifecta":"block","sandbox":"none","sandbox_network":false}';
const USAGE =
  '{"input_tokens":900,"output_tokens":40,"cache_creation_input_tokens":0,"cache_read_input_tokens":0}';
const LINES = [
  `{"record":"meta","id":"${ID}","created_at":"2026-08-05T09:15:00.120Z","provider":"local","model":"qwen3-moe","workspace":"/home/u/proj","title":"tidy"}`,
  CONFIG,
  '{"record":"message","role":"user","content":[{"type":"text","text":"go"}]}',
  '{"record":"message","role":"assistant","content":[{"type":"text","text":"Looking."},{"type":"tool_use","id":"t1","name":"fs_read","input":{"path":"README.md"}}]}',
  '{"record":"message","role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"# Title","is_error":false}]}',
  '{"record":"message","role":"assistant","content":[{"type":"text","text":"Done."}]}',
  '{"record":"taint","private":true,"untrusted":false}',
  `{"record":"summary","usage":${USAGE},"turns":2}`,
  `{"record":"outcome","turns":2,"usage":${USAGE},"usage_complete":true,"stop_cause":"completed","exhausted":false,"ended_on_failed_call":false,"tool_calls":1,"tool_errors":0,"tool_denied":0,"tool_staged":0,"malformed_tool_args":0,"blocked_sends":0,"compactions":0,"taint":{"private":true,"untrusted":false}}`,
];
const check = (lines: string[], killed = false) =>
  checkSession(Buffer.from(`${lines.join("\n")}\n`), { id: ID, order: "run", killed }).problems.join("; ");
const without = (at: number) => LINES.filter((_, line) => line !== at);
const changed = (from: string | RegExp, to: string) => LINES.map((line) => line.replace(from, to));

describe("the check of a session's format", () => {
  it("finds nothing in a right one, and reads its row", () => {
    const checked = checkSession(Buffer.from(`${LINES.join("\n")}\n`), { id: ID, order: "run" });
    expect(checked.problems).toEqual([]);
    expect(checked.rows).toMatchObject([
      { provider: "local", model: "qwen3-moe", counters: { turns: 2, tool_calls: 1 } },
    ]);
  });

  it.each([
    ["no header", without(0), "config record stands here"],
    ["no config", without(1), "no config record follows"],
    ["a lost result", without(4), "results [] for the calls [t1]"],
    ["no summary", without(7), "outcome without its summary"],
    ["two outcomes", [...LINES, LINES[8] ?? ""], "a second outcome record"],
    ["taint behind summary", [...without(6), LINES[6] ?? ""], "taint behind outcome"],
    ["another id", changed(ID, "20260805T091500-00000000"), "the header's id is"],
    ["a float for a count", changed('"tool_errors":0', '"tool_errors":0.0'), "tool_errors holds"],
    ["a count beyond 32 bits", changed('"turns":2,"usage"', '"turns":4294967296,"usage"'), "turns holds"],
    ["a key twice", changed('"turns":2,"usage"', '"turns":2,"turns":2,"usage"'), "keys record,turns,turns"],
    [
      "an unknown key",
      changed('"private":true,"untrusted":false}', '"private":true,"untrusted":false,"x":1}'),
      "keys",
    ],
    ["an unsorted tool list", changed('"fs_list","fs_read"', '"fs_read","fs_list"'), "not in order"],
    ["an unknown cause", changed('"stop_cause":"completed"', '"stop_cause":"end_turn"'), "stop_cause holds"],
    ["a false exhausted", changed('"exhausted":false', '"exhausted":true'), "exhausted beside completed"],
    ["a wrong count of calls", changed('"tool_calls":1', '"tool_calls":2'), "tool_calls 2, and 1"],
    ["a failure that was none", changed('"is_error":false', '"is_error":true'), "tool_errors 0, and 1"],
    ["a null cost", changed('"usage_complete"', '"cost_usd":null,"usage_complete"'), "cost_usd holds"],
    ["half a usage", changed(/,"cache_read_input_tokens":0/, ""), "usage holds"],
    ["a role of its own", changed('"role":"assistant"', '"role":"tool"'), "role tool"],
    [
      "an unknown block",
      changed('"type":"text","text":"go"', '"type":"note","text":"go"'),
      "block type note",
    ],
    ["white space", changed('{"record":"taint",', '{ "record":"taint",'), "no string"],
    ["an empty line", [...LINES.slice(0, 6), "", ...LINES.slice(6)], "no value"],
  ])("says so of %s", (_, lines, problem) => {
    expect(check(lines)).toContain(problem);
  });

  it("allows a torn end only after a kill", () => {
    const torn = Buffer.from(`${LINES.slice(0, 6).join("\n")}\n{"record":"tai`);
    expect(checkSession(torn, { id: ID, order: "run" }).problems).toEqual(["the last line has no end"]);
    expect(checkSession(torn, { id: ID, order: "run", killed: true }).problems).toEqual([]);
  });
});
