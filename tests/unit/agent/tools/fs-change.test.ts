import { chmodSync, linkSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editBytes } from "#lib/agent/tools/edit-bytes.ts";
import { fsEdit } from "#lib/agent/tools/fs-edit.io.ts";
import { fsWrite } from "#lib/agent/tools/fs-write.io.ts";
import { replaceFile } from "#lib/agent/tools/workspace-file.io.ts";
import { systemAddressing, withPlace } from "#lib/agent/tools/workspace-walk.io.ts";
import { bad, good, scratch } from "./call-tool.ts";

function changer() {
  const workspace = scratch();
  const place = { workspace, addressing: systemAddressing() };
  return {
    workspace,
    write: fsWrite(place),
    edit: fsEdit(place),
    at: (name: string) => path.join(workspace, name),
    text: (name: string) => readFileSync(path.join(workspace, name), "utf8"),
  };
}

describe("fs_write", () => {
  it("makes a file and the folders to it, or replaces one whole", async () => {
    const { write, text, workspace } = changer();
    expect(await good(write, { path: "a/b/c.txt", content: "ünï\r\n" })).toBe("made a/b/c.txt, 7 B");
    expect(await good(write, { path: "a/b/c.txt", content: "" })).toBe("replaced a/b/c.txt, 0 B");
    expect(text("a/b/c.txt")).toBe("");
    expect(readdirSync(workspace, { recursive: true }).sort()).toEqual(["a", "a/b", "a/b/c.txt"]);
  });

  it("keeps the mode of a file, and the content of another hard link", async () => {
    const { write, at, text } = changer();
    writeFileSync(at("run.sh"), "old");
    chmodSync(at("run.sh"), 0o750);
    linkSync(at("run.sh"), at("other"));
    await good(write, { path: "run.sh", content: "new" });
    expect(statSync(at("run.sh")).mode & 0o777).toBe(0o750);
    expect([text("run.sh"), text("other")]).toEqual(["new", "old"]);
  });

  it("leaves nothing behind where it may not write", async () => {
    const { write, at, workspace } = changer();
    mkdirSync(at("sub"));
    writeFileSync(at("f"), "x");
    for (const name of ["sub", ".", "new/", "new/sub/.", "f/x", "none/../x"])
      expect(await bad(write, { path: name, content: "x" }), name).toMatch(/folder/);
    expect(readdirSync(workspace, { recursive: true }).sort()).toEqual(["f", "sub"]);
  });

  it("is never seen half written", async () => {
    const { write, text } = changer();
    const contents = ["a", "b"].map((letter) => letter.repeat(3_000_000));
    await good(write, { path: "f", content: contents[0] });
    let done = false;
    const writing = (async () => {
      for (let i = 0; i < 10; i += 1) await good(write, { path: "f", content: contents[i % 2] });
      done = true;
    })();
    while (!done) {
      expect(contents.includes(text("f"))).toBe(true);
      await new Promise((next) => setImmediate(next));
    }
    await writing;
  });
});

describe("fs_edit", () => {
  it("replaces the one place and says its line", async () => {
    const { edit, at, text, workspace } = changer();
    writeFileSync(at("f"), "one\ntwo\nthree\n");
    expect(await good(edit, { path: "f", old: "two", new: "zwei $& $1" })).toBe("edited f at line 2");
    expect(text("f")).toBe("one\nzwei $& $1\nthree\n");
    expect(await good(edit, { path: "f", old: "one\n", new: "" })).toBe("edited f at line 1");
    expect(text("f")).toBe("zwei $& $1\nthree\n");
    expect(readdirSync(workspace)).toEqual(["f"]);
  });

  it.each([
    [{ old: "x", new: "y" }, "`old` does not occur in it (0 times)"],
    [{ old: "a", new: "y" }, "`old` occurs 3 times"],
    [{ old: "aa", new: "y" }, "`old` occurs 2 times"],
    [{ old: "", new: "y" }, "`old` is empty"],
    [{ old: "aaa", new: "aaa" }, "nothing to change"],
  ])("refuses %j", async (change, said) => {
    const { edit, at, text } = changer();
    writeFileSync(at("f"), "aaa");
    expect(await bad(edit, { path: "f", ...change })).toContain(said);
    expect(text("f")).toBe("aaa");
  });

  it("does not write over what somebody else wrote meanwhile", async () => {
    const { workspace, at, text } = changer();
    writeFileSync(at("f"), "theirs");
    const before = statSync(at("f"));
    writeFileSync(at("f"), "theirs, changed");
    const options = { createFolders: false, addressing: systemAddressing() };
    const writing = withPlace(workspace, "f", options, (place) =>
      replaceFile(place, Buffer.from("ours"), before),
    );
    await expect(writing).rejects.toThrow("was changed by somebody else meanwhile");
    expect(text("f")).toBe("theirs, changed");
    expect(readdirSync(workspace)).toEqual(["f"]);
  });

  it("refuses binary, missing and huge files", async () => {
    const { edit, at } = changer();
    writeFileSync(at("b"), "a\0b");
    expect(await bad(edit, { path: "b", old: "a", new: "c" })).toContain("is not text");
    expect(await bad(edit, { path: "none", old: "a", new: "c" })).toBe("none: there is no such file");
    expect(await bad(edit, { path: ".", old: "a", new: "c" })).toContain("is a folder");
  });

  it("keeps CRLF, a byte order mark and bytes that are no UTF-8", () => {
    const edited = (file: string, old: string, fresh: string) => {
      const result = editBytes(Buffer.from(file, "latin1"), old, fresh);
      return result.ok ? Buffer.from(result.value.content).toString("latin1") : result.problem;
    };
    expect(edited("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz")).toBe("x\r\ny\r\nz\r\nc\r\n");
    expect(edited("a\r\nb\r\n", "a\r\nb", "x")).toBe("x\r\n");
    // Mixed line ends stay as they are: nobody can say which are meant.
    expect(edited("a\r\nb\nc\n", "b\nc", "x\ny")).toBe("a\r\nx\ny\n");
    expect(edited("a\r\nb\nc\n", "a\nb", "x")).toContain("0 times");
    expect(edited("\xef\xbb\xbfab", "\ufeffa", "\ufeffx")).toBe("\xef\xbb\xbfxb");
    expect(edited("caf\xe9 one\xff", "one", "two")).toBe("caf\xe9 two\xff");
  });

  it("changes nothing but the one place, whatever the bytes", () => {
    const part = fc.uint8Array({ maxLength: 40 });
    fc.assert(
      fc.property(part, part, (before, after) => {
        const file = Buffer.concat([before, Buffer.from("<needle>"), after]);
        const result = editBytes(file, "<needle>", "fresh");
        expect(result.ok && Buffer.from(result.value.content)).toEqual(
          Buffer.concat([before, Buffer.from("fresh"), after]),
        );
      }),
    );
  });
});
