import { describe, expect, test } from "vitest";
import type { JsonObject } from "#lib/sources/adapter.ts";
import {
  answer,
  apiError,
  assistant,
  boundary,
  call,
  calls,
  interruption,
  readLines,
  result,
  runsOf,
  SESSION,
  system,
  text,
  user,
} from "./claude-code-lines.ts";

const only = (...records: JsonObject[]) => {
  const { runs } = runsOf(...records);
  expect(runs.length).toBe(1);
  return runs[0] as (typeof runs)[number];
};

const stopped = (id: string) =>
  user([
    { type: "tool_result", tool_use_id: id, content: "" },
    text("[Request interrupted by user for tool use]"),
  ]);
const denial = (id: string) => result(id, "The user doesn't want to proceed with this tool use", true);

describe("where a run starts", () => {
  test.each([
    ["a meta record", user("x", { isMeta: true })],
    ["the summary after a compaction", user("x", { isCompactSummary: true })],
    ["what only the transcript shows", user("x", { isVisibleInTranscriptOnly: true })],
    ["a local command's output", user("<local-command-stdout>ok</local-command-stdout>")],
    ["a shell line typed by a person", user("<bash-input>ls</bash-input>")],
    ["its output", user("<bash-stdout>a</bash-stdout>")],
    ["its errors", user("<bash-stderr>a</bash-stderr>")],
    ["the caveat before local commands", user("Caveat: The messages below were generated")],
    ["a system reminder", user([text("<system-reminder>x</system-reminder>")])],
    ["a hook that stopped an operation", user("Operation stopped by hook: no")],
    ["a task notification", user("<task-notification>done</task-notification>")],
    ["a notification known by its origin", user("done", { origin: { kind: "task-notification" } })],
    ["a command in the background that ended", user("<bash-notification>\n<shell-id>a</shell-id>")],
    ["an agent in the background that ended", user("<agent-notification>\n<agent-id>a</agent-id>")],
    ["a report of an agent of the team", user('<teammate-message teammate_id="dev" color="blue">\ndone')],
    [
      "words of another session",
      user("Another Claude session sent a message:\n<cross-session-message from=x>"),
    ],
    ["words of another session alone", user("<cross-session-message from=x>")],
    ["words of another agent", user('<agent-message from="a">done</agent-message>')],
    ["words of a coordinator", user("The coordinator sent a message while you were working:\ngo on")],
    ...["auto-continuation", "peer", "coordinator"].map((kind): [string, JsonObject] => [
      `what has the origin ${kind}`,
      user("go on", { origin: { kind } }),
    ]),
    ["an empty text", user("")],
    ["no content", user(null)],
    [
      "steering beside a result",
      user([{ type: "tool_result", tool_use_id: "t", content: "" }, text("go on")]),
    ],
  ])("not at %s", (_, record) => {
    expect(only(user("first"), record, answer()).turns).toBe(1);
  });

  test.each([
    ["a string", user("hello")],
    ["a text block", user([text("hello")])],
    ["an image alone", user([{ type: "image", source: {} }])],
    ["text behind a reminder", user([text("<system-reminder>x</system-reminder>"), text("hello")])],
    ["a command that the model answers", user("<command-name>/review</command-name>")],
    ["a task from the lead of a team", user('<teammate-message teammate_id="team-lead" summary="x">\ndo it')],
    ["a message through a channel", user("<channel source=chat>hi", { origin: { kind: "channel" } })],
    ["a queued prompt", user("hello", { promptSource: "queued", origin: { kind: "human" } })],
  ])("at %s", (_, record) => {
    expect(runsOf(user("first"), answer(), record, answer()).runs.length).toBe(2);
  });

  test("a local command that nothing answers is no run, and takes no number", () => {
    const { runs } = runsOf(user("<command-name>/clear</command-name>"), user("hi"), answer());
    expect(runs.map((row) => row.run)).toEqual([1]);
  });

  test("an agent that only other agents speak to has a run", () => {
    const words = user('<teammate-message teammate_id="dev">help</teammate-message>');
    expect(only(words, answer(), user("more", { origin: { kind: "peer" } }), answer()).turns).toBe(2);
  });

  test("what stands before the first prompt belongs to no run", () => {
    expect(only(calls(["a"]), result("a", "no", true), user("hi"), answer())).toMatchObject({
      turns: 1,
      tool_calls: 0,
      tool_errors: 0,
    });
  });

  test("a message that straddles a prompt counts where it began", () => {
    const { runs } = runsOf(
      user("one"),
      calls(["a"], { id: "m" }),
      user("two"),
      assistant([call("b")], { id: "m", stop: "tool_use" }),
      result("a"),
      result("b", "no", true),
      answer("first is done", { id: "m" }),
      answer(),
    );
    expect(runs.map((row) => [row.turns, row.tool_calls, row.tool_errors])).toEqual([
      [1, 2, 1],
      [1, 0, 0],
    ]);
  });
});

