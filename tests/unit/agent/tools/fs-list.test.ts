import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { fsList } from "#lib/agent/tools/fs-list.io.ts";
import { systemAddressing } from "#lib/agent/tools/workspace-walk.io.ts";
import { bad, good, scratch } from "./call-tool.ts";

function lister(names: readonly string[], bytesMax = 10_000) {
  const workspace = scratch();
  for (const name of names) {
    if (name.endsWith("/")) mkdirSync(path.join(workspace, name));
    else writeFileSync(path.join(workspace, name), "");
  }
  return { workspace, tool: fsList({ workspace, addressing: systemAddressing(), bytesMax }) };
}

describe("fs_list", () => {
  it("gives names in byte order, folders with a slash, links as names", async () => {
    const { tool, workspace } = lister(["b", "a/", "B", "é", "z", ".hidden", "a.txt", "～", "🦊"]);
    symlinkSync("a", path.join(workspace, "link"));
    expect(await good(tool, {})).toBe(".hidden\nB\na/\na.txt\nb\nlink\nz\né\n～\n🦊");
    expect(await good(tool, { path: "." })).toBe(await good(tool, { path: "a/.." }));
  });

  it("says that a folder is empty, missing, or a file", async () => {
    const { tool } = lister(["a/", "f"]);
    expect(await good(tool, { path: "a" })).toBe("[the folder is empty]");
    expect(await bad(tool, { path: "no" })).toBe("no: there is no such folder");
    expect(await bad(tool, { path: "f" })).toContain("is not a folder; fs_read reads a file");
  });

  it("keeps a name with a line break on one line", async () => {
    const { tool } = lister(["a\nforged/name".replace("/", "_"), 'q"uote', '"first', "b\u2028c", "[12 more"]);
    expect((await good(tool, {})).split(/[\n\u2028]/)).toEqual([
      '"\\"first"',
      '"[12 more"',
      '"a\\nforged_name"',
      '"b\\u2028c"',
      'q"uote',
    ]);
  });

  it("bounds the answer and says how many names are missing", async () => {
    const names = Array.from({ length: 1000 }, (_, i) => `file-${String(i).padStart(4, "0")}`);
    const { tool } = lister(names, 100);
    expect(await good(tool, {})).toBe([...names.slice(0, 10), "[990 more names are not shown]"].join("\n"));
  });
});
