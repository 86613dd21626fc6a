import { expect, it } from "vitest";
import { linesBuffer } from "#lib/sources/lines-memory.ts";
import { skim } from "#lib/sources/mecha/skim.ts";
import { isUnread } from "#lib/sources/mecha/unread.ts";
import { Prng } from "#tests/support/prng.ts";

/** Puts lines where machine code can reach them, says where it stopped, and where it should have. */
function skimmed(text: string, lineBytesMax = 1_000_000): { stopped: number; expected: number } {
  const buf = linesBuffer(64 * 1024);
  // What stood there before must not matter.
  buf.fill('{"record":"message"}\n');
  const filled = buf.write(text, "latin1");
  buf[filled] = 0x0a;
  let expected = 0;
  for (;;) {
    const end = buf.indexOf("\n", expected);
    if (end >= filled || end - expected > lineBytesMax || !isPlain(buf, expected, end)) break;
    expected = end + 1;
  }
  return { stopped: skim(buf, 0, filled, lineBytesMax), expected };
}

/** Without white space before its kind: others are left to the slower way. */
function isPlain(buf: Buffer, start: number, end: number): boolean {
  const tag = buf.toString("latin1", start, start + 12);
  return /^\{"record":"[mrst]$/.test(tag) && isUnread(buf, start, end);
}

it("passes over every kind of unread record, and stops at any other line", () => {
  for (const kind of ["message", "rewrite", "taint", "summary"]) {
    const line = `{"record":"${kind}","a":[{"b":"c"}]}\n`;
    const { stopped } = skimmed(`${line}${line}{"record":"outcome"}\n`);
    expect([kind, stopped]).toEqual([kind, 2 * line.length]);
  }
  for (const word of ["outcome", "config", "meta", "messages", "taints", "m", "Message"])
    expect([word, skimmed(`{"record":"${word}"}\n`).stopped]).toEqual([word, 0]);
});

it("stops at a line that is not all there, and at one over the cap", () => {
  const line = '{"record":"message","content":[]}';
  expect(skimmed(`${line}\n${line}`).stopped).toBe(line.length + 1);
  expect(skimmed(`${line}\n${line}\n`, line.length).stopped).toBe(2 * line.length + 2);
  expect(skimmed(`${line}\n${line} \n`, line.length).stopped).toBe(line.length + 1);
});

it("sees a seam at every place, whatever white space stands in it", () => {
  for (let pad = 0; pad < 200; pad++) {
    for (const seam of ['}{"', '} {"', '}{ "', '}\t \r{\v\f"', `}${" ".repeat(100)}{"`]) {
      const line = `{"record":"message","a":"${"x".repeat(pad)}"${seam}b":1}\n`;
      expect([pad, seam, skimmed(line).stopped]).toEqual([pad, seam, 0]);
    }
    for (const none of ['},{"', ',{"', ':{"', '} "', '\xe9"', '}}"', '}\\{"', '} x{"']) {
      const line = `{"record":"message","a":"${"x".repeat(pad)}"${none}b":1}\n`;
      expect([pad, none, skimmed(line).stopped]).toEqual([pad, none, line.length]);
    }
  }
});

it("stops where a reader of bytes would, for 20 000 texts of odd pieces", () => {
  const pieces = [
    '{"record":"message"',
    '{"record":"taint"',
    "}",
    "{",
    '"',
    " ",
    "\t",
    "\r",
    "\n",
    "\xe9",
    "\0",
    "x",
    "]}",
    "~",
    "|",
  ];
  for (let seed = 1; seed <= 20_000; seed++) {
    const random = new Prng(seed);
    let text = "";
    for (let i = random.below(40); i >= 0; i--)
      text += random.chance(0.1) ? "y".repeat(random.below(70)) : random.pick(pieces);
    const { stopped, expected } = skimmed(text, random.chance(0.2) ? random.below(100) : 1_000_000);
    expect(stopped, `seed ${seed}`).toBe(expected);
  }
});
