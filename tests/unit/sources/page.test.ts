import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { open } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { UserError } from "#lib/errors.ts";
import { parseCursor } from "#lib/sources/cursor.ts";
import type { Entry } from "#lib/sources/entry.ts";
import { findFailedCall, type PageOptions, readEntry, readTranscriptPage } from "#lib/sources/page.io.ts";
import type { SessionHead, SourceKind } from "#lib/transcript/run-row.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";
import { answer, calls, result, system, user } from "./claude-code-lines.ts";

const folder = mkdtempSync(path.join(os.tmpdir(), "mecha-page-"));
afterAll(() => rmSync(folder, { recursive: true }));

let made = 0;

function session(content: string | Buffer, source: SourceKind = "mecha"): SessionHead {
  const file = path.join(folder, `${++made}.jsonl`);
  writeFileSync(file, content);
  return {
    source,
    provenance: source === "mecha" ? "recorded" : "derived",
    id: "s",
    path: file,
    created_at: "2026-01-01T00:00:00Z",
    provider: "p",
    model: "m",
    workspace: "/w",
    title: null,
    subagent: false,
    parent_id: null,
    bytes: content.length,
  };
}

const message = (...texts: string[]) =>
  JSON.stringify({ record: "message", role: "user", content: texts.map((text) => ({ type: "text", text })) });
const toolResult = (content: string, is_error: boolean) =>
  JSON.stringify({
    record: "message",
    role: "user",
    content: [{ type: "tool_result", tool_use_id: "t", content, is_error }],
  });

async function allPages(head: SessionHead, options: PageOptions = {}) {
  const entries: Entry[] = [];
  const sizes: number[] = [];
  let from: string | undefined;
  do {
    const page = await readTranscriptPage(head, { ...options, ...(from === undefined ? {} : { from }) });
    entries.push(...page.entries);
    sizes.push(page.entries.length);
    from = page.next ?? undefined;
  } while (from !== undefined);
  return { entries, sizes };
}