describe("messages and usage", () => {
  const usage = (output: unknown, more: JsonObject = {}) => ({
    input_tokens: 1,
    output_tokens: output,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    ...more,
  });

  test("one message is several lines: the last one's usage counts, its calls once each", () => {
    const row = only(
      user("hi"),
      assistant([text("a")], { id: "m", stop: null, usage: usage(3) }),
      assistant([call("a")], { id: "m", stop: null, usage: usage(3) }),
      result("a"),
      assistant([call("a"), call("b")], { id: "m", stop: "tool_use", usage: usage(80) }),
      result("b"),
      answer("end", { usage: usage(5) }),
    );
    expect(row).toMatchObject({ turns: 2, tool_calls: 2, usage_complete: true });
    expect(row.usage.output_tokens).toBe(85);
  });

  test("a message without a stop reason makes the usage a lower bound", () => {
    const row = only(user("hi"), calls(["a"], { stop: null }), result("a"), answer());
    expect(row).toMatchObject({ usage_complete: false, tool_calls: 1 });
  });

  test.each([
    ["negative", usage(-5)],
    ["a string", usage("12")],
    ["a fraction", usage(1.5)],
    ["huge", usage(1e300)],
    ["missing", { input_tokens: 1 }],
    ["no object", "many"],
    ["a list", [1, 2]],
  ])("a count that is %s is left out, and the usage becomes a lower bound", (_, broken) => {
    const row = only(
      user("hi"),
      calls(["a"], { usage: broken }),
      result("a"),
      answer("x", { usage: usage(7) }),
    );
    expect(row.usage.output_tokens).toBe(7);
    expect(row.usage_complete).toBe(false);
  });

  test("cache counts that a version does not write are zero", () => {
    const row = only(user("hi"), answer("x", { usage: { input_tokens: 4, output_tokens: 2 } }));
    expect(row.usage).toEqual({
      input_tokens: 4,
      output_tokens: 2,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
    });
    expect(row.usage_complete).toBe(true);
  });

  test("the model with most messages names the run; of equals the first", () => {
    const said = (model: string) => answer("x", { model });
    expect(only(user("hi"), said("a"), said("b"), said("b")).model).toBe("b");
    expect(only(user("hi"), said("a"), said("b")).model).toBe("a");
  });

  test("what the harness writes in the model's place is no turn", () => {
    const row = only(user("hi"), answer(), answer("No response requested.", { model: "<synthetic>" }));
    expect(row).toMatchObject({ turns: 1, model: "claude-opus-4-6", stop_cause: "completed" });
  });
});

