import { describe, expect, test } from "vitest";
import { claudeCode } from "#lib/sources/claude-code/adapter.ts";
import { BOOK_KEEPING } from "#lib/sources/claude-code/kinds.ts";
import {
  answer,
  apiError,
  boundary,
  headOf,
  interruption,
  SESSION,
  system,
  text,
  user,
} from "./claude-code-lines.ts";

const lines = (...records: object[]) => records.map((one) => JSON.stringify(one));

describe("the header", () => {
  test("is put together from the first records, up to the first answer", () => {
    const head = headOf(
      lines(
        { type: "summary", summary: "another session's title", leafUuid: "x" },
        { type: "file-history-snapshot", snapshot: { timestamp: "2020-01-01T00:00:00Z" } },
        {
          type: "queue-operation",
          operation: "enqueue",
          timestamp: "2026-03-01T10:00:00.000Z",
          sessionId: SESSION,
        },
        user("Fix the parser\nand the rest", { cwd: "/home/u/proj", timestamp: "2026-03-01T10:00:01.500Z" }),
        answer("ok", { model: "claude-sonnet-4-5" }),
        answer("ok", { model: "claude-opus-4-6" }),
      ),
    );
    expect(head).toEqual({
      id: SESSION,
      created_at: "2026-03-01T10:00:00Z",
      provider: "anthropic",
      model: "claude-sonnet-4-5",
      workspace: "/home/u/proj",
      title: "Fix the parser",
      subagent: false,
      parent_id: null,
    });
  });

  test("a title given by hand goes before a made one, and both before the prompt", () => {
    const ai = { type: "ai-title", aiTitle: "Made", sessionId: SESSION };
    const own = { type: "custom-title", customTitle: "Given", sessionId: SESSION };
    expect(headOf(lines(ai, own, user("x"), answer()))?.title).toBe("Given");
    expect(headOf(lines(own, ai, user("x"), answer()))?.title).toBe("Given");
    expect(headOf(lines(ai, user("x"), answer()))?.title).toBe("Made");
  });

  test.each([
    ["a meta record", user("Caveat", { isMeta: true })],
    ["a local command", user("<command-name>/clear</command-name>")],
    ["an interruption", interruption()],
    ["a compaction's summary", user("This session", { isCompactSummary: true })],
  ])("%s is no title", (_, record) => {
    expect(headOf(lines(record, user([text("  real\t one ")]), answer()))?.title).toBe("real\t one");
  });

  test("a long prompt makes a short title, cut between characters", () => {
    const title = headOf(lines(user("🦊".repeat(200)), answer()))?.title ?? "";
    expect([...title].length).toBe(80);
    expect(title).toBe(`${"🦊".repeat(79)}…`);
  });

  test("the file's name is the session's id where a record says so too, else the first answer's session is", () => {
    const first = user("x", { sessionId: "older" });
    expect(headOf(lines(first, answer("y", { rest: { sessionId: "own" } })), "own.jsonl")?.id).toBe("own");
    expect(headOf(lines(first, answer("y", { rest: { sessionId: "own" } })), "copy.jsonl")?.id).toBe("own");
    expect(headOf(lines(first, answer("y", { rest: { sessionId: "older" } })))?.id).toBe("older");
    expect(headOf(lines({ type: "mode", sessionId: SESSION }, first, answer()))?.id).toBe(SESSION);
  });

  test.each([5, "", "x".repeat(200), null])("a session id that is %j is none", (sessionId) => {
    const records = [user("x", { sessionId }), answer("y", { rest: { sessionId } })];
    expect(headOf(lines(...records), "p/name.jsonl")?.id).toBe("name");
  });

  test("a sub-agent's record further down does not make the file a sub-agent's", () => {
    const inner = user("job", { isSidechain: true, agentId: "ab" });
    expect(headOf(lines(user("x"), inner, answer()))).toMatchObject({ id: SESSION, subagent: false });
    expect(headOf(lines(inner, answer()))).toMatchObject({ id: "agent-ab", subagent: true });
    const nameless = user("job", { isSidechain: true, uuid: "u" });
    expect(headOf(lines(nameless, answer()))).toMatchObject({ id: "agent-u", subagent: true });
    expect(headOf(lines({ ...nameless, version: "1.0.98" }, answer()))).toMatchObject({
      id: SESSION,
      subagent: false,
    });
  });

  test("a session that only met provider errors has no model", () => {
    expect(headOf(lines(user("x"), apiError()))).toMatchObject({ model: "", title: "x" });
  });

  test.each([
    ["no time stamp at all", lines({ type: "summary", summary: "s" }, { type: "user", message: {} })],
    ["an empty file", []],
    ["JSON spread over many lines", JSON.stringify([user("x"), answer()], null, 2).split("\n")],
  ])("no session: %s", (_, content) => {
    expect(headOf(content)).toBeNull();
  });

  test("it gives up on a long file that says nothing", () => {
    const reader = claudeCode.head("a.jsonl");
    const seen = Array.from({ length: 2000 }, () => reader.take({ type: "mode" }, "{}"));
    expect(seen.indexOf("none")).toBeLessThan(500);
    expect(claudeCode.head("a.jsonl").take(null, "")).toBe("more");
  });
});