describe("pages", () => {
  test("a page ends inside a line of several entries, and the next one goes on there", async () => {
    const head = session([message("a", "b", "c"), "", message("d"), "junk", message("e", "f")].join("\n"));
    const whole = await readTranscriptPage(head);
    expect(whole.entries.map((entry) => entry.text[0])).toEqual(["a", "b", "c", "d", "a", "e", "f"]);
    expect(whole.next).toBeNull();
    const second = await readTranscriptPage(head, { limit: 2, from: "0:2" });
    expect(second.entries.map((entry) => entry.at)).toEqual(["0:2", whole.entries[3]?.at]);
    expect(second.next).toBe(whole.entries[4]?.at);
  });

  test("the last page says that it is the last, also when it is full", async () => {
    const head = session(`${message("a", "b")}\n`);
    expect(await readTranscriptPage(head, { limit: 2 })).toMatchObject({ next: null });
    expect((await readTranscriptPage(head, { limit: 1 })).next).toBe("0:1");
  });

  test("page by page gives the same as one page, wherever the pages end", async () => {
    const line = fc.oneof(
      fc
        .array(fc.string({ unit: "grapheme", maxLength: 30 }), { maxLength: 4 })
        .map((texts) => message(...texts)),
      fc.boolean().map((failed) => toolResult("x", failed)),
      fc.constantFrom("", " ", "junk", '{"record":"taint"}{"record":"taint"}', '{"record":"taint"}\r', "{"),
    );
    const cases = fc.tuple(fc.array(line, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), fc.boolean());
    await fc.assert(
      fc.asyncProperty(cases, async ([lines, limit, ended]) => {
        const head = session(lines.join("\n") + (ended ? "\n" : ""));
        const whole = await readTranscriptPage(head, { limit: 1000 });
        const paged = await allPages(head, { limit });
        expect(paged.entries).toEqual(whole.entries);
        expect(paged.sizes.slice(0, -1).every((size) => size === limit)).toBe(true);
        expect(new Set(whole.entries.map((entry) => entry.at)).size).toBe(whole.entries.length);
        for (const entry of whole.entries) expect(await readEntry(head, entry.at)).toEqual(entry);
      }),
      { numRuns: 150 },
    );
  });

  test("the text of a page is bounded, and one entry always fits", async () => {
    const head = session(Array.from({ length: 300 }, () => message("x".repeat(4000))).join("\n"));
    const { entries, sizes } = await allPages(head, { limit: 1000 });
    expect(entries.length).toBe(300);
    expect(sizes).toEqual([100, 100, 100]);
    const huge = session(message("y".repeat(900_000)));
    const page = await readTranscriptPage(huge, { text_max: 10_000_000 });
    expect(page.entries).toMatchObject([{ full_length: 900_000 }]);
    expect(page.entries[0]?.text.length).toBe(400_000);
  });

  test("a text is cut on the page and whole on its own, up to a million", async () => {
    const head = session(`${message("z".repeat(5000))}\n${message("w".repeat(1_200_000))}`);
    const { entries } = await readTranscriptPage(head);
    expect(entries.map((entry) => [entry.text.length, entry.full_length])).toEqual([
      [4000, 5000],
      [4000, 1_200_000],
    ]);
    expect((await readEntry(head, "0:0"))?.text.length).toBe(5000);
    expect((await readEntry(head, entries[1]?.at ?? ""))?.text.length).toBe(1_000_000);
  });

  test("a line over the cap is named with its size and read past", async () => {
    const long = Buffer.alloc(17 * 1024 * 1024, 0x20);
    const head = session(
      Buffer.concat([Buffer.from(`${message("a")}\n`), long, Buffer.from(`\n${message("b")}`)]),
    );
    const { entries } = await readTranscriptPage(head);
    expect(entries.map((entry) => entry.text)).toEqual([
      "a",
      "a line of 17.8 MB is left out: it is too long to show",
      "b",
    ]);
    expect((await readEntry(head, entries[1]?.at ?? ""))?.kind).toBe("notice");
  });

  test("a long stretch without entries does not hold a page up", async () => {
    const noise = `${JSON.stringify({ type: "progress", data: "p".repeat(1_000_000) })}\n`;
    const head = session(
      `${JSON.stringify(user("first"))}\n${noise.repeat(80)}${JSON.stringify(answer())}`,
      "claude-code",
    );
    const first = await readTranscriptPage(head);
    expect(first.entries.length).toBe(1);
    expect(first.next).not.toBeNull();
    expect((await allPages(head)).entries.map((entry) => entry.kind)).toEqual(["prompt", "text"]);
  });

  test("an empty file is an empty page", async () => {
    expect(await readTranscriptPage(session(""))).toEqual({ entries: [], next: null, bytes: 0 });
  });
});

describe("cursors", () => {
  const head = session(`${message("a", "b")}\n${message("c")}\n`);

  test.each(["", "x", "-1:0", "1", "1:", ":1", "1:1:1", "0x1:0", "1e3:0", " 0:0", "9".repeat(20), "0:0\n"])(
    "%j is none",
    async (cursor) => {
      expect(parseCursor(cursor)).toBeNull();
      const reads = [
        () => readTranscriptPage(head, { from: cursor }),
        () => readEntry(head, cursor),
        () => findFailedCall(head, cursor),
      ];
      for (const read of reads) await expect(read()).rejects.toMatchObject({ code: "usage" });
    },
  );

  test("count empty lines and pass over millions of them at once", async () => {
    const gap = "\n".repeat(20_000_000);
    const first = `${message("a", "b")}\n`;
    const long = session(`${first}${gap}${message("c")}\n\n`);
    const took = cpuTimer();
    const { entries, next } = await readTranscriptPage(long);
    expect(took()).toBeLessThan(3_000);
    expect(entries.map(({ at }) => at)).toEqual(["0:0", "0:1", `${first.length + gap.length}:0`]);
    expect(next).toBeNull();
  });

  test("inside a line it means the next line", async () => {
    const { entries } = await readTranscriptPage(head, { from: "5:1" });
    expect(entries.map((entry) => entry.text)).toEqual(["c"]);
    expect(await readEntry(head, "5:0")).toBeNull();
  });

  test("behind a line's entries it means the next line", async () => {
    const { entries } = await readTranscriptPage(head, { from: "0:9" });
    expect(entries.map((entry) => entry.text)).toEqual(["c"]);
    expect(await readEntry(head, "0:9")).toBeNull();
  });

  test("at the end there is nothing; behind it is an error, as when the file has shrunk", async () => {
    const shrunk = session(`${message("a")}\n${message("b")}\n`);
    const end = `${message("a").length * 2 + 2}:0`;
    expect((await readTranscriptPage(shrunk, { from: end })).entries).toEqual([]);
    expect(await readEntry(shrunk, end)).toBeNull();
    truncateSync(shrunk.path, 10);
    await expect(readTranscriptPage(shrunk, { from: end })).rejects.toBeInstanceOf(UserError);
  });
});

