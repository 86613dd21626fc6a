import { execFileSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  closeSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { createServer } from "node:net";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { listSessions, scanRuns } from "#lib/sources/scan.io.ts";
import type { Limits, Source } from "#lib/sources/source.ts";
import { COVERAGE_KEYS, type Coverage } from "#lib/transcript/coverage.ts";
import {
  messageLine,
  metaLine,
  outcomeLine,
  scratchDir,
  writeSession,
} from "#tests/support/session-files.ts";

const at = (place: string): Source => ({ kind: "mecha", place });

/** The counts that are not zero. */
function counts(coverage: Coverage): Partial<Coverage> {
  return Object.fromEntries(
    COVERAGE_KEYS.filter((key) => coverage[key] > 0).map((key) => [key, coverage[key]]),
  );
}

async function scan(place: string, limits: Partial<Limits> = {}) {
  const { runs, sessions, coverage } = await scanRuns(at(place), limits);
  return { turns: runs.map((run) => run.turns), ids: sessions.map(({ id }) => id), ...counts(coverage) };
}

/** Scans one file that holds these bytes. */
async function scanFile(...parts: (string | Buffer)[]) {
  const dir = scratchDir();
  writeSession(dir, "a", ...parts);
  return scan(dir);
}

const read = { ids: ["a"], sessions_read: 1 };

describe("places", () => {
  it("is empty where nothing is", async () => {
    expect(await scan(path.join(scratchDir(), "missing"))).toEqual({ turns: [], ids: [] });
    expect(await scan(scratchDir())).toEqual({ turns: [], ids: [] });
  });

  it("counts a file where a folder should be, and a circle of links", async () => {
    const dir = scratchDir();
    writeFileSync(path.join(dir, "file"), "x");
    symlinkSync("loop", path.join(dir, "loop"));
    expect(await scan(path.join(dir, "file"))).toEqual({ turns: [], ids: [], sessions_unreadable: 1 });
    expect(await scan(path.join(dir, "loop"))).toEqual({ turns: [], ids: [], sessions_unreadable: 1 });
  });

  it("passes over what macOS leaves beside a session", async () => {
    const dir = scratchDir();
    writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    writeSession(dir, "._a", Buffer.from([0, 5, 0x16, 7, 0, 2, 0xff]));
    expect(await scan(dir)).toEqual({ ...read, turns: [1] });
  });

  it("counts what may not be read, and reads the rest", async () => {
    const dir = scratchDir();
    chmodSync(dir, 0o755);
    writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    chmodSync(writeSession(dir, "b", metaLine("b"), outcomeLine(2)), 0);
    const closed = path.join(dir, "closed");
    mkdirSync(closed, { mode: 0 });
    await asNobody(async () => {
      expect(await scan(dir)).toEqual({ ...read, turns: [1], sessions_unreadable: 1 });
      expect(await scan(closed)).toEqual({ turns: [], ids: [], sessions_unreadable: 1 });
    });
  });
});

/** The rights of files mean nothing to root. */
async function asNobody(check: () => Promise<void>): Promise<void> {
  if (process.geteuid?.() !== 0) return check();
  process.seteuid?.(65534);
  try {
    await check();
  } finally {
    process.seteuid?.(0);
  }
}

describe("files", () => {
  it("reads names that end in .jsonl exactly, and links to such files", async () => {
    const dir = scratchDir();
    const line = metaLine("a") + outcomeLine(1);
    for (const name of ["chat_history", "a.json", "a.JSONL", "a.jsonl.bak", ".jsonl", "jsonl"])
      writeFileSync(path.join(dir, name), line);
    const elsewhere = writeSession(scratchDir(), "x", metaLine("a"), outcomeLine(7));
    symlinkSync(elsewhere, path.join(dir, "link.jsonl"));
    expect(await scan(dir)).toEqual({ ...read, turns: [7] });
  });

  it("never waits for what is no file", { timeout: 10_000 }, async () => {
    const dir = scratchDir();
    writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    mkdirSync(path.join(dir, "folder.jsonl"));
    execFileSync("mkfifo", [path.join(dir, "fifo.jsonl")]);
    symlinkSync(path.join(dir, "fifo.jsonl"), path.join(dir, "to-fifo.jsonl"));
    symlinkSync("/dev/zero", path.join(dir, "zero.jsonl"));
    symlinkSync("round.jsonl", path.join(dir, "round.jsonl"));
    symlinkSync("gone.jsonl", path.join(dir, "dangling.jsonl"));
    const server = createServer().listen(path.join(dir, "socket.jsonl"));
    await new Promise((resolve) => server.once("listening", resolve));
    expect(await scan(dir)).toEqual({ ...read, turns: [1], files_not_sessions: 5, sessions_unreadable: 2 });
    server.close();
  });

  it("counts files that do not start with a header", async () => {
    const dir = scratchDir();
    writeSession(dir, "empty");
    writeSession(dir, "blank", "\n \r\n\t\n");
    writeSession(dir, "late", outcomeLine(1), metaLine("late"));
    writeSession(dir, "torn", '{"record":"meta","id":"torn","created_at"');
    writeSession(dir, "no-day", metaLine("x", "2026-02-30T00:00:00Z"));
    writeSession(dir, "no-model", metaLine("x", "2026-02-03T00:00:00Z", { model: null }));
    writeSession(dir, "text", "hello\nworld\n");
    expect(await scan(dir)).toEqual({ turns: [], ids: [], files_not_sessions: 7 });
  });

  it("uses an id for nothing but to name the session", async () => {
    const dir = scratchDir();
    const ids = ["../../../etc/passwd", "", "a\u0000b", "<img src=x>", "\u202egnp.exe", "x".repeat(10_000)];
    for (const [index, id] of ids.entries()) writeSession(dir, `s${index}`, metaLine(id), outcomeLine(1));
    const { sessions } = await listSessions(at(dir));
    expect(sessions.map(({ id }) => id).sort()).toEqual([...ids].sort());
    expect(sessions.every(({ path: file }) => path.dirname(file) === dir)).toBe(true);
  });

  it("reads a file whose name is not UTF-8 or says so", async () => {
    const dir = scratchDir();
    writeFileSync(
      Buffer.concat([Buffer.from(`${dir}/`), Buffer.from([0xff]), Buffer.from(".jsonl")]),
      metaLine("a"),
    );
    expect(await scan(dir)).toEqual({ turns: [], ids: [], sessions_unreadable: 1 });
  });
});

describe("lines", () => {
  it("reads CRLF, a byte order mark, blank lines and a last line without its end", async () => {
    const crlf = (line: string) => line.replace("\n", "\r\n");
    const parts = [
      "\ufeff",
      "\r\n",
      crlf(metaLine("a")),
      crlf(outcomeLine(1)),
      "\r\n",
      outcomeLine(2).trimEnd(),
    ];
    expect(await scanFile(...parts)).toEqual({ ...read, turns: [1, 2] });
  });

  it("reads objects glued together, with and without white space, behind read and unread ones", async () => {
    const [one, two, three, four] = [1, 2, 3, 4].map((turns) => outcomeLine(turns).trimEnd());
    const message = messageLine('}{ "record" ').trimEnd();
    expect(
      await scanFile(
        metaLine("a").trimEnd(),
        `${one}${two}\n`,
        `${message}${three}\n`,
        `${message} \t{}${four}\r\n`,
      ),
    ).toEqual({ ...read, turns: [1, 2, 3, 4] });
    expect(await scanFile(metaLine("a"), `{"record":"taint"} ${one}${message}\n`)).toEqual({
      ...read,
      turns: [1],
    });
    expect(await scanFile(metaLine("a"), `${message}{"record":"taint"}${one}{"record":"taint"}\n`)).toEqual({
      ...read,
      turns: [1],
    });
  });

  it.each([
    ["one in the middle of messages", (one: string, message: string) => message + one + message, 1],
    ["two between messages", (one: string, message: string) => `${message + one}\t${one} ${message}`, 2],
    [
      "one whose tag stands last",
      (_one: string, message: string) => `${message}{"turns":1,"record":"outcome"}`,
      1,
    ],
    [
      "one behind white space in its brace",
      (one: string, message: string) => message + one.replace("{", " { "),
      1,
    ],
    [
      "one behind a config that ends as a message does",
      (one: string, message: string) => `${message}{"record":"config","tools":[]}${one}`,
      1,
    ],
    [
      "none in the words of a message",
      (one: string, message: string) => message.replace("words", `}${one.replaceAll('"', '\\"')}`),
      0,
    ],
    [
      "none in a string that ends as if one followed",
      (one: string, message: string) => message.replace("words", `}{`) + one,
      1,
    ],
    [
      "none inside a message",
      (one: string, message: string) => message.replace('"role"', `"x":${one},"role"`),
      0,
    ],
  ])("finds outcomes glued to a message: %s", async (_what, glue, found) => {
    const one = outcomeLine(1).trimEnd();
    const line = glue(one, messageLine("words").trimEnd());
    expect(await scanFile(metaLine("a"), `${line}\n`)).toEqual({ ...read, turns: Array(found).fill(1) });
    // The same in a line that is longer than any buffer, cut at every place around the seam.
    for (const pad of [600_000, 524_200, 524_000])
      expect(await scanFile(metaLine("a"), `${line.replace("[", `["${"}{".repeat(pad / 2)}",`)}\n`)).toEqual({
        ...read,
        turns: Array(found).fill(1),
      });
  });

  it("counts what is glued to a message and cannot be read", async () => {
    const message = messageLine("words").trimEnd();
    for (const broken of ['{"record":"outcome","turns":1e3}', '{"record":"outc', '{"x":1}'])
      expect(await scanFile(metaLine("a"), `${message}${broken}\n`)).toEqual({
        ...read,
        turns: [],
        lines_unknown: 1,
      });
  });

  it("counts a torn last line that is a message, alone or glued to one", async () => {
    const message = messageLine("words").trimEnd();
    for (const torn of [message.slice(0, -1), message + message.slice(0, 40), `${message}{"rec`])
      expect(await scanFile(metaLine("a"), torn)).toEqual({ ...read, turns: [], lines_torn: 1 });
    expect(await scanFile(metaLine("a"), message)).toEqual({ ...read, turns: [] });
  });

  it("counts a torn last line, takes what is whole on it, and leaves the rest for the next time", async () => {
    expect(await scanFile(metaLine("a"), outcomeLine(1), '{"record":"outcome","tur')).toEqual({
      ...read,
      turns: [1],
      lines_torn: 1,
    });
    expect(await scanFile(metaLine("a"), outcomeLine(1).trimEnd(), '{"record":"outco')).toEqual({
      ...read,
      turns: [1],
      lines_torn: 1,
    });
    expect(
      await scanFile(metaLine("a"), Buffer.from('{"record":"config","model":"caf\xc3', "latin1")),
    ).toEqual({
      ...read,
      turns: [],
      lines_torn: 1,
    });
  });

  it("loses one line to bytes that are not UTF-8, and none where it is not read", async () => {
    const bad = Buffer.from([0xff, 0xfe]);
    expect(
      await scanFile(
        metaLine("a"),
        outcomeLine(1),
        Buffer.concat([Buffer.from('{"record":"outcome","turns":2,"x":"'), bad, Buffer.from('"}\n')]),
        Buffer.concat([Buffer.from('{"record":"message","content":["'), bad, Buffer.from('"]}\n')]),
        outcomeLine(3),
      ),
    ).toEqual({ ...read, turns: [1, 3], lines_not_utf8: 1 });
  });

  it("tells a header that is not UTF-8 from a file that has none", async () => {
    expect(await scanFile(Buffer.from('{"record":"meta","id":"\xff"}\n', "latin1"), outcomeLine(1))).toEqual({
      turns: [],
      ids: [],
      sessions_unreadable: 1,
      lines_not_utf8: 1,
    });
  });

  it("is not stopped by NUL bytes, and counts what is no record", async () => {
    const lines = [
      "\0\0\0\n",
      '{"record":"nonsense"}\n',
      "[]\n",
      '"outcome"\n',
      "17\n",
      "{}\n",
      '{"record":"Outcome"}\n',
    ];
    expect(await scanFile(metaLine("a"), ...lines, outcomeLine(1), Buffer.alloc(4096))).toEqual({
      ...read,
      turns: [1],
      lines_unknown: lines.length,
      lines_torn: 1,
    });
  });

  it("does not count what it does not read", async () => {
    const unread = [
      '{"record":"message"',
      ' { "record" : "rewrite" , broken',
      '{"record":"taint"}}}',
      '{"record":"summary"}x',
    ];
    expect(await scanFile(metaLine("a"), ...unread.map((line) => `${line}\n`), outcomeLine(1))).toEqual({
      ...read,
      turns: [1],
    });
    // Only a tag in front lets a line go unread.
    expect(await scanFile(metaLine("a"), '{"role":"user","record":"message"\n')).toEqual({
      ...read,
      turns: [],
      lines_unknown: 1,
    });
  });

  it("survives nesting without end, and a line of a hundred thousand glued objects", {
    timeout: 10_000,
  }, async () => {
    const deep = "[".repeat(200_000);
    expect(await scanFile(metaLine("a"), `{"a":${deep}\n`, `{"record":"config","tools":${deep}\n`)).toEqual({
      ...read,
      turns: [],
      lines_unknown: 2,
    });
    const glued = '{"record":"outcome"}'.repeat(100_000);
    expect((await scanFile(metaLine("a"), `${glued}\n`)).turns).toHaveLength(100_000);
  });
});

describe("long lines", () => {
  /** A file whose last but one line is `bytes` long and takes no room on disk. */
  function withHole(dir: string, start: string, bytes: number): void {
    const file = writeSession(dir, "a", metaLine("a"), outcomeLine(1), start);
    const fd = openSync(file, "r+");
    ftruncateSync(fd, bytes);
    writeSync(fd, `\n${outcomeLine(2)}`, bytes);
    closeSync(fd);
  }

  it("passes over a line of 600 MB without keeping it", { timeout: 60_000 }, async () => {
    const dir = scratchDir();
    withHole(dir, '{"record":"config","system_prompt":"', 600e6);
    const before = process.memoryUsage().rss;
    expect(await scan(dir)).toEqual({ ...read, turns: [1, 2], lines_oversize: 1 });
    expect(process.memoryUsage().rss - before).toBeLessThan(64e6);
  });

  it("counts a header over the cap as one that cannot be read", { timeout: 60_000 }, async () => {
    const dir = scratchDir();
    const file = writeSession(dir, "a", '{"record":"meta","id":"');
    const fd = openSync(file, "r+");
    ftruncateSync(fd, 200e6);
    closeSync(fd);
    appendFileSync(file, `\n${outcomeLine(1)}`);
    expect(await scan(dir)).toEqual({ turns: [], ids: [], sessions_unreadable: 1, lines_oversize: 1 });
  });

  it("reads a wanted line that is longer than every buffer", async () => {
    const config = JSON.stringify({ record: "config", model: "big", system_prompt: "p".repeat(3_000_000) });
    const dir = scratchDir();
    writeSession(dir, "a", metaLine("a"), messageLine("m".repeat(2_000_000)), `${config}\n`, outcomeLine(1));
    const { runs } = await scanRuns(at(dir));
    expect(runs.map(({ model, turns }) => [model, turns])).toEqual([["big", 1]]);
  });

  it("finds an outcome glued behind a message that is longer than every buffer", async () => {
    const glued = messageLine("m".repeat(2_000_000)).trimEnd() + outcomeLine(1);
    expect(await scanFile(metaLine("a"), glued)).toEqual({ ...read, turns: [1] });
  });
});
