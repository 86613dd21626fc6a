import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UserError } from "#lib/errors.ts";
import { readable } from "#lib/eval/fixture-files.io.ts";
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

it("a workspace that cannot be made ends the pass with a reason, and not as a bug", async () => {
  const staging = await prepareStaging(fixture);
  await staging.clear();
  const refused = staging.stage("", "c");
  await expect(refused).rejects.toThrow("no workspace can be made in");
  await expect(refused).rejects.toBeInstanceOf(UserError);
});

it("so does a temporary folder that is not there", async () => {
  vi.stubEnv("TMPDIR", path.join(fixture, "gone"));
  const refused = prepareStaging(fixture);
  await expect(refused).rejects.toThrow(`no workspace can be made in ${path.join(fixture, "gone")}: ENOENT`);
  await expect(refused).rejects.toBeInstanceOf(UserError);
  vi.unstubAllEnvs();
});

it("a file of the fixture that cannot be read is named", async () => {
  const reading = readable(fixture, "gone.txt", (place) => readFile(place));
  await expect(reading).rejects.toThrow(`${path.join(fixture, "gone.txt")} cannot be read: ENOENT`);
  await expect(reading).rejects.toBeInstanceOf(UserError);
});
