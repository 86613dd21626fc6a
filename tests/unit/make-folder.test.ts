import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeFolder } from "#lib/make-folder.io.ts";

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "mecha-folder-"));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const modeOf = (folder: string) => statSync(folder).mode & 0o777;

describe("a folder that is made", () => {
  it("has its parents, all of the wanted mode, and leaves alone what is there", () => {
    chmodSync(root, 0o755);
    makeFolder(path.join(root, "a/b/c"), 0o700);
    for (const made of ["a", "a/b", "a/b/c"]) expect(modeOf(path.join(root, made))).toBe(0o700);
    expect(modeOf(root)).toBe(0o755);
    makeFolder(path.join(root, "a"), 0o755);
    expect(modeOf(path.join(root, "a"))).toBe(0o700);
  });

  it("may be named with a slash at its end or a way back in it, and be reached through a link", () => {
    makeFolder(`${root}/a/../b/`);
    expect(statSync(path.join(root, "b")).isDirectory()).toBe(true);
    symlinkSync(path.join(root, "b"), path.join(root, "link"));
    makeFolder(path.join(root, "link/c"));
    expect(statSync(path.join(root, "b/c")).isDirectory()).toBe(true);
    makeFolder("/");
  });

  it("is refused with the path that is in its way", () => {
    const file = path.join(root, "file");
    writeFileSync(file, "");
    expect(() => makeFolder(file)).toThrow(`ENOTDIR: ${file} is no folder`);
    expect(() => makeFolder(path.join(file, "a/b"))).toThrow(`${file} is no folder`);
    const astray = path.join(root, "astray");
    symlinkSync(path.join(root, "nowhere"), astray);
    expect(() => makeFolder(path.join(astray, "a"))).toThrow(`${astray} is no folder`);
  });

  it.skipIf(process.getuid?.() === 0)("is refused in a folder that is closed (not as root)", () => {
    mkdirSync(path.join(root, "closed"), { mode: 0o500 });
    expect(() => makeFolder(path.join(root, "closed/a/b"))).toThrow(/EACCES.*closed\/a'/);
  });

  it.skipIf(process.platform !== "linux")(
    "is refused at once where nothing can be made, as in /proc (Linux)",
    () => {
      // In a process of its own: the failure this guards against is one that never returns.
      const code =
        'import("./lib/make-folder.io.ts").then((it) => it.makeFolder("/proc/nope/a")).catch((e) => console.log(e.message))';
      const ran = spawnSync(process.execPath, ["--import", "tsx", "-e", code], {
        timeout: 20_000,
        encoding: "utf8",
      });
      expect(ran.stdout).toMatch(/ENOENT.*'\/proc\/nope'/);
    },
  );
});