describe("failed calls", () => {
  async function failures(head: SessionHead): Promise<string[]> {
    const found: string[] = [];
    let after: string | null = null;
    for (let i = 0; i < 100; i += 1) {
      const { at, next } = await findFailedCall(head, after);
      if (at !== null) found.push(at);
      after = at ?? next;
      if (after === null) return found;
    }
    throw new Error("it goes in circles");
  }

  test("are found one after the other, refusals passed over", async () => {
    const head = session(
      [
        toolResult("no", true),
        toolResult("Denied by the user: no", true),
        message('"is_error":true'),
        toolResult("fine", false),
        toolResult("again", true),
        toolResult("again", true),
      ].join("\n"),
    );
    const { entries } = await readTranscriptPage(head);
    const expected = entries.filter((entry) => entry.state === "failed").map((entry) => entry.at);
    expect(expected.length).toBe(3);
    expect(await failures(head)).toEqual(expected);
  });

  test("two on one line are two", async () => {
    const block = (id: string) => ({ type: "tool_result", tool_use_id: id, content: "no", is_error: true });
    const head = session(
      JSON.stringify({ record: "message", role: "user", content: [block("a"), block("b")] }),
    );
    expect(await failures(head)).toEqual(["0:0", "0:1"]);
  });

  test("in a Claude Code session", async () => {
    const records = [
      user("hi"),
      calls(["a", "b", "c"]),
      result("a", "Exit code 1", true),
      result("b"),
      system("x"),
    ];
    const cancelled = result("c", "Sibling tool call errored", true);
    const head = session(
      [...records, cancelled, answer()].map((one) => JSON.stringify(one)).join("\n"),
      "claude-code",
    );
    const { entries } = await readTranscriptPage(head);
    expect(await failures(head)).toEqual(
      entries.filter((entry) => entry.state === "failed").map((entry) => entry.at),
    );
    expect((await failures(head)).length).toBe(1);
  });

  test("a call that is far away is found in several steps", async () => {
    const head = session("");
    const file = await open(head.path, "w");
    // A hole costs no disk: 300 MB of NUL bytes, cut into lines now and then.
    for (let i = 1; i <= 30; i += 1) await file.write("\n", i * 10_000_000);
    await file.write(`${toolResult("no", true)}\n`, 300_000_001);
    await file.close();
    const first = await findFailedCall(head, null);
    expect(first).toEqual({ at: null, next: expect.stringMatching(/^2\d{8}:0$/) });
    expect(await failures(head)).toEqual(["300000001:0"]);
  });
});

describe("files that cannot be read", () => {
  test("a missing one is not found, a folder is no transcript", async () => {
    const head = session("");
    await expect(
      readTranscriptPage({ ...head, path: path.join(folder, "none.jsonl") }),
    ).rejects.toMatchObject({
      code: "not_found",
    });
    mkdirSync(path.join(folder, "dir.jsonl"));
    await expect(readTranscriptPage({ ...head, path: path.join(folder, "dir.jsonl") })).rejects.toMatchObject(
      {
        code: "bad_input",
      },
    );
  });

  test("limits that are no numbers are brought into bounds", async () => {
    const head = session(`${message("abc", "b")}\n`);
    expect((await readTranscriptPage(head, { limit: Number.NaN })).entries.length).toBe(1);
    expect((await readTranscriptPage(head, { limit: -5, text_max: 0 })).entries).toMatchObject([
      { text: "a" },
    ]);
  });
});
