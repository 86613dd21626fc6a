import {
  appendFileSync,
  closeSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMemo, type Memo, type MemoOptions } from "#lib/sources/memo.io.ts";
import { listSessions, scanRuns } from "#lib/sources/scan.io.ts";
import type { Limits, Source } from "#lib/sources/source.ts";
import { Prng } from "#tests/support/prng.ts";
import {
  messageLine,
  metaLine,
  outcomeLine,
  scratchDir,
  writeSession,
} from "#tests/support/session-files.ts";
import { fuzzFile } from "#tests/support/session-fuzz.ts";

const at = (place: string): Source => ({ kind: "mecha", place });

/** A memo that looks at the files each time it is asked. */
function eager(options: MemoOptions = { fresh_ms: 0 }): Memo {
  const memo = createMemo(options);
  onTestFinished(() => memo.close());
  return memo;
}

const turns = async (memo: Memo, dir: string) => (await memo.scan(at(dir))).runs.map((run) => run.turns);

/** Writes over a piece of a file where it stands. */
function writeOver(file: string, from: string, to: string): void {
  const fd = openSync(file, "r+");
  writeSync(fd, to, readFileSync(file, "latin1").indexOf(from));
  closeSync(fd);
}

describe("a memo of a scan", () => {
  it("gives the same object while nothing changed, with the time of the last look", async () => {
    const dir = scratchDir();
    writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    const memo = eager();
    const first = await memo.scan(at(dir));
    const { runs, scanned_at } = first;
    await sleep(5);
    const second = await memo.scan(at(dir));
    expect(second).toBe(first);
    expect(second.runs).toBe(runs);
    expect(second.scanned_at > scanned_at).toBe(true);
  });

  it("sees files that grow, come, go, are replaced and are cut", async () => {
    const dir = scratchDir();
    const file = writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    const memo = eager();
    expect(await turns(memo, dir)).toEqual([1]);
    appendFileSync(file, messageLine("more") + outcomeLine(2));
    expect(await turns(memo, dir)).toEqual([1, 2]);
    const other = writeSession(dir, "b", metaLine("b", "2026-08-06T00:00:00Z"), outcomeLine(3));
    expect(await turns(memo, dir)).toEqual([3, 1, 2]);
    writeFileSync(`${dir}/new`, metaLine("b", "2026-08-06T00:00:00Z") + outcomeLine(4));
    renameSync(`${dir}/new`, other);
    expect(await turns(memo, dir)).toEqual([4, 1, 2]);
    truncateSync(file, metaLine("a").length + outcomeLine(1).length);
    expect(await turns(memo, dir)).toEqual([4, 1]);
    rmSync(other);
    expect(await turns(memo, dir)).toEqual([1]);
    rmSync(dir, { recursive: true });
    expect(await turns(memo, dir)).toEqual([]);
  });

  it("goes on from the last whole line, and takes a last line without its end for what it is now", async () => {
    const dir = scratchDir();
    const config = '{"record":"config","provider":"p","model":"second"}\n';
    const file = writeSession(dir, "a", metaLine("a"), config, '{"record":"outcome","tur');
    const memo = eager();
    const torn = await memo.scan(at(dir));
    expect([torn.runs.length, torn.coverage.lines_torn]).toEqual([0, 1]);
    appendFileSync(file, 'ns":5}');
    const whole = await memo.scan(at(dir));
    expect(whole.runs.map((run) => [run.model, run.turns])).toEqual([["second", 5]]);
    expect(whole.coverage.lines_torn).toBe(0);
    appendFileSync(file, `\n${outcomeLine(6)}`);
    expect(await turns(memo, dir)).toEqual([5, 6]);
  });

  it("sees a change of the same length in the midst of a file, also behind a time that was set back", async () => {
    const dir = scratchDir();
    const lines = (turns: number) => [metaLine("a"), outcomeLine(turns), messageLine("x".repeat(200))];
    const file = writeSession(dir, "a", ...lines(1));
    const memo = eager();
    expect(await turns(memo, dir)).toEqual([1]);
    writeFileSync(file, lines(2).join(""));
    expect(await turns(memo, dir)).toEqual([2]);
    const { atime, mtime } = statSync(file);
    utimesSync(file, atime, mtime);
    expect(await turns(memo, dir)).toEqual([2]);
    await sleep(20);
    writeFileSync(file, lines(3).join(""));
    utimesSync(file, atime, mtime);
    expect(await turns(memo, dir)).toEqual([3]);
  });

  it("reads a file anew that was written over in place and became longer", async () => {
    const dir = scratchDir();
    const file = writeSession(dir, "a", metaLine("a"), outcomeLine(1), outcomeLine(2));
    const memo = eager();
    expect(await turns(memo, dir)).toEqual([1, 2]);
    writeFileSync(file, metaLine("a") + outcomeLine(7) + outcomeLine(8) + outcomeLine(9));
    expect(await turns(memo, dir)).toEqual([7, 8, 9]);
  });

  it.each([0, 1, 2])(
    "sees an edit in place in a file that also grew, after it had grown %d times before",
    async (times) => {
      const dir = scratchDir();
      const same = messageLine("x".repeat(200));
      const file = writeSession(dir, "a", metaLine("a"), same.repeat(40), outcomeLine(1), same.repeat(40));
      const memo = eager();
      const expected = [1];
      for (let i = 0; i < times; i++) {
        expect(await turns(memo, dir)).toEqual(expected);
        appendFileSync(file, outcomeLine(5));
        expected.push(5);
      }
      expect(await turns(memo, dir)).toEqual(expected);
      writeOver(file, '"turns":1', '"turns":7');
      appendFileSync(file, outcomeLine(9));
      expect(await turns(memo, dir)).toEqual([7, ...expected.slice(1), 9]);
    },
  );

  it("sees all behind an edit move in a file of megabytes that also grew, though its end looks the same", async () => {
    const dir = scratchDir();
    const same = messageLine("x".repeat(1000));
    const file = writeSession(dir, "a", metaLine("a"), same.repeat(2000), outcomeLine(1), same.repeat(4000));
    const memo = eager();
    await turns(memo, dir);
    appendFileSync(file, outcomeLine(2) + same);
    expect(await turns(memo, dir)).toEqual([1, 2]);
    const text = readFileSync(file, "latin1");
    writeFileSync(file, `${text.replace('"turns":1', '"turns":1000')}${outcomeLine(3)}`);
    expect(await turns(memo, dir)).toEqual([1000, 2, 3]);
  });

  it("reads a file anew whose time of change is another, though its size is the same", async () => {
    const dir = scratchDir();
    const file = writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    const memo = eager();
    expect(await turns(memo, dir)).toEqual([1]);
    writeFileSync(file, metaLine("a") + outcomeLine(2));
    utimesSync(file, 1, 1);
    expect(await turns(memo, dir)).toEqual([2]);
  });

  it("answers from memory for as long as it may, then looks in the background, then waits for a look", async () => {
    const dir = scratchDir();
    const file = writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    let now = 0;
    const memo = eager({ fresh_ms: 2000, now: () => now });
    expect(await turns(memo, dir)).toEqual([1]);
    appendFileSync(file, outcomeLine(2));
    now = 1000;
    expect(await turns(memo, dir)).toEqual([1]);
    now = 1001;
    // Older than half: still from memory, and a look begins.
    expect(await turns(memo, dir)).toEqual([1]);
    await expect.poll(() => turns(memo, dir), { timeout: 10_000 }).toEqual([1, 2]);
    appendFileSync(file, outcomeLine(3));
    now = 3002;
    expect(await turns(memo, dir)).toEqual([1, 2, 3]);
  });

  it("keeps a window that moved past nothing as the same object", async () => {
    const dir = scratchDir();
    for (const day of [1, 2, 3])
      writeSession(dir, `s${day}`, metaLine(`s${day}`, `2026-08-0${day}T12:00:00Z`), outcomeLine(day));
    const memo = eager();
    const since = (time: string) => memo.scan(at(dir), { since_ms: Date.parse(time) });
    const scan = await since("2026-08-02T00:00:00Z");
    expect(scan.runs.map((run) => run.turns)).toEqual([3, 2]);
    expect(await since("2026-08-02T11:59:59Z")).toBe(scan);
    expect(await since("2026-08-02T12:00:00.001Z")).not.toBe(scan);
    expect((await memo.scan(at(dir), { sessions_max: 1 })).coverage).toMatchObject({ sessions_capped: 2 });
  });

  it("rejects when its signal is aborted, and answers others all the same", async () => {
    const dir = scratchDir();
    writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    const memo = eager();
    const controller = new AbortController();
    const gone = memo.scan(at(dir), {}, { signal: controller.signal });
    controller.abort(new Error("enough"));
    await expect(gone).rejects.toThrow("enough");
    expect(await turns(memo, dir)).toEqual([1]);
  });

  it("goes on without its threads when they end", async () => {
    const dir = scratchDir();
    const file = writeSession(dir, "a", metaLine("a"), outcomeLine(1));
    const memo = eager();
    expect(await turns(memo, dir)).toEqual([1]);
    await memo.close();
    appendFileSync(file, outcomeLine(2));
    expect(await turns(memo, dir)).toEqual([1, 2]);
  });

  it("says the same as a scan after every change of a broken store", { timeout: 60_000 }, async () => {
    const dir = scratchDir();
    const random = new Prng(77);
    const memo = eager();
    const limits: Partial<Limits>[] = [
      {},
      { sessions_max: 5 },
      { since_ms: Date.parse("2026-04-01T00:00:00Z"), as_of_ms: Date.parse("2026-07-01T00:00:00Z") },
    ];
    for (let step = 0; step < 150; step++) {
      change(dir, random);
      const bounds = random.pick(limits);
      const [kept, fresh] = [await memo.scan(at(dir), bounds), await scanRuns(at(dir), bounds)];
      expect(kept.runs, `step ${step}`).toEqual(fresh.runs);
      expect(kept.sessions, `step ${step}`).toEqual(fresh.sessions);
      expect(kept.coverage, `step ${step}`).toEqual(fresh.coverage);
      const list = await memo.sessions(at(dir), bounds);
      expect(list, `step ${step}`).toEqual(await listSessions(at(dir), bounds));
    }
  });
});

/** Does one thing to one of a dozen files. */
function change(dir: string, random: Prng): void {
  const name = `f${random.below(12)}`;
  const file = `${dir}/${name}.jsonl`;
  const bytes = fuzzFile(random);
  switch (random.below(5)) {
    case 0:
      rmSync(file, { force: true });
      break;
    case 1:
      writeSession(dir, name, bytes);
      break;
    case 2:
      writeFileSync(`${dir}/new`, bytes);
      renameSync(`${dir}/new`, file);
      break;
    default:
      appendFileSync(file, bytes.subarray(random.below(bytes.length)));
  }
}
