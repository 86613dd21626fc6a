import { describe, expect, test } from "vitest";
import { entryText } from "#lib/cli/entry-text.ts";
import { cursorOrder, failedCalls } from "#lib/cli/failed-calls.ts";
import { styleFor } from "#lib/cli/style.ts";
import type { Entry } from "#lib/sources/entry.ts";

const plain = styleFor({ env: {}, isTty: { stdin: false, stdout: false, stderr: false } });
const asTerminal = { stdin: true, stdout: true, stderr: true };
let at = 0;

function entry(over: Partial<Entry>): Entry {
  at += 1;
  const text = over.text ?? "";
  return {
    at: `${at}:0`,
    kind: "text",
    time: null,
    tool: null,
    call_id: null,
    state: null,
    full_length: text.length,
    ...over,
    text,
  };
}

const written = (over: Partial<Entry>, style = plain) =>
  entryText(entry(over), { style, clock: (time) => time });

describe("an entry as text", () => {
  test("a failed call says so in words", () => {
    expect(written({ kind: "result", tool: "fs_read", state: "failed", text: "no such file" })).toBe(
      "result fs_read  ✕ failed\n    no such file\n",
    );
  });

  test.each([
    ["denied", "denied (not a failure)"],
    ["cancelled", "cancelled (not a failure)"],
    ["staged", "staged (not sent)"],
    ["ok", "ok"],
  ] as const)("%s is told apart from a failure", (state, words) => {
    const text = written({ kind: "result", tool: "x", state });
    expect(text).toContain(words);
    expect(text).not.toContain("failed");
  });

  test("what could act on a terminal is shown, not sent", () => {
    const text = written({
      text: "a\u001b[31mred\u202Eover\u009b1m\ttab\r\nnext\u0007",
      tool: "\u001b]0;t\u0007",
    });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/);
    expect(text).toContain("a\\u{1b}[31mred\\u{202e}over");
    expect(text).toContain("    tab\n    next");
  });

  test("a long text is bounded in lines and characters, and the cut is said", () => {
    const lines = written({ text: Array.from({ length: 100 }, (_, i) => `line ${i}`).join("\n") }).split(
      "\n",
    );
    expect(lines.length).toBeLessThan(45);
    expect(lines.at(-2)).toMatch(/^ {4}… \d+ more character\(s\)$/);
    expect(written({ text: "x".repeat(100_000) }).length).toBeLessThan(4200);
    expect(written({ text: "short", full_length: 9000 })).toContain("… 8994 more character(s)");
  });

  test("colour only on a terminal, and not against the person's wish", () => {
    const failed = { kind: "result", state: "failed" } as const;
    expect(written(failed, styleFor({ env: {}, isTty: asTerminal }))).toContain(
      "\u001b[31m✕ failed\u001b[39m",
    );
    expect(written(failed, styleFor({ env: { NO_COLOR: "1" }, isTty: asTerminal }))).not.toContain("\u001b");
    expect(written(failed, styleFor({ env: { TERM: "dumb" }, isTty: asTerminal }))).not.toContain("\u001b");
    expect(written(failed, styleFor({ env: { NO_COLOR: "" }, isTty: asTerminal }))).toContain("\u001b");
  });
});

describe("failed calls with what led to them", () => {
  const prompt = entry({ kind: "prompt", text: "do it" });
  const said = entry({ kind: "text", text: "trying" });
  const first = entry({ kind: "call", call_id: "a" });
  const second = entry({ kind: "call", call_id: "b" });
  const firstResult = entry({ kind: "result", call_id: "a", state: "failed" });
  const secondResult = entry({ kind: "result", call_id: "b", state: "failed" });

  const picked = (entries: Entry[]) => {
    const { take } = failedCalls();
    return entries.flatMap((one) => take(one));
  };

  test("each failure has its own call, and shared context stands once", () => {
    expect(picked([prompt, said, first, second, firstResult, secondResult])).toEqual([
      prompt,
      said,
      first,
      firstResult,
      second,
      secondResult,
    ]);
  });

  test("denied, cancelled, staged and fine results are no failures", () => {
    const states = ["denied", "cancelled", "staged", "ok"] as const;
    const results = states.map((state) => entry({ kind: "result", call_id: "a", state }));
    expect(picked([prompt, said, first, ...results])).toEqual([]);
  });

  test("what was said before the last prompt did not lead to it", () => {
    const later = entry({ kind: "prompt", text: "now this" });
    expect(picked([prompt, said, later, first, firstResult])).toEqual([later, first, firstResult]);
  });

  test("a failed result whose call is not in the file stands alone", () => {
    expect(picked([secondResult])).toEqual([secondResult]);
  });
});

test("cursors are ordered by byte, then by part", () => {
  const sorted = ["100:2", "20:0", "100:10", "3:9"].sort(cursorOrder);
  expect(sorted).toEqual(["3:9", "20:0", "100:2", "100:10"]);
});
