import { once } from "node:events";
import { PassThrough } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { inputLines } from "#lib/cli/input-lines.ts";

function typed(...chunks: (string | Buffer)[]) {
  const input = new PassThrough();
  const lines = inputLines(input);
  for (const chunk of chunks) input.write(chunk);
  return { input, lines };
}

describe("lines from a person or a pipe", () => {
  test("come one by one, whatever the chunks, with the last one though it has no end", async () => {
    const { input, lines } = typed("one\r\ntw", "o\n\nthr", "ee");
    input.end();
    expect([await lines.next(), await lines.next(), await lines.next(), await lines.next()]).toEqual([
      "one",
      "two",
      "",
      "three",
    ]);
    expect([await lines.next(), await lines.next()]).toEqual([null, null]);
  });

  test("keep a character that two chunks share", async () => {
    const bytes = Buffer.from("é\n");
    const { lines } = typed(bytes.subarray(0, 1), bytes.subarray(1));
    expect(await lines.next()).toBe("é");
  });

  test("what was typed before a question is dropped, and what comes after it is not", async () => {
    const { input, lines } = typed("y\n", "a\nhal");
    await lines.forget();
    input.write("no\n");
    expect(await lines.next()).toBe("no");
    input.end();
    await lines.forget();
    expect(await lines.next()).toBeNull();
  });

  test("an abort answers nothing and loses nothing", async () => {
    const { input, lines } = typed();
    const stop = new AbortController();
    const asked = lines.next(stop.signal);
    stop.abort();
    expect(await asked).toBeNull();
    expect(await lines.next(stop.signal)).toBeNull();
    input.write("later\n");
    expect(await lines.next()).toBe("later");
  });

  test("what is pasted at once is one answer; what comes later is another", async () => {
    const { input, lines } = typed("a\nb\nc\n");
    expect(await lines.pasted()).toBe("a\nb\nc");
    const next = lines.pasted();
    input.write("d\n");
    await wait(100);
    input.write("e\n");
    expect([await next, await lines.pasted()]).toEqual(["d", "e"]);
  });

  test("a stream that somebody has read to its end has none", async () => {
    const input = new PassThrough();
    input.end("x");
    input.resume();
    await once(input, "end");
    expect(await inputLines(input).next()).toBeNull();
  });

  test("a line without end is cut, so that it stays bounded", async () => {
    const { input, lines } = typed("x".repeat(8 * 1024 * 1024 + 5));
    input.end();
    expect((await lines.next())?.length).toBe(8 * 1024 * 1024);
    expect(await lines.next()).toBe("xxxxx");
  });
});