describe("tool results", () => {
  const countsAfter = (content: unknown, rest: JsonObject = {}) => {
    const row = only(user("hi"), calls(["a"]), result("a", content, true, rest), answer());
    return [row.tool_errors, row.tool_denied, row.tool_cancelled, row.ended_on_failed_call];
  };
  const ERROR = [1, 0, 0, true];
  const DENIED = [0, 1, 0, false];
  const CANCELLED = [0, 0, 1, false];

  test.each([
    ["The user doesn't want to proceed with this tool use. The tool use was rejected", DENIED],
    ["Error: The user doesn't want to take this action right now. STOP", DENIED],
    ["Permission prompt was aborted", DENIED],
    ["Permission for this action was denied by the Claude Code auto mode classifier. Reason: x", DENIED],
    ["This command requires approval", DENIED],
    [
      "This Bash command contains multiple operations. The following part requires approval: ls /a; echo ---",
      DENIED,
    ],
    [
      "This Bash command contains multiple operations. The following parts require approval: git push, ls",
      DENIED,
    ],
    ["cd in '/a b/c' was blocked. For security, Claude Code may only change directories to the", DENIED],
    ["Output redirection to '/a' was blocked. For security, Claude Code may only write to files in", DENIED],
    ["Output redirection to '/a' was blocked by a deny rule.", DENIED],
    ["Dangerous rm operation detected: '/a'", DENIED],
    [
      "Commands that change directories and perform write operations require explicit approval to ensure",
      DENIED,
    ],
    ["connection to 'a' was blocked by the firewall", ERROR],
    [
      "Permission for this tool use was denied. It requires approval, and this session has no approval surface",
      DENIED,
    ],
    ["The server-side auto mode classifier gave no verdict on this action. Try again.", DENIED],
    ["Claude requested permissions to write to /a, but you haven't granted it yet.", DENIED],
    ["Permission to use Bash with command rm has been denied.", DENIED],
    ["<tool_use_error>Sibling tool call errored</tool_use_error>", CANCELLED],
    ["<tool_use_error>Cancelled: parallel tool call Bash(ls) errored</tool_use_error>", CANCELLED],
    ["[Request interrupted by user for tool use]", CANCELLED],
    ["<tool_use_error>InputValidationError: Edit failed</tool_use_error>", ERROR],
    ["Exit code 1", ERROR],
    ["<tool_use_error>File has not been read yet</tool_use_error>", ERROR],
    ["Blocked: sleep 60", ERROR],
    ["he said: The user doesn't want to proceed with this tool use", ERROR],
    ["", ERROR],
  ])("%j", (content, counts) => {
    expect(countsAfter(content)).toEqual(counts);
    expect(countsAfter([{ type: "image" }, text(content)])).toEqual(counts);
  });

  test("a result that is no error is never a refusal, whatever it says", () => {
    const words = "The user doesn't want to proceed with this tool use";
    expect(only(user("hi"), calls(["a"]), result("a", words), answer())).toMatchObject({
      tool_errors: 0,
      tool_denied: 0,
    });
  });

  test.each([
    ["user-rejected", DENIED],
    ["permission-rule", DENIED],
    ["automode-blocked", DENIED],
    ["a kind to come", DENIED],
    ["interrupted", CANCELLED],
    ["cancelled", CANCELLED],
  ])("the record's own word goes before its text: %s", (toolDenialKind, counts) => {
    expect(countsAfter("anything", { toolDenialKind })).toEqual(counts);
  });

  test("a result may stand before its call", () => {
    const row = only(user("hi"), result("a", "no", true), calls(["a"]), answer());
    expect(row).toMatchObject({ tool_calls: 1, tool_errors: 1 });
  });

  test("a second result of one call changes nothing", () => {
    const row = only(user("hi"), calls(["a"]), result("a", "no", true), result("a"), answer());
    expect(row).toMatchObject({ tool_calls: 1, tool_errors: 1, ended_on_failed_call: true });
  });

  test("errors never outnumber the calls they are a share of", () => {
    const row = only(
      user("hi"),
      result("x", "no", true),
      result("y", "no", true),
      calls(["a"]),
      result("a"),
      answer(),
    );
    expect(row).toMatchObject({ tool_calls: 1, tool_errors: 1 });
  });
});

describe("how a run ended", () => {
  test.each([
    ["end_turn", [answer()], "completed"],
    ["stop_sequence", [answer("x", { stop: "stop_sequence" })], "completed"],
    ["no stop reason, text last", [answer("x", { stop: null })], "completed"],
    ["a token limit with text", [answer("x", { stop: "max_tokens" })], "completed"],
    ["a token limit without text", [assistant([{ type: "thinking" }], { stop: "max_tokens" })], "no_output"],
    ["a refusal with text", [answer("x", { stop: "refusal" })], "completed"],
    ["a refusal without a word", [assistant([], { stop: "refusal" })], "no_output"],
    ["an interruption", [answer(), interruption()], "interrupted"],
    ["a marker that shares its record with a result", [calls(["a"]), stopped("a")], "interrupted"],
    ["an interruption before any answer", [interruption()], "interrupted"],
    ["a person's refusal", [calls(["a"]), denial("a")], "interrupted"],
    ["a recovered provider error", [apiError(), answer()], "completed"],
    ["a recovered interruption", [interruption(), user("<task-notification>"), answer()], "completed"],
  ] as const)("%s", (_, records, cause) => {
    expect(only(user("hi"), ...records)).toMatchObject({ stop_cause: cause, exhausted: false });
  });

  test.each([
    ["a call that waits", [calls(["a"])]],
    ["a result that waits for its answer", [calls(["a"]), result("a")]],
    ["a cancelled call", [calls(["a"]), result("a", "Sibling tool call errored", true)]],
    ["a policy's refusal", [calls(["a"]), result("a", "This command requires approval", true)]],
    ["no stop reason and no text at the end", [assistant([text("x"), { type: "thinking" }], { stop: null })]],
    ["no stop reason and a call open", [assistant([call("a"), text("x")], { stop: null })]],
    ["a pause", [answer("x", { stop: "pause_turn" })]],
  ] as const)("unfinished: %s", (_, records) => {
    const { runs, unfinished } = runsOf(user("hi", { timestamp: "2026-04-02T00:00:00Z" }), ...records);
    expect([runs, unfinished]).toEqual([[], ["2026-04-02T00:00:00Z"]]);
  });

  test("a provider error at the end gives no row", () => {
    const { runs, provider_errors } = runsOf(user("hi", { timestamp: "2026-04-02T00:00:00.5Z" }), apiError());
    expect([runs, provider_errors]).toEqual([[], ["2026-04-02T00:00:00.500Z"]]);
  });

  test("a run keeps its number when the one before it gives no row", () => {
    const { runs } = runsOf(user("one"), apiError(), user("two"), answer());
    expect(runs.map((row) => row.run)).toEqual([2]);
  });

  test("no_output is no stop of the model's, so the run did not end on a failed call", () => {
    const row = only(
      user("hi"),
      calls(["a"]),
      result("a", "no", true),
      assistant([], { stop: "max_tokens" }),
    );
    expect(row).toMatchObject({ stop_cause: "no_output", tool_errors: 1, ended_on_failed_call: false });
  });
});

