import { execFileSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tempHome } from "#tests/support/cli.ts";
import { type EvalHome, evalHome, trivialCases } from "#tests/support/eval-home.ts";

let temp: ReturnType<typeof tempHome>;
let rig: EvalHome;
beforeEach(() => {
  temp = tempHome();
  rig = evalHome(temp.home, { cases: trivialCases(2) });
  mkdirSync(path.join(temp.home, "folder"));
  writeFileSync(path.join(temp.home, "servers.toml"), "");
  symlinkSync("cases.jsonl", path.join(temp.home, "link.jsonl"));
});
afterEach(() => temp.remove());

const at = (name: string) => path.join(temp.home, name);
const EVAL = ["eval", "cases.jsonl", "-p", "s"];

test.each([
  ["the report over the cases", ["-o", "cases.jsonl"], 2, "cases.jsonl is what is read"],
  ["the report over the cases, by a link", ["-o", "link.jsonl"], 2, "link.jsonl is what is read"],
  ["the report over the servers", ["--mcp-file", "servers.toml", "-o", "servers.toml"], 2, "is what is read"],
  ["the report into a folder", ["-o", "folder"], 1, "folder cannot be written: it is a folder"],
  ["JUnit's file over the cases", ["--junit", "./cases.jsonl"], 2, "is what is read"],
  ["JUnit's file into a folder", ["--junit", "folder"], 1, "it is a folder"],
  ["a summary into the cases", ["--github-summary", "cases.jsonl"], 2, "is what is read"],
  ["a summary into a folder", ["--github-summary", "folder"], 1, "it is a folder"],
  ["transcripts into a file", ["--transcripts", "cases.jsonl"], 1, "transcripts go into a folder"],
  ["transcripts below a file", ["--transcripts", "cases.jsonl/x"], 1, "no place for transcripts: ENOTDIR"],
  ["two in one place", ["-o", "r.json", "--junit", "x/../r.json"], 2, "would be written twice"],
  ["the report into the fixture", ["-o", "workspace/r.json"], 2, "is inside of the fixture"],
])("%s is refused before anything is run", async (_, flags, exit, problem) => {
  const before = readFileSync(at("cases.jsonl"), "utf8");
  const { code, out, err } = await rig.mecha(...EVAL, ...flags);
  expect(err).toContain(problem);
  expect(code).toBe(exit);
  expect(err).not.toContain("[1/2]");
  expect(out).toBe("");
  expect(readFileSync(at("cases.jsonl"), "utf8")).toBe(before);
  expect(existsSync(at("folder.journal.jsonl"))).toBe(false);
});

test("what was measured is printed also where a file of it cannot be written", async () => {
  writeFileSync(at("file"), "");
  const { code, out, err } = await rig.mecha(...EVAL, "--junit", "/dev/full");
  expect(code).toBe(1);
  expect(out).toContain("2/2");
  expect(err).toContain("/dev/full cannot be written");
});

test("a report goes into a pipe handed over too, beside which nothing can be kept", async () => {
  execFileSync("mkfifo", [at("pipe")]);
  const held = openSync(at("pipe"), "r+");
  const report = readFile(at("pipe"), "utf8");
  const { code, err } = await rig.mecha(...EVAL, "-o", `/dev/fd/${held}`).finally(() => closeSync(held));
  expect(err).not.toContain("cannot");
  expect(code).toBe(0);
  expect(JSON.parse(await report).scorecard).toMatchObject({ passed: 2 });
});

test("a report that cannot be written leaves its journal, and says how to go on", async () => {
  mkdirSync(at("results"));
  const { code, err } = await rig.mecha(...EVAL, "-o", "r.json", "--junit", "/dev/full");
  expect(code).toBe(1);
  expect(err).toContain("--resume");
  const again = await rig.mecha(...EVAL, "-o", "r.json", "--resume", "r.json.journal.jsonl");
  expect(again.code).toBe(0);
  expect(again.err).toContain("2 finished run(s) are taken over");
  expect(existsSync(at("r.json.journal.jsonl.lock"))).toBe(false);
});
