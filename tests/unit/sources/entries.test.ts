import { describe, expect, test } from "vitest";
import { claudeDrafts } from "#lib/sources/claude-code/entries.ts";
import type { Draft } from "#lib/sources/draft.ts";
import { lineEntries } from "#lib/sources/line-entries.ts";
import { mechaDrafts } from "#lib/sources/mecha-entries.ts";
import {
  answer,
  apiError,
  assistant,
  boundary,
  interruption,
  result,
  system,
  text,
  user,
} from "./claude-code-lines.ts";

const brief = (drafts: Draft[]) => drafts.map(({ kind, text: words }) => [kind, words]);
const said = (role: string, ...content: object[]) => mechaDrafts({ record: "message", role, content });

const nested = (depth: number): unknown => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`);

describe("values nested deeper than they can be encoded", () => {
  const deep = nested(200_000);
  const words = "(left out: it is nested too deep to show)";

  test("stand as words in a mecha session, wherever they are", () => {
    const call = { type: "tool_use", id: "t1", name: "n", input: deep };
    expect(said("assistant", call)).toMatchObject([{ kind: "call", tool: "n", text: words }]);
    expect(mechaDrafts({ record: "config", effort: deep })[0]?.text).toBe(`effort ${words}`);
    expect(mechaDrafts({ record: deep })[0]?.text).toContain(words);
    expect(mechaDrafts({ record: "rewrite", messages: deep })[0]?.text).toContain("1 message(s)");
  });

  test("stand as words in a Claude Code session", () => {
    const call = { type: "tool_use", id: "t1", name: "n", input: deep };
    const records = [assistant([call]), { type: deep }];
    for (const record of records) expect(() => claudeDrafts(record)).not.toThrow();
    expect(claudeDrafts(assistant([call]))).toMatchObject([{ kind: "call", text: words }]);
  });

  test("a page holds the line and what follows", () => {
    const text = `{"record":"message","role":"assistant","content":[{"type":"tool_use","input":${"[".repeat(200_000)}${"]".repeat(200_000)}}]}`;
    const line = { offset: 0, size: text.length, bytes: Buffer.from(text), whole: true };
    expect(lineEntries("mecha", line, 100)).toMatchObject([{ kind: "call", text: words }]);
  });
});

describe("a mecha session", () => {
  test("a message's blocks, one entry each, in order", () => {
    const drafts = said(
      "assistant",
      { type: "thinking", text: "hm", signature: "s" },
      { type: "text", text: "Looking." },
      { type: "tool_use", id: "t1", name: "fs_read", input: { path: "a", n: 1 } },
    );
    expect(drafts).toMatchObject([
      { kind: "thinking", text: "hm" },
      { kind: "text", text: "Looking." },
      { kind: "call", tool: "fs_read", call_id: "t1", text: '{"path":"a","n":1}' },
    ]);
    expect(brief(said("user", { type: "text", text: "go" }))).toEqual([["prompt", "go"]]);
  });

  test.each([
    ["fine", false, "ok"],
    ["exit 1", true, "failed"],
    ["Denied by the user: no", true, "denied"],
    ["Blocked by policy: no", true, "denied"],
    ["Blocked by a hook: no", true, "denied"],
    ["it says Denied by the user: no", true, "failed"],
    ["Denied by the user: no", false, "ok"],
  ])("a result %j (error %s) is %s", (content, is_error, state) => {
    expect(said("user", { type: "tool_result", tool_use_id: "t1", content, is_error })).toMatchObject([
      { kind: "result", call_id: "t1", state, text: content },
    ]);
  });

  test("an image is named and its bytes are not shown", () => {
    const drafts = said("user", { type: "image", media_type: "image/png", source: "a.png", data: "QUJD" });
    expect(brief(drafts)).toEqual([["image", "image/png, a.png, 4 characters of base64"]]);
  });

  test("the other records", () => {
    const records = [
      {
        record: "meta",
        id: "s1",
        created_at: "2026-01-01T00:00:00Z",
        provider: "local",
        model: "m",
        workspace: "/w",
      },
      {
        record: "config",
        mecha_version: "0.1",
        model: "m",
        effort: null,
        tools: ["a", "b"],
        system_prompt: "Be kind.",
      },
      { record: "taint", private: true, untrusted: false },
      { record: "taint" },
      { record: "summary", turns: 2, usage: { input_tokens: 9, output_tokens: 4 } },
      { record: "rewrite", messages: [{ role: "user", content: [{ type: "text", text: "task" }] }] },
    ];
    expect(brief(records.flatMap(mechaDrafts))).toEqual([
      ["config", "session s1, local/m\nworkspace /w"],
      ["config", "mecha_version 0.1 · model m · effort null\ntools: a, b\nsystem prompt:\nBe kind."],
      ["summary", "taint: private"],
      ["summary", "taint: none"],
      ["summary", "cost so far: turns 2, tokens in 9, out 4, cache written 0, read 0"],
      ["summary", "the conversation so far was replaced by 1 message(s)\n\n[user]\ntask"],
    ]);
    expect(mechaDrafts(records[0] as object as { [key: string]: unknown })[0]?.time).toBe(
      "2026-01-01T00:00:00Z",
    );
  });

  test("an outcome reads as its counters", () => {
    const drafts = mechaDrafts({
      record: "outcome",
      turns: 4,
      stop_cause: "max_turns",
      exhausted: true,
      tool_calls: 3,
      tool_errors: 1,
      cost_usd: 0.25,
      ended_on_failed_call: true,
      usage: {
        input_tokens: 5,
        output_tokens: 6,
        cache_creation_input_tokens: 7,
        cache_read_input_tokens: 8,
      },
      taint: { private: true, untrusted: true },
    });
    expect(brief(drafts)).toEqual([
      [
        "outcome",
        "stopped: max_turns · turns 4 · tool calls 3 · errors 1 · denied 0 · staged 0 · malformed args 0 · blocked sends 0" +
          " · compactions 0 · tokens in 5, out 6, cache written 7, read 8 (a lower bound) · cost $0.25" +
          " · ended on a failed call · a budget was reached · taint: private and untrusted",
      ],
    ]);
    expect(brief(mechaDrafts({ record: "outcome" }))[0]?.[1]).toMatch(/^stopped: unrecorded · turns 0/);
  });

  test.each([
    [{ record: "hologram" }, 'a record of kind "hologram" is left out'],
    [{}, "a record of kind none is left out"],
    [{ record: "message", content: null }, "a message without content is left out"],
    [{ record: "message", content: [{ type: "smell" }] }, 'a block of type "smell" is left out'],
    [{ record: "message", content: [null] }, "a block of type none is left out"],
  ])("%j is said to be left out", (value, words) => {
    expect(brief(mechaDrafts(value))).toEqual([["notice", words]]);
  });
});

describe("a Claude Code session", () => {
  test.each([
    ["a prompt", user("hi"), [["prompt", "hi"]]],
    ["a command", user("<command-name>/x</command-name>"), [["prompt", "<command-name>/x</command-name>"]]],
    ["what the harness added", user([text("hm")], { isMeta: true }), [["summary", "hm"]]],
    ["an interruption", interruption(), [["summary", "[Request interrupted by user]"]]],
    ["a notification", user("<task-notification>"), [["summary", "<task-notification>"]]],
    ["a compaction's text", user("so far", { isCompactSummary: true }), [["summary", "so far"]]],
    ["an answer", answer("ok"), [["text", "ok"]]],
    ["thinking", assistant([{ type: "thinking", thinking: "hm" }]), [["thinking", "hm"]]],
    [
      "thinking of which a signature is left",
      assistant([{ type: "thinking", thinking: "", signature: "x" }]),
      [],
    ],
    ["a provider error", apiError(), [["summary", "API Error"]]],
    ["a compaction", boundary(), [["summary", 'conversation compacted: "auto", 5 tokens before']]],
    [
      "a retry",
      { ...system("api_error"), retryAttempt: 2, maxRetries: 10 },
      [["summary", "provider error, retry 2 of 10"]],
    ],
    ["a timing", system("turn_duration"), []],
    ["a note", { ...system("informational"), content: "hey" }, [["summary", "informational: hey"]]],
    ["progress", { type: "progress", data: {} }, []],
    ["a snapshot", { type: "file-history-snapshot" }, []],
    ["a kind to come", { type: "hologram" }, [["notice", 'a record of kind "hologram" is left out']]],
    ["no kind", {}, [["notice", "a record of kind none is left out"]]],
    ["a hook's result", { type: "attachment", attachment: { type: "hook_success" } }, []],
    ["text sent while it ran", queued("prompt"), [["prompt", "and this"]]],
    ["a notification while it ran", queued("task-notification"), [["summary", "and this"]]],
    ["a broken message", { type: "assistant", message: 5 }, []],
    ["a broken block", assistant([7]), [["notice", "a block of type none is left out"]]],
    [
      "an image",
      user([{ type: "image", source: { type: "base64", media_type: "image/png", data: "QUJD" } }]),
      [["image", "image, image/png, 4 characters of base64"]],
    ],
  ] as [string, { [key: string]: unknown }, string[][]][])("%s", (_, record, entries) => {
    expect(brief(claudeDrafts(record))).toEqual(entries);
  });

  test("a call and its result carry the call's id, and the record's time", () => {
    const record = assistant([{ type: "tool_use", id: "t", name: "Bash", input: { command: "ls" } }]);
    expect(claudeDrafts({ ...record, timestamp: "2026-01-01T01:00:00+01:00" })).toMatchObject([
      { kind: "call", tool: "Bash", call_id: "t", text: '{"command":"ls"}', time: "2026-01-01T00:00:00Z" },
    ]);
    expect(claudeDrafts(result("t", [text("a"), { type: "image" }, text("b")]))).toMatchObject([
      { kind: "result", call_id: "t", state: "ok", text: "a\n[image]\nb" },
    ]);
  });

  test.each([
    ["Exit code 1", {}, "failed"],
    ["<tool_use_error>InputValidationError: x", {}, "failed"],
    ["The user doesn't want to proceed with this tool use.", {}, "denied"],
    ["Claude requested permissions to write", {}, "denied"],
    ["<tool_use_error>Sibling tool call errored", {}, "cancelled"],
    ["anything", { toolDenialKind: "permission-rule" }, "denied"],
  ])("a result %j %j is %s", (content, rest, state) => {
    expect(claudeDrafts(result("t", content, true, rest))).toMatchObject([{ state }]);
    expect(claudeDrafts(result("t", [text(content)], true, rest))).toMatchObject([{ state }]);
  });
});

function queued(commandMode: string) {
  return {
    type: "attachment",
    attachment: { type: "queued_command", commandMode, prompt: [text("and this")] },
  };
}

describe("lines", () => {
  const line = (content: string | Buffer, rest: object = {}) => {
    const bytes = Buffer.from(content);
    return lineEntries("mecha", { offset: 64, size: bytes.length, bytes, whole: true, ...rest }, 100);
  };
  const one = '{"record":"taint","private":true}';

  test("objects glued together give their entries one after the other", () => {
    expect(line(`${one}${one} ${one}\r`).map((entry) => entry.at)).toEqual(["64:0", "64:1", "64:2"]);
    expect(line(`${one}{"torn`).map((entry) => entry.kind)).toEqual(["summary", "notice"]);
  });

  test.each([
    ["words", line("hello"), /it is no record/],
    ["a list", line("[1]"), /it is no record/],
    ["bytes that are not UTF-8", line(Buffer.from([0x7b, 0xff, 0x7d])), /not UTF-8/],
    [
      "a line over the cap",
      line("", { bytes: null, size: 20_000_000 }),
      /20\.0 MB is left out: it is too long/,
    ],
    ["a last line that is not whole", line('{"record":"mes', { whole: false }), /not all there yet/],
  ])("%s are said to be left out", (_, entries, words) => {
    expect(entries).toMatchObject([{ at: "64:0", kind: "notice", text: expect.stringMatching(words) }]);
  });

  test("blank lines give nothing, a whole last line without a newline its entry", () => {
    expect(line(" \r\t")).toEqual([]);
    expect(line("")).toEqual([]);
    expect(line(one, { whole: false }).length).toBe(1);
  });

  test("a byte order mark is read over at the start of the file only", () => {
    expect(line(`\uFEFF${one}`, { offset: 0 }).map((entry) => entry.kind)).toEqual(["summary"]);
    expect(line(`\uFEFF${one}`).map((entry) => entry.kind)).toEqual(["notice"]);
  });

  test("a long text is cut between characters and tells its length", () => {
    const long = `{"record":"message","role":"user","content":[{"type":"text","text":"${"🦊".repeat(80)}"}]}`;
    expect(line(long)).toMatchObject([{ text: "🦊".repeat(50), full_length: 160 }]);
  });
});

test("what is whole behind the piece of a record is shown, and the piece as one that is left out", () => {
  const piece = '{"type":"pr-link","prNu';
  const bytes = Buffer.from(`${piece}${JSON.stringify(user("on"))}`);
  const shown = (kind: "mecha" | "claude-code", whole: boolean) =>
    brief(lineEntries(kind, { offset: 0, size: bytes.length, bytes, whole }, 100));
  expect(shown("claude-code", true)).toEqual([
    ["notice", "23 B of a line are left out: they are no record"],
    ["prompt", "on"],
  ]);
  // A last line may be on its way, and mecha's own writer ends a torn line before it goes on.
  const none = [["notice", `a line of ${bytes.length} B is left out: it is no record`]];
  expect(shown("claude-code", false)).toEqual(none);
  expect(shown("mecha", true)).toEqual(none);
});

test("a line of many pieces with records between them is shown in a moment", () => {
  // A square of its length would take minutes.
  const bytes = Buffer.from('{"type":"mode","a":{ {"type":"mode"}'.repeat(100_000));
  const shown = lineEntries("claude-code", { offset: 0, size: bytes.length, bytes, whole: true }, 100);
  expect(shown.at(-1)?.text).toMatch(/^the last .* of a line are left out: they are no record$/);
});