describe("which files may be sessions", () => {
  test.each([
    ["-home-u-p/0f0e0d0c.jsonl", true],
    ["copy.jsonl", true],
    ["-home-u-p/agent-1.jsonl", true],
    ["-home-u-p/s/subagents/agent-1.jsonl", true],
    ["-home-u-p/s/subagents/workflows/w/agent-1.jsonl", true],
    ["-home-u-p/s/subagents/workflows/w/journal.jsonl", false],
    ["-home-u-p/s/tool-results/x.jsonl", false],
    ["-home-u-p/s/subagents/agent-1.meta.json", false],
    ["-home-u-p/sessions-index.json", false],
    ["-home-u-p/x.JSONL", false],
  ])("%s: %s", (relative, accepted) => {
    expect(claudeCode.accepts(relative)).toBe(accepted);
    if (accepted) expect(relative.split("/").length - 1).toBeLessThanOrEqual(claudeCode.depth);
  });
});

describe("which lines are decoded", () => {
  const wanted = (line: string) => {
    const bytes = Buffer.from(`…${line}…`);
    return claudeCode.wants(bytes, 3, bytes.length - 3);
  };

  test.each([...BOOK_KEEPING])("not %s", (type) => {
    expect(wanted(JSON.stringify({ type }))).toBe(false);
    expect(wanted(JSON.stringify({ uuid: 'a"\\', data: { type: "user", x: ['}"]'] }, type, z: 1 }))).toBe(
      false,
    );
    expect(wanted(` \t{ "a" : [ { "b" : "}" } , 1 ] ,\r "type" : "${type}" , "z": 1 }`)).toBe(false);
  });

  test.each([
    ["a prompt", JSON.stringify(user("x"))],
    ["an answer", JSON.stringify(answer())],
    ["a compaction", JSON.stringify(boundary())],
    ["a system record whose kind comes first", `{"subtype":"turn_duration","type":"system"}`],
    ["a type to come", `{"type":"hologram"}`],
    ["a longer word", `{"type":"progressive"}`],
    ["an escaped word", `{"type":"pro\\u0067ress"}`],
    ["a type that is no string", `{"type":["progress"]}`],
    ["an inner type only", `{"data":{"type":"progress"}}`],
    ["a type in a string", `{"note":"\\"type\\":\\"progress\\""}`],
    ["a message before the type", `{"message":{},"type":"progress"}`],
    ["a line that ends too early", `{"data":{"x":"y`],
    ["no object", `[{"type":"progress"}]`],
    ["words", "hello"],
    ["nothing", ""],
    ["a key without a value", `{"type"}`],
    ["a missing colon", `{"type" "progress"}`],
  ])("%s", (_, line) => {
    expect(wanted(line)).toBe(true);
  });

  test("system records that mark no compaction are left out", () => {
    expect(wanted(JSON.stringify(system("turn_duration")))).toBe(false);
    expect(wanted(JSON.stringify(system("microcompact_boundary")))).toBe(false);
  });

  test("a type that the adapter does not know is told to the scanner", () => {
    const head = headOf(lines(user("x"), answer()));
    if (head === null) throw new Error("no head");
    const state = claudeCode.start(head);
    expect(claudeCode.record(state, { type: "hologram" }, "")).toBe(false);
    expect(claudeCode.record(state, { type: 7 }, "")).toBe(false);
    expect(claudeCode.record(state, {}, "")).toBe(false);
    expect(claudeCode.record(state, { type: "attachment" }, "")).toBe(true);
    expect(claudeCode.record(state, { type: "user" }, "")).toBe(true);
  });

  test("the time of a record is its own", () => {
    expect(claudeCode.timeOf?.({ timestamp: "2026-03-01T10:00:00.250Z" })).toBe(
      Date.UTC(2026, 2, 1, 10, 0, 0, 250),
    );
    expect(claudeCode.timeOf?.({ timestamp: 5 })).toBeNull();
    expect(claudeCode.timeOf?.({})).toBeNull();
  });
});
