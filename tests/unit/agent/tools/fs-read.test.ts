import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fsRead } from "#lib/agent/tools/fs-read.io.ts";
import { LineWindow } from "#lib/agent/tools/line-window.ts";
import { systemAddressing } from "#lib/agent/tools/workspace-walk.io.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";
import { bad, call, good, scratch } from "./call-tool.ts";

function reader(content: string | Buffer, bytesMax = 10_000) {
  const workspace = scratch();
  writeFileSync(path.join(workspace, "f"), content);
  const tool = fsRead({ workspace, addressing: systemAddressing(), bytesMax });
  return { tool, workspace, text: (more = {}) => good(tool, { path: "f", ...more }) };
}

describe("fs_read", () => {
  it.each([
    "one line",
    "a\nb\n",
    "a\r\nb\r\n",
    "no end\nof line",
    "\n\n",
    "ünïcödé 🦊\n",
    "tab\tand  spaces ",
  ])("gives %j as it stands", async (content) => expect(await reader(content).text()).toBe(content));

  it("gives the lines asked for and says where to read on", async () => {
    const { text } = reader("1\n2\n3\n4\n5\n");
    expect(await text({ offset: 2, limit: 2 })).toBe(
      "2\n3\n[lines 2 to 3 of a file of 10 B; more with offset 4]",
    );
    expect(await text({ offset: 4 })).toBe("4\n5\n[lines 4 to 5, the last]");
    expect(await text({ limit: 5 })).toBe("1\n2\n3\n4\n5\n");
    expect(await text({ limit: 1 })).toBe("1\n[lines 1 to 1 of a file of 10 B; more with offset 2]");
  });

  it("says that a file is empty, or shorter than asked", async () => {
    expect(await reader("").text()).toBe("[the file is empty]");
    const { tool } = reader("1\n2\n");
    expect(await bad(tool, { path: "f", offset: 9 })).toBe("f has 2 lines; line 9 is past its end");
    expect(await bad(tool, { path: "f", offset: 3 })).toContain("past its end");
  });

  it("cuts at a line end, and inside a line only when one alone is too long", async () => {
    expect(await reader(`${"x".repeat(60)}\n${"y".repeat(60)}\n`, 100).text()).toBe(
      `${"x".repeat(60)}\n[lines 1 to 1 of a file of 122 B; more with offset 2]`,
    );
    const cut = await reader("é".repeat(100), 51).text();
    expect(cut).toBe(
      `${"é".repeat(25)}\n[the first 50 B of line 1, which is too long to be shown whole; the file has 200 B]`,
    );
  });

  it("shows bytes that are no UTF-8 as such, and leaves a byte order mark out", async () => {
    const latin = await reader(Buffer.from("caf\xe9\n", "latin1")).text();
    expect(latin).toBe("caf\ufffd\n[bytes that are not UTF-8 are shown as \ufffd]");
    expect(await reader("\ufeffa").text()).toBe("a");
  });

  it.each([
    ["PNG image", Buffer.from("\x89PNG\r\n\x1a\n", "latin1")],
    ["gzip archive", Buffer.from([0x1f, 0x8b, 8, 1])],
    ["PDF document", Buffer.from("%PDF-1.7\nabc")],
    ["text in UTF-16", Buffer.from("\ufeffabc", "utf16le")],
    ["SQLite database", Buffer.from("SQLite format 3\0abc")],
    ["unknown", Buffer.from("abc\0def")],
  ])("refuses what is not text: %s", async (kind, content) => {
    const said = await bad(reader(content).tool, { path: "f" });
    expect(said).toBe(`f is not text: ${content.length} B, kind by its first bytes: ${kind}`);
  });

  it("reads a text that only begins like something else", async () => {
    expect(await reader("BZh is a prefix").text()).toBe("BZh is a prefix");
  });

  it("sends a folder to fs_list and says what is missing", async () => {
    const { tool, workspace } = reader("x");
    mkdirSync(path.join(workspace, "sub"));
    for (const folder of ["sub", ".", "sub/", "./sub/.."])
      expect(await bad(tool, { path: folder })).toContain("is a folder; fs_list shows");
    expect(await bad(tool, { path: "none" })).toBe("none: there is no such file");
    expect(await bad(tool, { path: "none/x" })).toBe('none/x: there is no folder "none" on the way');
    expect(await bad(tool, { path: "f/x" })).toBe('f/x: "f" on the way is not a folder');
  });

  it("reads the start of a file of 3 GB, and far into it, without holding it", async () => {
    const { tool, workspace } = reader("x");
    const file = openSync(path.join(workspace, "huge"), "w");
    writeSync(file, "first line\nsecond\n".repeat(10_000));
    ftruncateSync(file, 3_000_000_000);
    closeSync(file);
    const before = process.memoryUsage().rss;
    const took = cpuTimer();
    expect(await good(tool, { path: "huge", limit: 1 })).toContain("of a file of 3.0 GB; more with offset 2");
    expect(await good(tool, { path: "huge", offset: 20_000, limit: 1 })).toMatch(/^second\n/);
    expect(took()).toBeLessThan(2000);
    expect(process.memoryUsage().rss - before).toBeLessThan(200_000_000);
  });

  it("stops reading when the call is aborted", async () => {
    const { tool, workspace } = reader("x");
    const file = openSync(path.join(workspace, "huge"), "w");
    writeSync(file, "x\n".repeat(5000));
    ftruncateSync(file, 3_000_000_000);
    closeSync(file);
    await expect(call(tool, { path: "huge", offset: 1_000_000 }, AbortSignal.timeout(50))).rejects.toThrow();
  });
});

describe("a window of lines", () => {
  it("is the same however the bytes are cut into pieces", () => {
    const cases = fc.record({
      lines: fc.array(fc.constantFrom("", "a", "bé", "cccccccc", "🦊"), { maxLength: 12 }),
      ended: fc.boolean(),
      skip: fc.nat(6),
      linesMax: fc.integer({ min: 1, max: 8 }),
      bytesMax: fc.integer({ min: 4, max: 40 }),
      piece: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(cases, ({ lines, ended, skip, linesMax, bytesMax, piece }) => {
        const file = Buffer.from(lines.join("\n") + (ended && lines.length > 0 ? "\n" : ""));
        const take = (size: number) => {
          const window = new LineWindow({ skip, linesMax, bytesMax });
          for (let at = 0; at < file.length; at += size)
            if (!window.push(file.subarray(at, at + size))) break;
          return window.end();
        };
        const all = take(Math.max(1, file.length));
        const some = take(piece);
        expect({ ...some, bytes: Buffer.from(some.bytes) }).toEqual({
          ...all,
          bytes: Buffer.from(all.bytes),
        });
        expect(all.bytes.length).toBeLessThanOrEqual(bytesMax);
        const wanted = file
          .toString()
          .split(/(?<=\n)/)
          .slice(skip, skip + linesMax)
          .join("");
        expect(wanted.startsWith(Buffer.from(all.bytes).toString())).toBe(true);
        if (all.cut === "none")
          expect(
            file
              .toString()
              .split(/(?<=\n)/)
              .slice(skip)
              .join(""),
          ).toBe(Buffer.from(all.bytes).toString());
      }),
    );
  });
});
