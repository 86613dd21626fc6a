import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { LIST_LIMITS, listReports, loadCard, type ReportMemo } from "#lib/eval/list-reports.io.ts";
import { readCard, readReport } from "#lib/eval/reports.io.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aCard, aReport, aRun } from "./cards.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "reports-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const put = (name: string, content: string | Buffer) => {
  const place = path.join(folder, name);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, content);
  return place;
};
const card = writeReport(aReport([aRun()]));
const listed = async (folders = [folder], limits = LIST_LIMITS) => {
  const { files, left_out } = await listReports(folders, limits);
  return { kinds: Object.fromEntries(files.map((file) => [file.name, file.kind])), files, left_out };
};

describe("a results folder", () => {
  it("lists each file as what it is, whatever stands beside it", async () => {
    put("card.json", card);
    put("bom.json", `\uFEFF${card}`);
    put("deep/er/card.json", card);
    put("cut.json", card.slice(0, card.length / 2));
    put("fault.json", card.replace('"turns": 2', '"turns": -2'));
    put("nan.json", card.replace('"turns": 2', '"turns": NaN'));
    put("ab.json", '{"ab_config":["max_turns=40"],"cases":[]}');
    put("rules.json", '{"ab_rules":true,"flips":[]}');
    put("notes.json", '{"note":"by hand","runs":[]}');
    put("rows.json", '[{"task_id":"a","reward":1}]');
    put("more-rows.json", '{"rows":[{"task_id":"a","reward":1}]}');
    put("verdict.json", '{"schema":"mecha.verdict/1"}');
    put("list.json", "[]");
    put("empty.json", "");
    put("latin.json", Buffer.from('{"a":"\xe9"}', "latin1"));
    put("LICENSE", "not JSON by name");
    put("._card.json", "\0\x05\x16\x07, as macOS leaves it beside card.json");
    put("card.json.transcripts/a-1.json", card);
    symlinkSync("nowhere", path.join(folder, "dangling.json"));
    symlinkSync(folder, path.join(folder, "loop"));
    symlinkSync(path.join(folder, "card.json"), path.join(folder, "link.json"));
    execFileSync("mkfifo", [path.join(folder, "pipe.json")]);

    const { kinds, left_out } = await listed();
    expect(kinds).toEqual({
      "card.json": "scorecard",
      "bom.json": "scorecard",
      "deep/er/card.json": "scorecard",
      "link.json": "scorecard",
      "cut.json": "broken_json",
      "fault.json": "invalid_scorecard",
      "nan.json": "broken_json",
      "ab.json": "ab_config",
      "rules.json": "ab_rules",
      "notes.json": "notes",
      "rows.json": "rows",
      "more-rows.json": "rows",
      "verdict.json": "verdict",
      "list.json": "other_json",
      "empty.json": "empty",
      "latin.json": "broken_json",
      "dangling.json": "unreadable",
      "pipe.json": "unreadable",
    });
    expect(left_out).toEqual({
      files_over_cap: 0,
      folders_too_deep: 0,
      files_not_json: 3, // LICENSE, what accompanies a card, and the link to a folder, which is not followed
      transcript_folders: 1,
      folders: [],
    });
  });

  it("says in one line what is wrong with a file", async () => {
    put("cut.json", card.slice(0, 200));
    put("fault.json", card.replace('"turns": 2', '"turns": -2'));
    const { files } = await listed();
    const problems = Object.fromEntries(files.map((file) => [file.name, file.problem]));
    expect(problems["cut.json"]).toBe("it is cut off in the middle");
    expect(problems["fault.json"]).toMatch(/^cases\[0\]\.turns: /);
  });

  it("lists a large report by its headline and says that its cases were not read", async () => {
    put("large.json", card);
    put("odd.json", `{"cases":[],${card.trim().slice(1)}`);
    const { files } = await listed([folder], { ...LIST_LIMITS, whole_bytes_max: 100 });
    const [large, odd] = ["large.json", "odd.json"].map((name) => files.find((file) => file.name === name));
    expect(large).toMatchObject({ kind: "scorecard", problem: null });
    expect(large?.card).toMatchObject({ recomputed: false, doubts: null, head: { total: 1, passed: 1 } });
    expect(odd).toMatchObject({ kind: "too_large", card: null });
  });

  it("keeps to its bounds, newest first, and counts what it left out", async () => {
    for (const [i, name] of ["a.json", "b.json", "c.json"].entries()) {
      utimesSync(put(name, card), 1000 + i, 1000 + i);
    }
    put("1/2/3.json", card);
    utimesSync(path.join(folder, "1/2/3.json"), 1, 1);
    const { files, left_out } = await listed([folder], { ...LIST_LIMITS, files_max: 2, depth_max: 1 });
    expect(files.map((file) => file.name)).toEqual(["c.json", "b.json"]);
    expect(left_out).toMatchObject({ files_over_cap: 1, folders_too_deep: 1 });
  });

  it("sorts by the time a card tells before the time of its file", async () => {
    const old = aReport([aRun()]);
    put("told.json", writeReport({ ...old, meta: { ...old.meta, created_at: "2001-01-01T00:00:00Z" } }));
    utimesSync(put("file.json", card), 1e9, 1e9);
    expect((await listed()).files.map((file) => file.name)).toEqual(["file.json", "told.json"]);
  });

  it("that is missing or no folder is said, and does not stop the others", async () => {
    const file = put("card.json", card);
    const { kinds, left_out } = await listed([path.join(folder, "gone"), file, folder]);
    expect(kinds).toEqual({ "card.json": "scorecard" });
    expect(left_out.folders.map((one) => one.problem)).toEqual([
      "there is no such folder",
      "it is not a folder",
    ]);
  });

  it("tells files of one name in two folders apart, and finds each again", async () => {
    put("one/card.json", card);
    put("two/card.json", card.replace("qwen3-moe", "gemma"));
    const folders = ["one", "two"].map((name) => path.join(folder, name));
    const names = (await listed(folders)).files.map((file) => file.name).sort();
    expect(names).toEqual(["2:card.json", "card.json"]);
    const models = await Promise.all(names.map((name) => loadCard(folders, name)));
    expect(models.map((one) => one.ok && one.value.report.model)).toEqual(["gemma", "qwen3-moe"]);
  });

  it("remembers unchanged files only", async () => {
    const memo: ReportMemo = new Map();
    const place = put("card.json", card);
    const first = await listReports([folder], LIST_LIMITS, memo);
    expect(memo.size).toBe(1);
    expect((await listReports([folder], LIST_LIMITS, memo)).files).toEqual(first.files);
    writeFileSync(place, card.replace("qwen3-moe", "qwen3-two"));
    utimesSync(place, 5, 5);
    const again = await listReports([folder], LIST_LIMITS, memo);
    expect(again.files[0]?.card?.model).toBe("qwen3-two");
  });
});

