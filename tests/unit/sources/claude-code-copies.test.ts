import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/sources/adapter.ts";
import { scanRuns } from "#lib/sources/scan.io.ts";
import {
  answer,
  apiError,
  boundary,
  calls,
  interruption,
  result,
  runsOf,
  SESSION,
  text,
  user,
} from "./claude-code-lines.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "mecha-copies-"));
afterAll(() => rmSync(folder, { recursive: true }));
let made = 0;

const OTHER = "11111111-2222-4333-8444-555555555555";
const renamed = (records: readonly JsonObject[]) => records.map((one) => ({ ...one, sessionId: OTHER }));
const summary = () => user("This session is being continued", { isCompactSummary: true });

/** Scans a store of these files: which runs count, what is left out, and the tokens of what counts. */
async function scanned(files: Record<string, readonly JsonObject[]>) {
  const place = path.join(folder, String(++made));
  for (const [name, records] of Object.entries(files)) {
    const file = path.join(place, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, records.map((one) => `${JSON.stringify(one)}\n`).join(""));
  }
  const { runs, coverage } = await scanRuns({ kind: "claude-code", place });
  return {
    runs: runs.map((row) => `${row.session_id} ${row.run}${row.subagent ? " sub" : ""}`).sort(),
    output: runs.reduce((sum, row) => sum + row.usage.output_tokens, 0),
    left: {
      duplicate: coverage.runs_duplicate,
      unfinished: coverage.runs_unfinished,
      provider_error: coverage.runs_provider_error,
    },
  };
}

describe("records written a second time into the same file", () => {
  const history = () => [
    user("one"),
    calls(["a"]),
    result("a", "no", true),
    answer(),
    boundary(),
    summary(),
    user("two"),
    calls(["b"]),
    interruption(),
    user("three"),
    apiError(),
    user("four"),
    calls(["c"]),
    result("c"),
  ];

  test("count once, whatever they are", () => {
    const once = history();
    const [first, second] = runsOf(...once, ...once).runs;
    expect(runsOf(...once, ...once)).toEqual(runsOf(...once));
    expect(first).toMatchObject({ stop_cause: "completed", tool_errors: 1, compactions: 1, turns: 2 });
    expect(second).toMatchObject({ stop_cause: "interrupted", turns: 1 });
  });

  test("leave a run that goes on behind them the same run", () => {
    const once = history();
    const { runs } = runsOf(...once, boundary(), summary(), ...once, answer());
    expect(runs.map(({ run }) => run)).toEqual([1, 2, 4]);
    expect(runs[2]).toMatchObject({ stop_cause: "completed", turns: 2, tool_calls: 1, compactions: 1 });
  });

  test("with another id are other records: a prompt may be given twice", () => {
    expect(runsOf(user("go on"), answer(), user("go on"), answer()).runs.length).toBe(2);
  });
});

