import { expect, it } from "vitest";
import { evalProgress } from "#lib/cli/eval-progress.ts";
import type { JournalEntry } from "#lib/eval/journal.ts";
import { silentIo } from "#tests/support/cli.ts";
import { aRun } from "./cards.ts";

const SETUP = { arms: [], runsPerCase: 1 };

function watched(terminal: boolean) {
  const said: string[] = [];
  const isTty = { stdin: terminal, stdout: terminal, stderr: terminal };
  const io = { ...silentIo(), isTty, columns: 60, err: (text: string) => void said.push(text) };
  return { said, progress: evalProgress(io) };
}

function entry(id: string, parts: Parameters<typeof aRun>[0] = {}): JournalEntry {
  return { arm: "", result: aRun({ id, ...parts }), judge: null, clock_ms: 1 };
}

it("is one line on a terminal: runs done, failing so far, and the time that is left", () => {
  const { said, progress } = watched(true);
  progress.begin(SETUP, 4, [entry("before", { passed: false })]);
  progress.started();
  expect(said.at(-1)).toBe("\r\u001b[2K1/4 runs · 1 failing");
  progress.done(entry("a"));
  expect(said.at(-1)).toMatch(/2\/4 runs · 1 failing · about .+ left$/);
  progress.said("stopping");
  expect(said.slice(-2)).toEqual(["\r\u001b[2K", "mecha: stopping\n"]);
  progress.done(entry("b", { passed: false }));
  progress.end();
  expect(said.at(-1)).toBe("\r\u001b[2K");
  expect(said.join("")).not.toContain("passed");
});

it("is a line for each run elsewhere, with what failed, and nothing that a terminal would act on", () => {
  const { said, progress } = watched(false);
  progress.begin(SETUP, 3, []);
  progress.done(entry("a"));
  const checks = [{ name: "says \u001b[2J", passed: false, detail: "" }];
  progress.done(entry("b\u001b", { passed: false, checks }));
  progress.done(entry("c", { passed: false, error: "HTTP 500" }));
  progress.end();
  expect(said).toEqual([
    "[1/3] passed  a\n",
    "[2/3] FAILED  b\\u{1b}: says \\u{1b}[2J\n",
    "[3/3] ERROR  c: HTTP 500\n",
  ]);
});
