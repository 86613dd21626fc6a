import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { prepareStaging } from "#lib/eval/workspace.io.ts";

let fixture: string;
beforeEach(() => {
  fixture = mkdtempSync(path.join(tmpdir(), "fixture-"));
  writeFileSync(path.join(fixture, "a.txt"), "a\n");
});
afterEach(() => rmSync(fixture, { recursive: true }));

it("an id of any length, and of anything, has a workspace inside of the staging folder", async () => {
  const staging = await prepareStaging(fixture);
  try {
    for (const id of ["x".repeat(5_000), "../../up", "/etc/passwd", "a\0b", "..", "日本\u202e", "\ud800"]) {
      const workspace = await staging.stage("", id);
      expect(path.resolve(workspace).startsWith(`${staging.root}${path.sep}`)).toBe(true);
      expect(existsSync(path.join(workspace, "a.txt"))).toBe(true);
    }
  } finally {
    await staging.clear();
  }
});

// Root is locked out of nothing: run by anybody else, this fails where folders are not opened up first.
it("what a run has locked itself out of goes with its workspace", async () => {
  const staging = await prepareStaging(fixture);
  const workspace = await staging.stage("b", "c#r1");
  mkdirSync(path.join(workspace, "closed", "inside"), { recursive: true });
  writeFileSync(path.join(workspace, "closed", "inside", "x"), "");
  for (const folder of ["closed/inside", "closed", "."]) chmodSync(path.join(workspace, folder), 0);
  await staging.drop(workspace);
  expect(existsSync(workspace)).toBe(false);
  await staging.clear();
  expect(existsSync(staging.root)).toBe(false);
});
