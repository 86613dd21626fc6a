import { closeSync, ftruncateSync, mkdirSync, openSync, writeFileSync, writeSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createMemo } from "#lib/sources/memo.io.ts";
import { listSessions, scanRuns } from "#lib/sources/scan.io.ts";
import {
  messageLine,
  metaLine,
  outcomeLine,
  scratchDir,
  writeSession,
} from "#tests/support/session-files.ts";

describe("stores beyond what fits anywhere", () => {
  it("reads a file of 3 GB made of messages, and one that is a single line of 3 GB", async () => {
    const dir = scratchDir();
    const file = writeSession(dir, "long", metaLine("long"));
    const fd = openSync(file, "a");
    const block = Buffer.from(messageLine("x".repeat(4_000)).repeat(4_000) + outcomeLine(1));
    for (let written = 0; written < 3e9; written += block.length) writeSync(fd, block);
    closeSync(fd);
    const hole = openSync(writeSession(dir, "line", metaLine("line"), outcomeLine(1), "{"), "r+");
    ftruncateSync(hole, 3e9);
    writeSync(hole, `\n${outcomeLine(2)}`, 3e9);
    closeSync(hole);
    const before = process.memoryUsage().rss;
    const { runs, coverage } = await scanRuns({ kind: "mecha", place: dir });
    expect(runs).toHaveLength(2 + Math.ceil(3e9 / block.length));
    expect(coverage).toMatchObject({ sessions_read: 2, lines_oversize: 1, lines_unknown: 0, lines_torn: 0 });
    expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
  });

  it("reads 100 000 files, and looks at them again without holding anyone up", async () => {
    const dir = scratchDir();
    mkdirSync(dir, { recursive: true });
    for (let n = 0; n < 100_000; n++) {
      const created = new Date(Date.UTC(2026, 0, 1) + n * 60_000).toISOString();
      writeFileSync(`${dir}/s${n}.jsonl`, metaLine(`s${n}`, created) + outcomeLine(n));
    }
    const source = { kind: "mecha", place: dir } as const;
    expect((await scanRuns(source)).runs).toHaveLength(100_000);
    const newest = await scanRuns(source, { sessions_max: 200 });
    expect(newest.runs.map((run) => run.turns).slice(0, 2)).toEqual([99_999, 99_998]);
    expect((await listSessions(source, { sessions_max: 10 })).coverage.sessions_capped).toBe(99_990);
    const memo = createMemo({ fresh_ms: 0 });
    const first = await memo.scan(source);
    expect(await memo.scan(source)).toBe(first);
    await memo.close();
  });
});
