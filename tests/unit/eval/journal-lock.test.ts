import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockJournal } from "#lib/eval/journal-lock.io.ts";

let folder: string;
let journal: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "lock-"));
  journal = path.join(folder, "r.json.journal.jsonl");
});
afterEach(() => rmSync(folder, { recursive: true }));

it("is refused while the process that has it is there, and says which one", () => {
  writeFileSync(`${journal}.lock`, `${process.ppid}\n`);
  expect(() => lockJournal(journal)).toThrow(`still running, as process ${process.ppid}`);
  expect(existsSync(`${journal}.lock`)).toBe(true);
});

it.each(["", "4194305\n", "nonsense", "-1", "0", `${process.pid}\n`])(
  "is taken from a process that is gone (%j)",
  (left) => {
    writeFileSync(`${journal}.lock`, left);
    lockJournal(journal)();
    expect(existsSync(`${journal}.lock`)).toBe(false);
  },
);