describe("compactions", () => {
  const summary = () => user("This session is being continued", { isCompactSummary: true });
  test.each([
    ["a boundary and its summary are one", [boundary(), summary()], 1],
    ["a summary alone is one", [summary()], 1],
    ["a boundary alone is one", [boundary()], 1],
    ["two", [boundary(), summary(), boundary(), summary()], 2],
    ["a small compaction is none", [system("microcompact_boundary")], 0],
  ])("%s", (_, records, count) => {
    expect(only(user("hi"), ...records, answer()).compactions).toBe(count);
  });
});

describe("sub-agents", () => {
  const side = (record: JsonObject, uuid: string, parentUuid: string | null): JsonObject => ({
    ...record,
    isSidechain: true,
    uuid,
    parentUuid,
  });

  test("inline ones are rows of their own, told apart by their chain of parents", () => {
    const { runs } = runsOf(
      user("hi"),
      calls(["task1", "task2"]),
      side(user("first job"), "s1", null),
      side(user("second job"), "s2", null),
      side(calls(["a"]), "s1b", "s1"),
      side(result("a", "no", true), "s1c", "s1b"),
      side(answer(), "s2b", "s2"),
      side(answer(), "s1d", "s1c"),
      result("task1"),
      result("task2"),
      answer(),
    );
    expect(runs.map((row) => [row.session_id, row.run, row.subagent, row.turns, row.tool_errors])).toEqual([
      [SESSION, 1, false, 2, 0],
      ["agent-s1", 1, true, 2, 1],
      ["agent-s2", 1, true, 1, 0],
    ]);
  });

  test("a file of its own belongs to its parent session", () => {
    const lines = [user("job"), answer()].map((one) =>
      JSON.stringify({ ...one, isSidechain: true, agentId: "ab12" }),
    );
    for (const [relative, id] of [
      ["p/s/subagents/agent-ab12.jsonl", "agent-ab12"],
      ["p/agent-acompact-ff.jsonl", "agent-acompact-ff"],
      ["copy.jsonl", "agent-ab12"],
    ] as const) {
      const { head, result: read } = readLines(lines, relative);
      expect(head).toMatchObject({ id, subagent: true, parent_id: SESSION });
      expect(read?.runs).toMatchObject([{ session_id: id, subagent: true, run: 1, stop_cause: "completed" }]);
    }
  });
});

describe("whose run it is", () => {
  test("a resumed or forked file keeps the session of the runs it copied", () => {
    const { runs } = runsOf(
      user("old", { sessionId: "first" }),
      answer(),
      user("forked", { forkedFrom: { sessionId: "second", messageUuid: "x" } }),
      answer(),
      user("new"),
      answer(),
    );
    expect(runs.map((row) => row.session_id)).toEqual(["first", "second", SESSION]);
  });

  test("settings come from the prompt and the answer, one object per setting", () => {
    const { runs } = runsOf(
      user("a", { permissionMode: "plan" }),
      answer("x", { rest: { effort: "high" } }),
      user("b", { permissionMode: "plan" }),
      answer("x", { rest: { effort: "high" } }),
      user("c"),
      answer(),
    );
    expect(runs.map((row) => row.config)).toEqual([
      { harness_version: "2.1.101", permission_mode: "plan", effort: "high" },
      { harness_version: "2.1.101", permission_mode: "plan", effort: "high" },
      { harness_version: "2.1.101" },
    ]);
    expect(runs[0]?.config).toBe(runs[1]?.config);
  });

  test.each(["never", 5, null, "2026-13-01T00:00:00Z", "+275760-09-13T00:00:00Z"])(
    "a run without a usable time stamp (%j) stands at the run before it",
    (timestamp) => {
      const first = user("a", { timestamp: "2026-04-02T00:00:00Z" });
      const { runs } = runsOf(first, answer(), user("b", { timestamp }), answer());
      expect(runs.map((row) => row.started_at)).toEqual(["2026-04-02T00:00:00Z", "2026-04-02T00:00:00Z"]);
    },
  );
});
