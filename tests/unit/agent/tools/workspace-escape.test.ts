import { execFileSync } from "node:child_process";
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import net from "node:net";
import path from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { fsEdit } from "#lib/agent/tools/fs-edit.io.ts";
import { fsList } from "#lib/agent/tools/fs-list.io.ts";
import { fsRead } from "#lib/agent/tools/fs-read.io.ts";
import { fsWrite } from "#lib/agent/tools/fs-write.io.ts";
import type { Addressing } from "#lib/agent/tools/workspace-walk.io.ts";
import { Prng } from "#tests/support/prng.ts";
import { bad, call, good, scratch } from "./call-tool.ts";

const SECRET = "the secret of the house";

/** A workspace `ws` beside a folder of secrets, with links of every kind in it. */
function house(addressing: Addressing) {
  const dir = scratch();
  const ws = path.join(dir, "ws");
  for (const folder of ["ws/sub/deep", "out", "ws-twin"])
    mkdirSync(path.join(dir, folder), { recursive: true });
  writeFileSync(path.join(dir, "out/secret"), SECRET);
  writeFileSync(path.join(dir, "ws-twin/secret"), SECRET);
  writeFileSync(path.join(dir, "secret"), SECRET);
  writeFileSync(path.join(ws, "inside"), "inside");
  const links: [string, string][] = [
    ["link-file", "../out/secret"],
    ["link-file-absolute", path.join(dir, "out/secret")],
    ["link-folder", "../out"],
    ["link-folder-absolute", path.join(dir, "out")],
    ["link-twin", `${ws}-twin/secret`],
    ["link-up", ".."],
    ["link-root", "/"],
    ["link-chain-1", "link-chain-2"],
    ["link-chain-2", "sub/link-chain-3"],
    ["sub/link-chain-3", "../../out/secret"],
    ["link-circle", "link-circle"],
    ["link-new", "../out/new"],
    ["link-proc", "/proc/self/root"],
    ["link-cwd", "/proc/self/cwd"],
    ["link-fd", "/proc/self/fd/0"],
    ["link-climb", "sub/../../out/secret"],
    ["link-deep-climb", "sub/deep/../../../secret"],
    ["link-fine", "sub/../inside"],
    ["link-fine-absolute", path.join(ws, "inside")],
    ["sub/link-parent", ".."],
  ];
  for (const [name, target] of links) symlinkSync(target, path.join(ws, name));
  const place = { workspace: ws, addressing, bytesMax: 100_000 };
  return { dir, ws, read: fsRead(place), list: fsList(place), write: fsWrite(place), edit: fsEdit(place) };
}

const attempts = (dir: string): string[] => [
  "..",
  "../secret",
  "../out/secret",
  "../ws-twin/secret",
  "./../secret",
  ".//..//secret",
  "sub/../../secret",
  "sub/deep/../../../secret",
  "sub/deep/../../../../../../../../etc/passwd",
  "missing/../../secret",
  "inside/../../secret",
  "/",
  "/etc/passwd",
  "//etc/passwd",
  "/etc/../etc/passwd",
  `${dir}/secret`,
  `${dir}/ws-twin/secret`,
  `${dir}/ws/../secret`,
  `${dir}/./ws/../out/secret`,
  `${dir}/out/../out/secret`,
  `/proc/self/cwd/../secret`,
  "/proc/self/root/etc/passwd",
  `/proc/self/root${dir}/secret`,
  "/proc/self/environ",
  "/dev/stdin",
  "/dev/fd/0",
  "link-file",
  "link-file-absolute",
  "link-folder/secret",
  "link-folder-absolute/secret",
  "link-folder/../secret",
  "link-twin",
  "link-up/secret",
  "link-up/ws-twin/secret",
  "link-root/etc/passwd",
  `link-root${dir}/secret`,
  "link-chain-1",
  "link-circle",
  "link-circle/secret",
  "link-new",
  "link-proc/etc/passwd",
  `link-proc${dir}/secret`,
  "link-cwd/secret",
  "link-fd",
  "link-climb",
  "link-deep-climb",
  "sub/link-parent/../secret",
  "sub/link-parent/link-up/secret",
  "../secret\0",
  "inside\0/../../secret",
  "~/secret",
  "$HOME/secret",
  "file:///etc/passwd",
  "..\\secret",
  "．．/secret",
  "..∕secret",
  "‥/secret",
  "%2e%2e/secret",
  "..%2fsecret",
  ".. /secret",
  "../ secret",
  ".../secret",
  "..\u200b/secret",
  `${"sub/../".repeat(500)}../secret`,
  "a/".repeat(2000),
  "x".repeat(300),
  "x".repeat(5000),
  "",
];

/** Names and contents of everything outside the workspace. */
function outsideState(dir: string): unknown {
  return ["out", "ws-twin", "."].map((folder) =>
    readdirSync(path.join(dir, folder), { withFileTypes: true }).map((entry) => [
      entry.name,
      entry.isFile() ? readFileSync(path.join(dir, folder, entry.name), "utf8") : "",
    ]),
  );
}

