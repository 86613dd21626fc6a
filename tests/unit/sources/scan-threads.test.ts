import { existsSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { scanRuns } from "#lib/sources/scan.io.ts";
import type { Source } from "#lib/sources/source.ts";
import { emptyCoverage } from "#lib/transcript/coverage.ts";
import { Prng } from "#tests/support/prng.ts";
import {
  messageLine,
  metaLine,
  outcomeLine,
  scratchDir,
  writeSession,
} from "#tests/support/session-files.ts";
import { fuzzFile } from "#tests/support/session-fuzz.ts";
import { readSlowly } from "#tests/support/slow-reader.ts";

const CAP = 600;

/** A store of broken files, and what the slow reader says about them. */
function brokenStore(files: number) {
  const dir = scratchDir();
  const coverage = emptyCoverage();
  let runs = 0;
  for (let seed = 5_000_001; seed <= 5_000_000 + files; seed++) {
    const file = fuzzFile(new Prng(seed));
    writeSession(dir, `f${seed}`, file);
    const read = readSlowly(file, CAP);
    if (read.found === "session") coverage.sessions_read++;
    if (read.found === "none") coverage.files_not_sessions++;
    if (read.found === "unreadable") coverage.sessions_unreadable++;
    coverage.lines_oversize += read.lines_oversize;
    coverage.lines_torn += read.lines_torn;
    coverage.lines_unknown += read.lines_unknown;
    coverage.lines_not_utf8 += read.lines_not_utf8;
    runs += read.runs.length;
  }
  return { source: { kind: "mecha", place: dir } satisfies Source, coverage, runs };
}

it("finds in real files what the slow reader finds, on one thread and on three", {
  timeout: 60_000,
}, async () => {
  expect(existsSync(path.join("dist", "scan-worker.cjs")), "the worker has been built").toBe(true);
  const { source, coverage, runs } = brokenStore(600);
  const [alone, together] = [
    await scanRuns(source, { line_bytes_max: CAP }, { threads: 1 }),
    await scanRuns(source, { line_bytes_max: CAP }, { threads: 3 }),
  ];
  expect(together.runs).toEqual(alone.runs);
  expect(together.sessions).toEqual(alone.sessions);
  expect(together.coverage).toEqual(alone.coverage);
  // Many of these sessions share an id, so that some of their runs may be told to be copies.
  const { runs_duplicate, ...rest } = alone.coverage;
  expect({ ...rest, runs_duplicate: 0 }).toEqual(coverage);
  expect(alone.runs.length + runs_duplicate).toBe(runs);
});

it("makes equal settings one object whichever thread read them", async () => {
  const { source } = brokenStore(200);
  const { runs } = await scanRuns(source, {}, { threads: 2 });
  const texts = runs.map((run) => JSON.stringify(run.config));
  expect(new Set(runs.map((run) => run.config)).size).toBe(new Set(texts).size);
});

it("reads in one piece what is too much to be handed over, and what starts oddly", async () => {
  const dir = scratchDir();
  const prompt = JSON.stringify({ record: "config", model: "big", system_prompt: "p".repeat(1_000_000) });
  writeSession(dir, "much", metaLine("much"), `${prompt}\n`.repeat(10), outcomeLine(1));
  writeSession(dir, "bom", "\ufeff\n \n", metaLine("bom"), messageLine("m"), outcomeLine(2).trimEnd());
  writeSession(dir, "message-first", messageLine("m"), metaLine("late"), outcomeLine(3));
  writeSession(dir, "long-first", `${"x".repeat(3_000_000)}\n`, metaLine("late"), outcomeLine(4));
  writeSession(
    dir,
    "oversize",
    metaLine("oversize"),
    `${"x".repeat(3_000_000)}\n`,
    outcomeLine(5),
    '{"record":"ou',
  );
  const limits = { line_bytes_max: 2_000_000 };
  const source: Source = { kind: "mecha", place: dir };
  const alone = await scanRuns(source, limits, { threads: 1 });
  const together = await scanRuns(source, limits, { threads: 4 });
  expect(alone.runs.map(({ turns }) => turns).sort()).toEqual([1, 2, 5]);
  expect(alone.coverage).toMatchObject({
    files_not_sessions: 1,
    sessions_unreadable: 1,
    lines_oversize: 2,
    lines_torn: 1,
  });
  expect({ ...together, scanned_at: 0, took_ms: 0 }).toEqual({ ...alone, scanned_at: 0, took_ms: 0 });
});
