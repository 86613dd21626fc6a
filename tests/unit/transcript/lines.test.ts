import { describe, expect, it } from "vitest";
import { cutLines, type LineSink, type ReadAt } from "#lib/transcript/lines.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";

const over =
  (bytes: Buffer): ReadAt =>
  (into, at, length, position) =>
    bytes.copy(into, at, position, Math.min(position + length, bytes.length));

function cut(text: string, bufferBytes: number, lineBytesMax = 1_000_000, loads = true) {
  const bytes = Buffer.from(text, "latin1");
  const lines: string[] = [];
  let oversize = 0;
  const sink: LineSink = {
    line(buf, start, end) {
      lines.push(buf.toString("latin1", start, end));
      return lines.at(-1) === "stop";
    },
    loads: () => loads,
    oversize() {
      oversize++;
    },
  };
  const range = { from: 0, to: bytes.length };
  const { tail, end } = cutLines(over(bytes), range, Buffer.alloc(bufferBytes), lineBytesMax, sink);
  return { lines, oversize, tail: bytes.toString("latin1", tail, end) };
}

describe("cutting lines", () => {
  it.each([2, 3, 4, 5, 7, 8, 64])("gives the same lines through a buffer of %d bytes", (bufferBytes) => {
    const read = cut("a\n\nlonger than most buffers\r\nb\nno end", bufferBytes);
    expect(read).toEqual({
      lines: ["a", "longer than most buffers\r", "b"],
      oversize: 0,
      tail: "no end",
    });
  });

  it("takes a mark of byte order off the start of the file and nowhere else", () => {
    expect(cut("\xef\xbb\xbfa\n\xef\xbb\xbfb\n", 4).lines).toEqual(["a", "\xef\xbb\xbfb"]);
  });

  it("counts a line over the cap, shorter or longer than the buffer, and reads on behind it", () => {
    expect(cut("123456\nok\n", 64, 5)).toEqual({ lines: ["ok"], oversize: 1, tail: "" });
    expect(cut(`${"1".repeat(500)}\nok\n`, 16, 5)).toEqual({ lines: ["ok"], oversize: 1, tail: "" });
  });

  it("keeps a line of exactly the cap", () => {
    expect(cut("12345\n", 4, 5).lines).toEqual(["12345"]);
    expect(cut("12345\n", 64, 5).lines).toEqual(["12345"]);
  });

  it("passes over millions of empty lines and lines of white space as quickly as over words", () => {
    const bytes = Buffer.alloc(8_000_000, "\n");
    const blank = Buffer.alloc(8_000_000, " \t\r\n");
    const took = cpuTimer();
    expect(cut(`a\n${bytes.toString("latin1")}${blank.toString("latin1")}b\n`, 65_536).lines).toEqual([
      "a",
      "b",
    ]);
    expect(took()).toBeLessThan(1_000);
  });

  it("counts a line of nothing but white space over the cap, as any other", () => {
    expect(cut(`a\n\n      \n\n  \nb\n`, 64, 5)).toEqual({ lines: ["a", "b"], oversize: 1, tail: "" });
  });

  it("shows the sink all of a long line, part by part, before it asks whether to load it", () => {
    const parts: string[] = [];
    const long = "1234567890".repeat(5);
    const bytes = Buffer.from(`a\n${long}\nb\n`);
    const sink: LineSink = {
      line: () => false,
      part: (buf, start, end) => parts.push(buf.toString("latin1", start, end)),
      loads: () => false,
      oversize: () => undefined,
    };
    cutLines(over(bytes), { from: 0, to: bytes.length }, Buffer.alloc(16), 1000, sink);
    expect(parts.join("")).toBe(long);
  });

  it("shows only the lines that a sink does not skim over", () => {
    const lines: string[] = [];
    const sink: LineSink = {
      line: (buf, start, end) => lines.push(buf.toString("latin1", start, end)) < 0,
      skim: (buf, start, filled) => {
        let at = start;
        while (at < filled && buf[at] === 0x2d) at = buf.indexOf("\n", at) + 1;
        return Math.min(at, filled);
      },
      loads: () => true,
      oversize: () => undefined,
    };
    const bytes = Buffer.from("-1\n-2\na\n-3\nb\n-4\n");
    expect(cutLines(over(bytes), { from: 0, to: bytes.length }, Buffer.alloc(64), 1000, sink)).toEqual({
      tail: bytes.length,
      end: bytes.length,
    });
    expect(lines).toEqual(["a", "b"]);
  });

  it("does not load a long line that nobody wants", () => {
    expect(cut(`${"1".repeat(500)}\nok\n`, 16, 1000, false).lines).toEqual(["ok"]);
  });

  it("stops when told to", () => {
    expect(cut("a\nstop\nb\n", 64).lines).toEqual(["a", "stop"]);
  });

  it("ends where the file ends, though it was longer before", () => {
    const bytes = Buffer.from("a\nb");
    const lines: string[] = [];
    const sink: LineSink = {
      line: (buf, start, end) => lines.push(buf.toString("latin1", start, end)) < 0,
      loads: () => true,
      oversize: () => undefined,
    };
    expect(cutLines(over(bytes), { from: 0, to: 1000 }, Buffer.alloc(64), 100, sink)).toEqual({
      tail: 2,
      end: 3,
    });
    expect(lines).toEqual(["a"]);
  });
});