describe.each<Addressing>(["descriptors", "paths"])("what leads out of the workspace (%s)", (addressing) => {
  it("is neither read, listed, written nor edited", async () => {
    const { dir, read, list, write, edit } = house(addressing);
    const before = outsideState(dir);
    for (const attempt of attempts(dir)) {
      expect(await bad(read, { path: attempt }), attempt).not.toContain(SECRET);
      expect(await bad(list, { path: attempt }), attempt).not.toContain("secret\n");
      expect(await bad(edit, { path: attempt, old: SECRET, new: "gone" }), attempt).not.toContain("edited");
    }
    for (const attempt of attempts(dir)) {
      const wrote = await call(write, { path: attempt, content: "gone" });
      expect(outsideState(dir), attempt).toEqual(before);
      // Names that only look like a way out are names, and become files of the workspace.
      if (!wrote.isError)
        expect(attempt).toMatch(/^(~|\$HOME|file:|\.\.\\|．|\.\.∕|‥|%2e|\.\.%|\.\. |\.\.\.|\.\.\u200b)/);
    }
    expect(() => statSync(path.join(dir, "out/new"))).toThrow("ENOENT");
  });

  it("is told from what stays inside", async () => {
    const { ws, read, list, write } = house(addressing);
    const fine = [
      "inside",
      "./inside",
      `${ws}/inside`,
      `${ws}//sub/../inside`,
      "link-fine",
      "link-fine-absolute",
    ];
    for (const file of [...fine, "sub/link-parent/inside", "sub/deep/../../inside"])
      expect(await good(read, { path: file }), file).toBe("inside");
    expect(await good(list, { path: "sub/link-parent" })).toContain("sub/");
    expect(await good(list, { path: ws })).toContain("inside");
    await good(write, { path: "link-fine", content: "through the link" });
    expect(readFileSync(path.join(ws, "inside"), "utf8")).toBe("through the link");
    expect(await good(read, { path: "link-fine" })).toBe("through the link");
  });

  it("works in a workspace that is reached by a link itself", async () => {
    const { dir } = house(addressing);
    symlinkSync("ws", path.join(dir, "alias"));
    const place = { workspace: path.join(dir, "alias"), addressing, bytesMax: 1000 };
    for (const file of ["inside", `${dir}/alias/inside`, `${dir}/ws/inside`, "link-fine-absolute"])
      expect(await good(fsRead(place), { path: file })).toBe("inside");
    expect(await bad(fsRead(place), { path: "../secret" })).toContain("outside the workspace");
  });

  it("refuses pipes, sockets and devices at once", async () => {
    const { ws, read, write, edit } = house(addressing);
    execFileSync("mkfifo", [path.join(ws, "pipe")]);
    const server = net.createServer();
    await new Promise<void>((done) => server.listen(path.join(ws, "socket"), done));
    onTestFinished(() => void server.close());
    for (const name of ["pipe", "socket"]) {
      expect(await bad(read, { path: name })).toContain(`is a ${name}, not a file`);
      expect(await bad(write, { path: name, content: "x" })).toContain(`is a ${name}`);
      expect(await bad(edit, { path: name, old: "a", new: "b" })).toContain(`is a ${name}`);
    }
    if (process.getuid?.() === 0) {
      execFileSync("mknod", [path.join(ws, "zero"), "c", "1", "5"]);
      expect(await bad(read, { path: "zero" })).toContain("is a device");
    }
  });

  it("names no address under /proc in what it says", async () => {
    const { read, write } = house(addressing);
    for (const file of ["nothing", "nothing/here", "inside/x", "sub"]) {
      expect(await bad(read, { path: file })).not.toMatch(/proc|mecha-tools/);
      expect(
        file === "nothing" ||
          file === "nothing/here" ||
          !(await bad(write, { path: file, content: "" })).includes("proc"),
      ).toBe(true);
    }
  });
});

describe.each<Addressing>(["descriptors", "paths"])("any path through any links (%s)", (addressing) => {
  it("reads what the system would read there, or nothing", async () => {
    const random = new Prng(7);
    const names = ["a", "b", "c"];
    const steps = [...names, "..", ".", "", "secret"];
    const somePath = (most: number) =>
      Array.from({ length: 1 + random.below(most) }, () => random.pick(steps)).join("/");
    let reads = 0;
    for (let round = 0; round < 25; round += 1) {
      const dir = scratch();
      const ws = path.join(dir, "ws");
      mkdirSync(ws);
      for (const place of [dir, ws])
        writeFileSync(path.join(place, "secret"), place === ws ? "inside" : SECRET);
      for (const folder of ["", "a/", "b/", "a/a/"])
        for (const name of names) {
          const target = `${random.chance(0.3) ? `${ws}/` : ""}${somePath(4)}`;
          const make = random.chance(0.5)
            ? () => symlinkSync(target || ".", path.join(ws, folder, name))
            : () => {
                mkdirSync(path.join(ws, folder, name));
                writeFileSync(path.join(ws, folder, name, "secret"), folder + name);
              };
          if (realpathOrNull(path.join(ws, folder))?.startsWith(ws)) attempt(make);
        }
      const read = fsRead({ workspace: ws, addressing, bytesMax: 1000 });
      for (let i = 0; i < 60; i += 1) {
        const given = somePath(6);
        const result = await call(read, { path: given });
        expect(result.content).not.toContain(SECRET);
        if (result.isError) continue;
        reads += 1;
        const real = realpathOrNull(path.join(ws, "/") + given);
        expect(real?.startsWith(`${ws}/`), given).toBe(true);
        expect(result.content).toBe(readFileSync(real ?? "", "utf8"));
      }
    }
    expect(reads).toBeGreaterThan(50);
  });
});

function realpathOrNull(place: string): string | null {
  try {
    return realpathSync.native(place);
  } catch {
    return null;
  }
}

/** Some of what is made by chance cannot be: a name is taken, a link leads nowhere. */
function attempt(make: () => void): void {
  try {
    make();
  } catch (error) {
    if (!(error instanceof Error && "code" in error)) throw error;
  }
}
