import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { UserError } from "#lib/errors.ts";
import { settingsFrom } from "#lib/settings.ts";
import { discoverSources } from "#lib/sources/discover.io.ts";

let top: string;
beforeAll(() => {
  top = mkdtempSync(path.join(os.tmpdir(), "mecha-discover-"));
  mkdirSync(path.join(top, ".mecha/sessions"), { recursive: true });
  mkdirSync(path.join(top, "claude/projects"), { recursive: true });
  writeFileSync(path.join(top, "a-file"), "");
  symlinkSync(path.join(top, "loop"), path.join(top, "loop"));
  symlinkSync(path.join(top, ".mecha/sessions"), path.join(top, "link"));
});
afterAll(() => rmSync(top, { recursive: true }));

function settings(env: Record<string, string> = {}) {
  const parsed = settingsFrom(env, { osHome: top, cwd: top, systemZone: "UTC" });
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

describe("discovery", () => {
  it("finds what is there and does not mind what is not", async () => {
    const found = await discoverSources(settings(), null);
    expect(found).toEqual([
      { source: { kind: "mecha", place: path.join(top, ".mecha/sessions") }, found: true, problem: null },
      {
        source: { kind: "claude-code", place: path.join(top, ".claude/projects") },
        found: false,
        problem: null,
      },
    ]);
  });

  it("minds the absence of what was asked for", async () => {
    const [one] = await discoverSources(settings(), ["claude-code"]);
    expect(one).toMatchObject({ found: false, problem: "there is no such folder" });
    const [other] = await discoverSources(settings({ MECHA_SOURCES: "mecha=/nowhere/at/all" }), null);
    expect(other).toMatchObject({ found: false, problem: "there is no such folder" });
  });

  it("reads Claude Code's other places where they are there, and is silent where they are not", async () => {
    const home = mkdtempSync(path.join(top, "home-"));
    const places = async (env: Record<string, string>, selected: string[] | null = ["claude-code"]) => {
      const parsed = settingsFrom(env, { osHome: home, cwd: home, systemZone: "UTC" });
      if (!parsed.ok) throw new Error(parsed.problem);
      const found = await discoverSources(parsed.value, selected);
      return found.map(({ source, problem }) => [path.relative(home, source.place), problem]);
    };
    const missing = "there is no such folder";
    expect(await places({})).toEqual([[".claude/projects", missing]]);
    expect(await places({}, ["claude-code=.config/claude"])).toEqual([[".config/claude", missing]]);
    mkdirSync(path.join(home, ".config/claude/projects"), { recursive: true });
    expect(await places({})).toEqual([
      [".claude/projects", null],
      [".config/claude/projects", null],
    ]);
    mkdirSync(path.join(home, "b/projects"), { recursive: true });
    expect(await places({ CLAUDE_CONFIG_DIR: "a,b" })).toEqual([
      ["a/projects", missing],
      ["b/projects", null],
    ]);
    symlinkSync(path.join(home, "b"), path.join(home, "a"));
    expect(await places({ CLAUDE_CONFIG_DIR: "a,b" })).toEqual([["a/projects", null]]);
    mkdirSync(path.join(home, "x,y/projects"), { recursive: true });
    expect(await places({ CLAUDE_CONFIG_DIR: "x,y" })).toEqual([
      ["x/projects", null],
      ["y/projects", null],
      ["x,y/projects", null],
    ]);
  });

  it("takes a tool's home folder for the transcripts in it", async () => {
    const found = await discoverSources(settings(), ["mecha=.mecha", "claude-code=claude"]);
    expect(found.map(({ source }) => source.place)).toEqual([
      path.join(top, ".mecha/sessions"),
      path.join(top, "claude/projects"),
    ]);
  });

  it.each(["a-file", "loop", "a-file/below", "x".repeat(5000)])(
    "says what is wrong with %.20s",
    async (place) => {
      const [one] = await discoverSources(settings(), [`mecha=${place}`]);
      expect(one?.found).toBe(true);
      expect(one?.problem).toMatch(/is not a folder|cannot be read: E/);
    },
  );

  it("lists a folder once under its two names", async () => {
    const found = await discoverSources(settings(), ["mecha", "mecha=link", "mecha=.mecha"]);
    expect(found).toHaveLength(1);
  });

  it("refuses an unknown kind as a mistake of usage", async () => {
    await expect(discoverSources(settings(), ["nope"])).rejects.toThrow(UserError);
  });
});