describe("reading one report", () => {
  it("never leads out of the results folder", async () => {
    put("results/card.json", card);
    put("secret.json", card);
    const results = [path.join(folder, "results")];
    for (const name of [
      "../secret.json",
      "a/../../secret.json",
      path.join(folder, "secret.json"),
      "",
      "x\0.json",
    ]) {
      expect((await loadCard(results, name)).ok, name).toBe(false);
    }
    expect((await loadCard(results, "card.json")).ok).toBe(true);
    expect((await loadCard(results, "1:card.json")).ok).toBe(true);
  });

  it("refuses what is too large, without reading it", async () => {
    const place = put("huge.json", card);
    truncateSync(place, 200 * 1024 * 1024);
    const took = cpuTimer();
    expect(await readCard(place, "huge.json")).toEqual({
      ok: false,
      problem:
        "huge.json is too large to read: 209.7 MB are more than the 134.2 MB that are read: its cases are unknown",
    });
    expect(took()).toBeLessThan(1000);
  });

  it("says what a file is that is no scorecard", async () => {
    const place = put("ab.json", '{"ab_config":[]}');
    const read = await readCard(place, "ab\u001b[2J.json");
    expect(read).toEqual({
      ok: false,
      problem: "ab\\u{1b}[2J.json is the result of a config A/B, whose arms are no ordinary scorecards",
    });
    expect(await readCard(path.join(folder, "gone.json"), "gone.json")).toMatchObject({
      problem: "gone.json is unreadable: there is no such file",
    });
    expect(await readReport(folder)).toMatchObject({
      kind: "unreadable",
      problem: "it is not a regular file",
    });
  });

  it("reads a report with 5 000 cases of five runs within a few seconds", async () => {
    const marks = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`case-${i}`, "✓✓✗✓✓"]));
    const place = put("big.json", writeReport(aCard("x", marks).report));
    const took = cpuTimer();
    const read = await readCard(place, "big.json");
    expect(read.ok && read.value.report.runs.length).toBe(25_000);
    expect(took()).toBeLessThan(20_000);
  });
});

describe.skipIf(!sharedDir)(`the shared scorecards${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  it("are 24 files: 23 scorecards, each confirmed by its cases, and one note", async () => {
    const { files } = await listed([path.join(sharedDir ?? "", "data/scorecards")]);
    expect(files.length).toBe(24);
    expect(files.filter((file) => file.kind !== "scorecard").map((file) => [file.name, file.kind])).toEqual([
      ["compaction-passk.json", "notes"],
    ]);
    for (const file of files) {
      if (file.kind === "scorecard") {
        expect(file.card?.doubts, file.name).toEqual({ head: [], contradictions: [], doubled: [] });
      }
    }
  });
});
