import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { loadConfig } from "#lib/config/load.io.ts";
import { readSystemPrompt } from "#lib/config/system-prompt.io.ts";
import { UserError } from "#lib/errors.ts";

let root: string;
let home: string;
let cwd: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "mecha-config-"));
  home = path.join(root, "home");
  cwd = path.join(root, "project");
  for (const folder of [home, cwd]) mkdirSync(folder);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const load = (project = true, folder = cwd) =>
  loadConfig({ settings: { mechaHome: home, osHome: root }, env: {}, cwd: folder, project });
const write = (folder: string, name: string, text: string | Uint8Array) =>
  writeFileSync(path.join(folder, name), text);

async function problemOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.catch((thrown: unknown) => thrown);
  if (!(error instanceof UserError)) throw new Error("no UserError");
  return error.message;
}

describe("the files", () => {
  test("need not be there, nor their folders", async () => {
    expect((await load()).config.agent.max_turns).toBe(40);
    rmSync(home, { recursive: true });
    expect((await load()).config.agent.max_turns).toBe(40);
  });

  test("are read in their order; unattended runs see the home's only", async () => {
    write(home, "config.toml", '[agent]\nmax_turns = 30\nsystem_prompt_file = "p.md"\n');
    write(cwd, "mecha.toml", "[agent]\nmax_turns = 20\n");
    expect((await load()).config.agent).toMatchObject({
      max_turns: 20,
      system_prompt_file: path.join(home, "p.md"),
    });
    expect((await load(false)).config.agent.max_turns).toBe(30);
  });

  test("a broken one of the project is no concern of an unattended run", async () => {
    write(cwd, "mecha.toml", "[");
    expect((await load(false)).config.agent.max_turns).toBe(40);
    expect(await problemOf(load())).toMatch(/project\/mecha\.toml:1: /);
  });
});

describe("trust", () => {
  const loosened = async (folder = cwd) => (await load(true, folder)).config.sandbox.kind === "none";
  beforeEach(() => write(cwd, "mecha.toml", '[sandbox]\nkind = "none"\n'));

  test("needs the folder's own name in the home's file", async () => {
    expect(await loosened()).toBe(false);
    write(home, "config.toml", `trusted_projects = [${JSON.stringify(cwd)}]\n`);
    expect(await loosened()).toBe(true);
    write(home, "config.toml", 'trusted_projects = ["~/project/"]\n');
    expect(await loosened()).toBe(true);
    write(home, "config.toml", 'trusted_projects = ["/nowhere", "../project"]\n');
    expect(await loosened()).toBe(true);
    write(home, "config.toml", `trusted_projects = [${JSON.stringify(root)}]\n`);
    expect(await loosened()).toBe(false);
  });

  test("does not go down to what a project brought along", async () => {
    const deep = path.join(cwd, "node_modules");
    mkdirSync(deep);
    write(deep, "mecha.toml", '[sandbox]\nkind = "none"\n');
    write(home, "config.toml", 'trusted_projects = ["~/project"]\n');
    expect(await loosened(deep)).toBe(false);
  });

  test("is about the folder itself, by whatever name", async () => {
    const link = path.join(root, "link");
    symlinkSync(cwd, link);
    write(home, "config.toml", 'trusted_projects = ["~/link"]\n');
    expect(await loosened()).toBe(true);
    write(home, "config.toml", 'trusted_projects = ["~/project"]\n');
    expect(await loosened(link)).toBe(true);
  });

  test("cannot be given by the project", async () => {
    write(cwd, "mecha.toml", 'trusted_projects = ["."]\n[sandbox]\nkind = "none"\n');
    const { config, notices } = await load();
    expect(config.sandbox.kind).toBe("bwrap");
    expect(notices).toHaveLength(2);
  });
});

describe("a file that cannot be used is named", () => {
  test.each<[string, () => void, RegExp]>([
    ["a folder", () => mkdirSync(path.join(home, "config.toml")), /config\.toml: it is not a regular file$/],
    [
      "not UTF-8",
      () => write(home, "config.toml", Buffer.from([0x61, 0xe9])),
      /config\.toml: it is not UTF-8 text$/,
    ],
    [
      "too large",
      () => write(home, "config.toml", "#".repeat(300_000)),
      /config\.toml: 300\.0 kB are more than the 256\.0 kB/,
    ],
    [
      "a home that is a file",
      () => {
        rmSync(home, { recursive: true });
        writeFileSync(home, "");
      },
      /config\.toml: ENOTDIR/,
    ],
    [
      "a mistake",
      () => write(cwd, "mecha.toml", "\n[agent]\nmax = 1\n"),
      /project\/mecha\.toml:3: unknown key/,
    ],
  ])("%s", async (_, prepare, said) => {
    prepare();
    expect(await problemOf(load())).toMatch(said);
  });

  test.skipIf(process.getuid?.() === 0)("one that may not be read (the superuser may read any)", async () => {
    write(home, "config.toml", "");
    chmodSync(path.join(home, "config.toml"), 0);
    expect(await problemOf(load())).toMatch(/config\.toml: EACCES/);
  });
});

test("a system prompt comes from where it is set", async () => {
  write(home, "config.toml", '[agent]\nsystem_prompt = "short"\n');
  expect(await readSystemPrompt((await load()).config)).toBe("short");
  write(home, "config.toml", '[agent]\nsystem_prompt_file = "p.md"\n');
  expect(await problemOf(readSystemPrompt((await load()).config))).toMatch(
    /^agent\.system_prompt_file: .*p\.md: there is no such file$/,
  );
  write(home, "p.md", "long\n");
  expect(await readSystemPrompt((await load()).config)).toBe("long\n");
});
