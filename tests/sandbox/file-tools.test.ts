import { linkSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Tool } from "#lib/agent/tool.ts";
import { fsEdit } from "#lib/agent/tools/fs-edit.io.ts";
import { fsList } from "#lib/agent/tools/fs-list.io.ts";
import { fsRead } from "#lib/agent/tools/fs-read.io.ts";
import { fsWrite } from "#lib/agent/tools/fs-write.io.ts";
import { shellTool } from "#lib/agent/tools/shell.io.ts";
import { systemAddressing } from "#lib/agent/tools/workspace-walk.io.ts";
import { hasCode } from "#lib/errors.ts";
import { probe } from "#lib/sandbox/wrap.io.ts";
import { aHost, type Host } from "./host.ts";

const isolation = await probe();

let host: Host;
let tools: { read: Tool; list: Tool; write: Tool; edit: Tool };
beforeEach(async () => {
  host = await aHost();
  const place = { workspace: host.workspace, addressing: systemAddressing() };
  tools = {
    read: fsRead({ ...place, bytesMax: 100_000 }),
    list: fsList({ ...place, bytesMax: 100_000 }),
    write: fsWrite(place),
    edit: fsEdit(place),
  };
});
afterEach(() => host.close());

const call = (tool: Tool, input: Record<string, unknown>) =>
  tool.execute(input, { signal: new AbortController().signal });

type Ways = Record<string, (host: Host) => string>;
const WAYS: Ways = {
  "an absolute path": (h) => `${h.outside}/target.txt`,
  upwards: (h) => `../${path.basename(h.outside)}/target.txt`,
  "upwards after going down": (h) => `a/../../${path.basename(h.outside)}/target.txt`,
  "an absolute path that begins inside": (h) => `${h.workspace}/../${path.basename(h.outside)}/target.txt`,
  "a sibling with the same beginning": (h) => `${h.workspace}-more/target.txt`,
  "a link to a file": () => "target-link",
  "a link to a folder": () => "way-out/target.txt",
  "a link to a link": () => "second-link/target.txt",
  "a link by way of a folder and back": () => "way-out/../target-link",
  "the own root of the process": (h) => `/proc/self/root${h.outside}/target.txt`,
  "the own folder of the process": (h) => `/proc/self/cwd/../../../../..${h.outside}/target.txt`,
  "a link into /proc": (h) => `proc-link/root${h.outside}/target.txt`,
  "a NUL": (h) => `inside.txt\0/../${h.outside}/target.txt`,
  "a tilde": () => "~/../../etc/passwd",
};

function prepare(): void {
  mkdirSync(path.join(host.workspace, "a"));
  writeFileSync(path.join(host.workspace, "inside.txt"), "inside");
  symlinkSync("way-out", path.join(host.workspace, "second-link"));
  symlinkSync("/proc/self", path.join(host.workspace, "proc-link"));
}

