import { appendFileSync, mkdirSync, truncateSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { loadConversation } from "#lib/transcript/load.io.ts";
import { INTERRUPTED_RESULT, mendConversation } from "#lib/transcript/mend.ts";
import type { Block, Message } from "#lib/transcript/record.ts";
import {
  messageLine,
  metaLine,
  outcomeLine,
  scratchDir,
  writeSession,
} from "#tests/support/session-files.ts";

const line = (value: object): string => `${JSON.stringify(value)}\n`;
const load = (...parts: (string | Buffer)[]) => loadConversation(writeSession(scratchDir(), "s", ...parts));
const texts = (messages: readonly Message[]) =>
  messages.map(({ content }) =>
    content.map((block) => (block.type === "text" ? block.text : block.type)).join(),
  );
const call = (id: string, name = "fs_read"): Block => ({ type: "tool_use", id, name, input: {} });
const result = (id: string): Block => ({
  type: "tool_result",
  tool_use_id: id,
  content: "r",
  is_error: false,
});
const text = (words: string): Block => ({ type: "text", text: words });

describe("loading a conversation", () => {
  it("gives the messages in order and the header", () => {
    const loaded = load(metaLine("a"), messageLine("one"), outcomeLine(3), messageLine("two"));
    expect(texts(loaded.messages)).toEqual(["one", "two"]);
    expect(loaded.meta).toMatchObject({ id: "a", provider: "local" });
    expect(loaded).toMatchObject({ skipped: 0, taint: { private: false, untrusted: false } });
  });

  it("puts a rewrite in the place of everything before it", () => {
    const rewrite = line({ record: "rewrite", messages: [{ role: "user", content: [text("short")] }] });
    expect(texts(load(metaLine("a"), messageLine("one"), rewrite, messageLine("two")).messages)).toEqual([
      "short",
      "two",
    ]);
  });

  it("merges taint and never clears it", () => {
    const taint = (over: object) => line({ record: "taint", ...over });
    const loaded = load(metaLine("a"), taint({ private: true }), taint({ untrusted: true }), taint({}));
    expect(loaded.taint).toEqual({ private: true, untrusted: true });
  });

  it("names the tools whose taint was never written down", () => {
    const message = (name: string) =>
      line({ record: "message", role: "assistant", content: [call("x", name)] });
    const settled = [metaLine("a"), message("fs_read"), line({ record: "taint", private: true })];
    expect([...load(...settled).unsettled]).toEqual([]);
    expect([...load(...settled, message("http_fetch")).unsettled]).toEqual(["http_fetch"]);
  });

  it("passes over and counts what is no record: torn, unknown, not UTF-8, a key twice", () => {
    const loaded = load(
      metaLine("a"),
      '{"record":"message","role":"us\n',
      "\n \n[]\n",
      line({ record: "future" }),
      Buffer.from([0x7b, 0xff, 0x7d, 0x0a]),
      '{"record":"message","record":"message","role":"user","content":[]}\n',
      messageLine("kept"),
      '{"record":"mess',
    );
    expect(texts(loaded.messages)).toEqual(["kept"]);
    expect(loaded.skipped).toBe(6);
  });

  it("reads two records glued on one line, CRLF, a byte order mark and a last line without its end", () => {
    const glued = messageLine("one").trimEnd() + messageLine("two").replace("\n", "\r\n");
    const loaded = load("\ufeff", metaLine("a"), glued, messageLine("three").trimEnd());
    expect(texts(loaded.messages)).toEqual(["one", "two", "three"]);
    expect(loaded.skipped).toBe(0);
  });

  it("reads lines longer than its buffer, and passes over one beyond the cap", () => {
    const dir = scratchDir();
    const file = writeSession(dir, "s", metaLine("a"), messageLine("x".repeat(3_000_000)));
    appendFileSync(file, Buffer.alloc(65 * 1024 * 1024, 0x20));
    appendFileSync(file, `\n${messageLine("after")}`);
    const loaded = loadConversation(file);
    expect(loaded.messages.map(({ content }) => (content[0] as { text: string }).text.length)).toEqual([
      3_000_000, 5,
    ]);
    expect(loaded.skipped).toBe(1);
  });

  it("refuses with one line what is no session, gone, a folder or without end", () => {
    const dir = scratchDir();
    expect(() => load(messageLine("no header"))).toThrow("it has no session header");
    expect(() => loadConversation(path.join(dir, "gone"))).toThrow(/gone.*ENOENT/);
    mkdirSync(path.join(dir, "folder"));
    expect(() => loadConversation(path.join(dir, "folder"))).toThrow("is no regular file");
    const huge = writeSession(dir, "huge", metaLine("a"));
    truncateSync(huge, 2 ** 31);
    expect(() => loadConversation(huge)).toThrow("2.1 GB are too much");
  });
});

describe("mending a conversation", () => {
  const asked: Message = { role: "user", content: [text("go")] };
  const calls: Message = { role: "assistant", content: [text("look"), call("1"), call("2")] };
  const owed = (id: string) => ({
    type: "tool_result",
    tool_use_id: id,
    content: INTERRUPTED_RESULT,
    is_error: true,
  });

  it("leaves a whole one alone", () => {
    const results: Message = { role: "user", content: [result("1"), result("2"), text("and")] };
    expect(mendConversation([])).toEqual({ kind: "whole" });
    expect(mendConversation([asked, calls, results])).toEqual({ kind: "whole" });
  });

  it("adds the results that a killed run still owed", () => {
    expect(mendConversation([asked, calls])).toEqual({
      kind: "added",
      message: { role: "user", content: [owed("1"), owed("2")] },
    });
  });

  it("puts in what a lost line took from the middle", () => {
    const answer: Message = { role: "assistant", content: [text("so")] };
    expect(mendConversation([asked, calls, answer])).toEqual({
      kind: "rewritten",
      messages: [asked, calls, { role: "user", content: [owed("1"), owed("2")] }, answer],
    });
    const half: Message = { role: "user", content: [result("2"), text("on")] };
    expect(mendConversation([asked, calls, half])).toEqual({
      kind: "rewritten",
      messages: [asked, calls, { role: "user", content: [owed("1"), result("2"), text("on")] }],
    });
  });

  it("drops results whose calls are lost, and a message that had nothing else", () => {
    const orphan: Message = { role: "user", content: [result("9")] };
    expect(mendConversation([asked, orphan, calls])).toEqual({
      kind: "rewritten",
      messages: [asked, calls, { role: "user", content: [owed("1"), owed("2")] }],
    });
  });
});
