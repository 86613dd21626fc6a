import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lockJournal } from "#lib/eval/journal-lock.io.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), "lock-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

it("a journal is one process's at a time, and leaves nothing behind", async () => {
  const journal = path.join(folder, "r.json.journal.jsonl");
  const unlock = await lockJournal(journal);
  await expect(lockJournal(journal)).rejects.toThrow("another process is still running this evaluation");
  unlock();
  (await lockJournal(journal))();
  expect(readdirSync(folder)).toEqual([]);
});
