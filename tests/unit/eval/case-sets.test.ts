import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { countCases, listCaseSets, listServerFiles } from "#lib/eval/case-sets.io.ts";

const CASE = (id: string, tags: string[]) =>
  JSON.stringify({ id, tags, prompt: "hello", expect: { contains: ["x"] } });
let top: string;
const folder = (name: string) => path.join(top, name);

beforeEach(() => {
  top = realpathSync(mkdtempSync(path.join(os.tmpdir(), "sets-")));
  for (const name of ["cwd/eval", "root/eval"]) mkdirSync(folder(name), { recursive: true });
});
afterEach(() => rmSync(top, { recursive: true }));

function write(name: string, lines: string[]): void {
  writeFileSync(folder(name), `${lines.join("\n")}\n`);
}

test("the working folder's sets come first, then those of the program, each by its name", async () => {
  write("cwd/eval/b.jsonl", [CASE("one", ["small"]), CASE("two", ["small", "big"])]);
  write("cwd/eval/a.jsonl", ['{"id": 1}']);
  write("cwd/eval/.hidden.jsonl", []);
  write("cwd/eval/servers.toml", []);
  write("root/eval/b.jsonl", [CASE("other", ["x"])]);
  mkdirSync(folder("cwd/eval/folder.jsonl"));
  const places = { cwd: folder("cwd"), root: folder("root") };
  const sets = await listCaseSets(places);
  expect(sets.map(({ name, cases, problem }) => [name, cases, problem === null])).toEqual([
    ["eval/a.jsonl", 0, false],
    ["eval/b.jsonl", 2, true],
    ["shipped: eval/b.jsonl", 1, true],
  ]);
  expect(sets[1]?.tags).toEqual([
    { tag: "small", cases: 2 },
    { tag: "big", cases: 1 },
  ]);
  expect(await listServerFiles(places)).toEqual([
    { name: "eval/servers.toml", file: folder("cwd/eval/servers.toml") },
  ]);
});

test("where the person works in the program's own folder, nothing is listed twice", async () => {
  write("root/eval/cases.jsonl", [CASE("one", ["x"])]);
  const own = { cwd: folder("root"), root: folder("root") };
  expect((await listCaseSets(own)).map(({ name }) => name)).toEqual(["eval/cases.jsonl"]);
  symlinkSync(folder("root"), folder("link"));
  const linked = { cwd: folder("link"), root: folder("root") };
  expect((await listCaseSets(linked)).map(({ name }) => name)).toEqual(["eval/cases.jsonl"]);
  expect(await listCaseSets({ cwd: folder("nowhere"), root: folder("cwd") })).toEqual([]);
});

test("cases are counted by their tags", async () => {
  write("cwd/eval/c.jsonl", [CASE("one", ["small"]), CASE("two", ["big"]), CASE("three", ["rest"])]);
  const set = { name: "eval/c.jsonl", file: folder("cwd/eval/c.jsonl") };
  expect(await countCases(set, [])).toEqual({ ok: true, value: 3 });
  expect(await countCases(set, ["small", "big"])).toEqual({ ok: true, value: 2 });
  expect(await countCases(set, ["nobody"])).toMatchObject({ ok: false });
  expect(await countCases({ ...set, file: folder("gone") }, [])).toMatchObject({ ok: false });
});