describe("a session that starts with a copy of another one's records", () => {
  const history = () => [user("one"), calls(["a"]), result("a", "no", true), answer(), user("two"), answer()];

  test("under its own id: the copy counts once", async () => {
    const old = history();
    const { runs, output, left } = await scanned({
      [`-p/${SESSION}.jsonl`]: old,
      [`-p/${OTHER}.jsonl`]: [...renamed([...old, user("three"), answer()])],
    });
    expect(runs).toEqual([`${OTHER} 1`, `${OTHER} 2`, `${OTHER} 3`]);
    expect([output, left]).toEqual([40, { duplicate: 2, unfinished: 0, provider_error: 0 }]);
  });

  test("cut in the middle of a run that went on in both: the longer one is the run", async () => {
    const old = [user("one"), calls(["a"]), result("a")];
    const { runs, left } = await scanned({
      [`-p/${SESSION}.jsonl`]: [...old, answer()],
      [`-p/${OTHER}.jsonl`]: renamed([...old, answer("a longer one than that of the first"), user("x")]),
    });
    expect([runs, left]).toEqual([[`${OTHER} 1`], { duplicate: 1, unfinished: 0, provider_error: 0 }]);
  });

  test("unfinished there, finished here: it is no unfinished run", async () => {
    const old = [user("one"), calls(["a"])];
    const { runs, left } = await scanned({
      [`-p/${SESSION}.jsonl`]: [...old, result("a"), answer()],
      [`-p/${OTHER}.jsonl`]: renamed(old),
    });
    expect([runs, left]).toEqual([[`${SESSION} 1`], { duplicate: 1, unfinished: 0, provider_error: 0 }]);
  });

  test("unfinished in the larger file, finished in the smaller one: it is a finished run", async () => {
    const old = [user("one"), calls(["a"])];
    const { runs, left } = await scanned({
      [`-p/${SESSION}.jsonl`]: [user("before"), answer("x".repeat(5000)), ...old],
      [`-p/${OTHER}.jsonl`]: renamed([...old, result("a"), answer()]),
    });
    expect(runs).toEqual([`${SESSION} 1`, `${OTHER} 1`]);
    expect(left).toEqual({ duplicate: 1, unfinished: 0, provider_error: 0 });
  });

  test("a provider's error in both is one", async () => {
    const old = [user("one"), apiError()];
    const { left } = await scanned({
      [`-p/${SESSION}.jsonl`]: old,
      [`-p/${OTHER}.jsonl`]: renamed([...old, user("two"), answer()]),
    });
    expect(left).toEqual({ duplicate: 1, unfinished: 0, provider_error: 1 });
  });

  test("runs of one session that were given one time are no copies of each other", async () => {
    const at = { timestamp: "2026-04-02T00:00:00.000Z" };
    const { runs, left } = await scanned({
      [`-p/${SESSION}.jsonl`]: [
        user("a", at),
        answer(),
        user("b", at),
        apiError(),
        user("c", at),
        calls(["x"]),
      ],
    });
    expect([runs, left]).toEqual([[`${SESSION} 1`], { duplicate: 0, unfinished: 1, provider_error: 1 }]);
  });

  test("two sessions that start in the same millisecond are two", async () => {
    const at = { timestamp: "2026-04-02T00:00:00.000Z" };
    const { runs, left } = await scanned({
      [`-p/${SESSION}.jsonl`]: [user("job", at), answer()],
      [`-p/${OTHER}.jsonl`]: renamed([user("job", at), answer()]),
    });
    expect([runs.length, left.duplicate]).toEqual([2, 0]);
  });

  test("sub-agents of one millisecond are not one because a gateway gives all answers one id", async () => {
    const at = { timestamp: "2026-04-02T00:00:00.000Z", isSidechain: true };
    const agent = (agentId: string, input_tokens: number) =>
      [
        user("task", at),
        answer("x", { id: "gw", usage: { input_tokens, output_tokens: 5 }, rest: { isSidechain: true } }),
      ].map((one) => ({ ...one, agentId }));
    const { runs, left } = await scanned({
      [`-p/${SESSION}/subagents/agent-a.jsonl`]: agent("a", 10),
      [`-p/${SESSION}/subagents/agent-b.jsonl`]: agent("b", 11),
    });
    expect([runs, left.duplicate]).toEqual([["agent-a 1 sub", "agent-b 1 sub"], 0]);
  });

  test("a sub-agent's file that copies its parent leaves the parent its runs, although it is larger", async () => {
    const old = history();
    const inside = [...old, user("sum it up"), answer(), user("and again"), answer("x".repeat(5000))];
    const { runs, left } = await scanned({
      [`-p/${SESSION}.jsonl`]: old,
      [`-p/${SESSION}/subagents/agent-acompact-1.jsonl`]: inside.map((one) => ({
        ...one,
        isSidechain: true,
        agentId: "acompact-1",
      })),
    });
    expect(runs).toEqual([
      `${SESSION} 1`,
      `${SESSION} 2`,
      "agent-acompact-1 3 sub",
      "agent-acompact-1 4 sub",
    ]);
    expect(left.duplicate).toBe(2);
  });
});

describe("a project's folder behind a link", () => {
  test("is read, and counted as unreadable when the link leads nowhere", async () => {
    const place = path.join(folder, "linked");
    mkdirSync(path.join(folder, "elsewhere"));
    writeFileSync(
      path.join(folder, "elsewhere", `${SESSION}.jsonl`),
      [user("one"), answer()].map((one) => `${JSON.stringify(one)}\n`).join(""),
    );
    mkdirSync(place);
    symlinkSync("../elsewhere", path.join(place, "-here"));
    symlinkSync("../nowhere", path.join(place, "-gone"));
    const { runs, coverage } = await scanRuns({ kind: "claude-code", place });
    expect([runs.length, coverage.sessions_unreadable]).toEqual([1, 1]);
  });
});

