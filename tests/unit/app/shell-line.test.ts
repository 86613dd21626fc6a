import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { shellLine } from "#lib/shell-quote.ts";

describe("a line to be pasted", () => {
  it.each([
    [["mecha", "sessions", "health", "--days", "30"], "mecha sessions health --days 30"],
    [["mecha", "eval", "--ab-config", "max_turns=40"], "mecha eval --ab-config max_turns=40"],
    [["a b", ""], "'a b' ''"],
    [["=ls"], "'=ls'"],
    [["it's"], `'it'"'"'s'`],
    [["a\\b"], `'a'"\\\\"'b'`],
  ])("%j", (argv, line) => {
    expect(shellLine(argv)).toBe(line);
  });

  it("comes back from a shell as the same words", () => {
    const words = [
      "$(id)",
      "`id`",
      "a\nb",
      "~",
      "*",
      "!!",
      "a;b",
      "\\",
      "'",
      '"',
      "-n",
      "#",
      "{a,b}",
      "=",
      "é",
    ];
    const out = execFileSync("sh", ["-c", `printf '%s\\0' ${shellLine(words)}`]).toString();
    expect(out.split("\0").slice(0, -1)).toEqual(words);
  });
});