describe("the file tools stay in the workspace", () => {
  beforeEach(prepare);

  test.each(Object.entries(WAYS))("writing by %s", async (_, way) => {
    await call(tools.write, { path: way(host), content: "changed" });
    await call(tools.edit, { path: way(host), old: "untouched", new: "changed" });
    expect(await host.reached()).toEqual([]);
  });

  test.each(Object.entries(WAYS))("reading by %s", async (_, way) => {
    const where = way(host).replace("target.txt", "secret.txt");
    const results = await Promise.all([
      call(tools.read, { path: where }),
      call(tools.list, { path: path.dirname(where) }),
    ]);
    for (const { content } of results)
      expect(content).not.toMatch(new RegExp(`${host.secret}|secret\\.txt\\n`));
    expect((await call(tools.read, { path: way(host) })).content).not.toContain("untouched");
  });

  test("a hard link that was there: the file outside keeps what it held", async () => {
    linkSync(path.join(host.outside, "target.txt"), path.join(host.workspace, "hard.txt"));
    await call(tools.write, { path: "hard.txt", content: "changed" });
    await call(tools.edit, { path: "hard.txt", old: "changed", new: "twice" });
    expect(await host.reached()).toEqual([]);
  });

  test("the real home and the environment", async () => {
    for (const where of [`${host.home ?? homedir()}/secret.txt`, "/proc/self/environ", "proc-link/environ"])
      expect((await call(tools.read, { path: where })).content).not.toContain(host.secret);
  });

  test("devices and pipes do not hold the call", async () => {
    symlinkSync("/dev/zero", path.join(host.workspace, "zero"));
    expect((await call(tools.read, { path: "zero" })).isError).toBe(true);
    expect((await call(tools.read, { path: "/dev/zero" })).isError).toBe(true);
  });

  test("a folder swapped for a link while it is written to and read", async () => {
    const folder = path.join(host.workspace, "swap");
    let swapping = true;
    const swapper = (async () => {
      while (swapping) {
        for (const make of [() => symlinkSync(host.outside, folder), () => mkdirSync(folder)]) {
          rmSync(folder, { recursive: true, force: true });
          try {
            make();
          } catch (error) {
            // The tool was faster and has made the folder itself.
            if (!hasCode(error, "EEXIST")) throw error;
          }
          await new Promise(setImmediate);
        }
      }
    })();
    for (let i = 0; i < 300; i += 1) {
      await call(tools.write, { path: "swap/target.txt", content: "changed" });
      await call(tools.write, { path: `swap/made/${i}.txt`, content: "changed" });
      expect((await call(tools.read, { path: "swap/secret.txt" })).content).not.toContain(host.secret);
    }
    swapping = false;
    await swapper;
    expect(await host.reached()).toEqual([]);
  });
});

describe.skipIf(!isolation.available)("the shell and the file tools together", () => {
  const shell = (command: string, cwd?: string) =>
    call(
      shellTool({
        ...{ workspace: host.workspace, sandbox: { kind: "bwrap", network: false } },
        ...{ timeoutSecs: 5, env: process.env, withhold: [] },
      }),
      { command, ...(cwd === undefined ? {} : { cwd }) },
    );

  test("a link made by the shell, then a file tool through it", async () => {
    await shell(`ln -s "${host.outside}/target.txt" made-link; ln -s "${host.outside}" made-folder`);
    await call(tools.write, { path: "made-link", content: "changed" });
    await call(tools.write, { path: "made-folder/target.txt", content: "changed" });
    expect((await call(tools.read, { path: "made-folder/secret.txt" })).content).not.toContain(host.secret);
    expect(await host.reached()).toEqual([]);
  });

  test("a pipe made by the shell does not hold a file tool", async () => {
    await shell("mkfifo pipe");
    expect((await call(tools.read, { path: "pipe" })).isError).toBe(true);
    expect((await call(tools.write, { path: "pipe", content: "x" })).isError).toBe(true);
  });

  test.each(["way-out", "..", "/", "/etc", "a/../..", "missing", "inside.txt", "\0"])(
    "a working folder of %j is refused",
    async (cwd) => {
      prepare();
      const { isError, content } = await shell("pwd; ls", cwd);
      expect(isError).toBe(true);
      expect(content).toMatch(/outside the workspace|there is no folder/);
    },
  );

  test("a working folder swapped for a link while commands run", async () => {
    const folder = path.join(host.workspace, "swap");
    mkdirSync(folder);
    for (let i = 0; i < 12; i += 1) {
      const running = shell("cat secret.txt; echo x > target.txt; echo x > new.txt", "swap");
      rmSync(folder, { recursive: true, force: true });
      symlinkSync(host.outside, folder);
      expect((await running).content).not.toContain(host.secret);
      rmSync(folder, { force: true });
      mkdirSync(folder);
    }
    expect(await host.reached()).toEqual([]);
  });
});