describe("what the harness writes into a session", () => {
  const countsAfter = (content: string) => {
    const { runs } = runsOf(user("hi"), calls(["a"]), result("a", content, true), answer());
    return [runs[0]?.tool_errors, runs[0]?.tool_denied, runs[0]?.ended_on_failed_call];
  };

  test.each([
    "PreToolUse:Bash hook error: [python3 guard.py]: not on this branch",
    "PreToolUse:mcp__db__query hook error: no",
    "Hook PreToolUse:Write denied this tool",
    "Error: Bash operation blocked by hook:\n- [guard.sh]: no",
    "<tool_use_error>File is in a directory that is denied by your permission settings.</tool_use_error>",
    "Agent type 'Explore' has been denied by permission rule 'Task(Explore)' from settings.",
    "claude-opus-4-6 is temporarily unavailable, so auto mode cannot determine the safety of Bash right now.",
    "Auto mode could not evaluate this action and is blocking it for safety",
    "Permission for this action has been denied. Reason: pushes to main",
  ])("a refusal by a hook or a rule is no error: %s", (content) => {
    expect(countsAfter(content)).toEqual([0, 1, false]);
  });

  test.each([
    "the log says PreToolUse:Bash hook error: no",
    "PostToolUse:Bash hook error: lint failed",
    "this operation blocked by hook",
    "Tool permission request failed: stream closed",
  ])("an error that only talks of one is an error: %s", (content) => {
    expect(countsAfter(content)).toEqual([1, 0, true]);
  });

  test("a stop hook's objection is no prompt", () => {
    const { runs } = runsOf(
      user("hi"),
      answer(),
      user("Stop hook feedback:\n[check.sh]: tests fail"),
      answer(),
    );
    expect(runs).toMatchObject([{ turns: 2, stop_cause: "completed" }]);
  });

  test.each([
    ["only by lifetime", { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 7 }, undefined, 12],
    ["by lifetime and in sum", { ephemeral_5m_input_tokens: 5, ephemeral_1h_input_tokens: 7 }, 12, 12],
    ["by one lifetime", { ephemeral_1h_input_tokens: 7 }, undefined, 7],
    ["by none", {}, undefined, 0],
  ])("cache writes given %s", (_, cache_creation, cache_creation_input_tokens, count) => {
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation, cache_creation_input_tokens };
    const { runs } = runsOf(user("hi"), answer("x", { usage }));
    expect(runs[0]?.usage.cache_creation_input_tokens).toBe(count);
    expect(runs[0]?.usage_complete).toBe(true);
  });

  test("a call's id that another message uses again is another call", () => {
    const once = [calls(["Bash:0"], { id: "m1" }), result("Bash:0", "no", true)];
    const { runs } = runsOf(
      user("hi"),
      ...once,
      calls(["Bash:0"], { id: "m2" }),
      result("Bash:0"),
      answer(),
      user("and"),
      calls(["Bash:0", "Bash:0"], { id: "m3" }),
      result("Bash:0", "no", true),
      answer(),
    );
    expect(runs).toMatchObject([
      { tool_calls: 2, tool_errors: 1, ended_on_failed_call: false },
      { tool_calls: 1, tool_errors: 1, ended_on_failed_call: true },
    ]);
  });

  test("an empty message id names nothing: two such messages are two", () => {
    const { runs } = runsOf(user("hi"), answer("x", { id: "" }), user("and"), answer("y", { id: "" }));
    expect(runs.map(({ turns }) => turns)).toEqual([1, 1]);
  });

  const read = (tokens: number, cached = 0) => ({
    input_tokens: tokens,
    output_tokens: 5,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: cached,
  });

  test("a gateway that gives every answer one id: each request is a turn, and each prompt a run", () => {
    const { runs } = runsOf(
      user("hi"),
      calls(["a"], { id: "gw", usage: read(10) }),
      result("a", "no", true),
      answer("x", { id: "gw", usage: read(2, 13) }),
      user("and"),
      answer("y", { id: "gw", usage: read(20) }),
    );
    expect(runs).toMatchObject([
      { turns: 2, tool_calls: 1, tool_errors: 1, usage: { input_tokens: 12, output_tokens: 10 } },
      { turns: 1, tool_calls: 0, stop_cause: "completed", usage: { input_tokens: 20, output_tokens: 5 } },
    ]);
  });

  test("one id in two requests is two messages, whatever they count", () => {
    const of = (requestId: string) => ({ id: "m", usage: read(10), rest: { requestId } });
    const { runs } = runsOf(user("hi"), calls(["a"], of("r1")), result("a"), answer("x", of("r2")));
    expect(runs).toMatchObject([{ turns: 2, usage: { input_tokens: 20 } }]);
  });

  test.each([
    ["of one request", { usage: read(11), rest: { requestId: "r" } }, "tool_use"],
    ["of one size", { usage: read(10) }, "tool_use"],
    ["of a size nobody counted", { usage: read(0) }, "tool_use"],
    ["behind one that was not whole", { usage: read(11) }, null],
  ])("lines of an id with a result between them are one message: %s", (_, later, stop) => {
    const { rest } = { rest: {}, ...later };
    const { runs } = runsOf(
      user("hi"),
      calls(["a"], { id: "m", stop, usage: read(10), rest }),
      result("a"),
      calls(["b"], { id: "m", ...later }),
      result("b"),
      answer("x", { usage: read(30) }),
    );
    expect(runs).toMatchObject([{ turns: 2, tool_calls: 2 }]);
  });

  test.each([
    ["advisor_message", false],
    ["compaction", false],
    ["message", true],
  ])("a request of type %s beside the message's own: is its usage complete?", (type, complete) => {
    const own = { type: "message", input_tokens: 1, output_tokens: 1 };
    const usage = { input_tokens: 2, output_tokens: 2, iterations: [own, { ...own, type, input_tokens: 9 }] };
    const { runs } = runsOf(user("hi"), answer("x", { usage }));
    expect(runs[0]).toMatchObject({ usage_complete: complete, usage: { input_tokens: 2, output_tokens: 2 } });
  });

  test("a lifetime that is no count makes the usage a lower bound", () => {
    const usage = { input_tokens: 1, output_tokens: 1, cache_creation: { ephemeral_1h_input_tokens: -7 } };
    const { runs } = runsOf(user([text("hi")]), answer("x", { usage }));
    expect(runs[0]).toMatchObject({ usage_complete: false, usage: { cache_creation_input_tokens: 0 } });
  });
});
