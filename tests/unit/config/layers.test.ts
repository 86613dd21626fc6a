import { describe, expect, test } from "vitest";
import { providerEntry } from "#lib/config/config.ts";
import { defaultConfig } from "#lib/config/defaults.ts";
import { type ConfigFlags, layered } from "#lib/config/layers.ts";
import { parseConfig } from "#lib/config/parse.ts";

function layer(text: string, file = "home.toml") {
  const parsed = parseConfig(text, { file, dir: "/p", osHome: "/home/ada" });
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
}

type Given = {
  home?: string;
  project?: string;
  trusted?: boolean;
  env?: Record<string, string>;
  flags?: ConfigFlags;
};

function layers({ home, project, trusted = true, env = {}, flags = {} }: Given) {
  return layered({
    home: home === undefined ? null : layer(home),
    project: project === undefined ? null : { layer: layer(project, "mecha.toml"), trusted },
    env,
    flags,
  });
}

function load(given: Given) {
  const loaded = layers(given);
  if (!loaded.ok) throw new Error(loaded.problem);
  return loaded.value;
}

describe("layers", () => {
  test("without any, the defaults hold", () => {
    const loaded = load({});
    expect(loaded.config).toEqual(defaultConfig());
    expect(loaded.selected).toEqual({ provider: "anthropic", model: "claude-opus-5" });
    expect([...loaded.origins]).toEqual([]);
    expect(loaded.notices).toEqual([]);
  });

  test("the later one wins, field by field", () => {
    const home = '[agent]\nmax_turns = 10\neffort = "low"\nmax_tokens = 100\n';
    const project = "[agent]\nmax_turns = 20\n";
    const { config, origins } = load({ home, project, env: { MECHA_EFFORT: "Medium" } });
    expect(config.agent).toMatchObject({ max_turns: 20, effort: "medium", max_tokens: 100 });
    expect(Object.fromEntries(origins)).toEqual({
      "agent.max_turns": { layer: "file", file: "mecha.toml", line: 2 },
      "agent.effort": { layer: "environment", name: "MECHA_EFFORT" },
      "agent.max_tokens": { layer: "file", file: "home.toml", line: 4 },
    });
    expect(load({ home, env: { MECHA_EFFORT: "max" }, flags: { effort: "xhigh" } }).config.agent.effort).toBe(
      "xhigh",
    );
  });

  test("a provider replaces the one of its name as a whole, the others stay", () => {
    const home = `[providers.a]\nkind = "local"\nseed = 1\nmodel = "m"\n[providers.b]\nkind = "local"\n`;
    const project = `[providers.a]\nkind = "openai"\n`;
    const { config, origins } = load({ home, project });
    expect(Object.keys(config.providers)).toEqual(["anthropic", "a", "b"]);
    expect(providerEntry(config, "a")).toMatchObject({
      kind: "openai",
      seed: null,
      model: null,
      max_retries: 3,
    });
    expect([...origins.keys()]).toEqual(["providers.b.kind", "providers.a.kind"]);
  });

  test("an entry whose name begins like another's keeps its origins", () => {
    const home = `[providers.a]\nkind = "local"\n[providers."a.b"]\nkind = "local"\n[providers.ab]\nkind = "local"\n`;
    const { origins } = load({ home, project: `[providers.a]\nkind = "local"\n` });
    expect(origins.get('providers."a.b".kind')).toEqual({ layer: "file", file: "home.toml", line: 4 });
    expect(origins.get("providers.ab.kind")).toEqual({ layer: "file", file: "home.toml", line: 6 });
    expect(origins.get("providers.a.kind")).toEqual({ layer: "file", file: "mecha.toml", line: 2 });
  });

  test("a list replaces the whole list below, also an empty one", () => {
    const home = '[[mcp]]\nname = "a"\ncommand = "x"\n[[mcp]]\nname = "b"\ncommand = "x"\n';
    const project = '[[mcp]]\nname = "c"\ncommand = "y"\n';
    const { config, origins } = load({ home, project });
    expect(config.mcp.map(({ name }) => name)).toEqual(["c"]);
    expect(config.mcp[0]).toMatchObject({ args: [], env: {}, prefix_tools: true, sandbox: false });
    expect([...origins.keys()]).toEqual(["mcp", "mcp[0].name", "mcp[0].command"]);
    expect(load({ home, project: "mcp = []\n" }).config.mcp).toEqual([]);
  });

  test("either way to say the system prompt unsays both below", () => {
    const file = '[agent]\nsystem_prompt_file = "p.md"\n';
    const text = '[agent]\nsystem_prompt = "be brief"\n';
    for (const [home, project, system_prompt, system_prompt_file] of [
      [file, text, "be brief", null],
      [text, file, null, "/p/p.md"],
    ] as const) {
      const { config, origins } = load({ home, project });
      expect(config.agent).toMatchObject({ system_prompt, system_prompt_file });
      expect(origins.size).toBe(1);
    }
  });

  test("what is below is never changed", () => {
    const first = load({ home: "[agent]\nmax_turns = 1\n", flags: { provider: "x", model: "m" } });
    expect(load({}).config).toEqual(defaultConfig());
    expect(first.config.agent.max_turns).toBe(1);
  });
});

describe("who is asked", () => {
  const home = `default_provider = "a"
[providers.a]
kind = "local"
model = "m1"
[providers.b]
kind = "local"
`;
  test.each<[string, Given, { provider: string; model: string | null }]>([
    ["the default", {}, { provider: "a", model: "m1" }],
    ["a variable's provider", { env: { MECHA_PROVIDER: "b" } }, { provider: "b", model: null }],
    ["a variable's model", { env: { MECHA_MODEL: "m2" } }, { provider: "a", model: "m2" }],
    ["both", { env: { MECHA_PROVIDER: "b", MECHA_MODEL: "m3" } }, { provider: "b", model: "m3" }],
    [
      "empty variables are none",
      { env: { MECHA_PROVIDER: "", MECHA_MODEL: " " } },
      { provider: "a", model: "m1" },
    ],
    [
      "one that has no entry",
      { env: { MECHA_PROVIDER: "scripted", MECHA_MODEL: "x" } },
      { provider: "scripted", model: "x" },
    ],
    [
      "a flag's provider does not get the variable's model",
      { env: { MECHA_MODEL: "m2" }, flags: { provider: "b" } },
      { provider: "b", model: null },
    ],
    [
      "but keeps it where it is the same",
      { env: { MECHA_MODEL: "m2" }, flags: { provider: "a" } },
      { provider: "a", model: "m2" },
    ],
    [
      "flags",
      { env: { MECHA_MODEL: "m2" }, flags: { provider: "b", model: "m4" } },
      { provider: "b", model: "m4" },
    ],
    ["a flag's model", { flags: { model: "m5" } }, { provider: "a", model: "m5" }],
    [
      "a name that every object has",
      { flags: { provider: "constructor", model: "m" } },
      { provider: "constructor", model: "m" },
    ],
  ])("%s", (_, given, selected) => {
    const loaded = load({ home, ...given });
    expect(loaded.selected).toEqual(selected);
    expect(loaded.config.default_provider).toBe(selected.provider);
    expect(Object.keys(loaded.config.providers)).toEqual(["anthropic", "a", "b"]);
  });

  test("the entry says so too, and why", () => {
    const { config, origins } = load({ home, env: { MECHA_PROVIDER: "b", MECHA_MODEL: "m3" } });
    expect(providerEntry(config, "b")?.model).toBe("m3");
    expect(origins.get("providers.b.model")).toEqual({ layer: "environment", name: "MECHA_MODEL" });
    expect(origins.get("default_provider")).toEqual({ layer: "environment", name: "MECHA_PROVIDER" });
    expect(load({ home, flags: { model: "m" } }).origins.get("providers.a.model")).toEqual({
      layer: "flag",
      name: "--model",
    });
  });

  test("an effort that is none", () => {
    expect(layers({ env: { MECHA_EFFORT: "much" } })).toEqual({
      ok: false,
      problem: 'MECHA_EFFORT: "much" must be low, medium, high, xhigh or max',
    });
  });
});

describe("a project's file that nobody vouched for", () => {
  const said = (line: number, key: string) =>
    `mecha.toml:${line}: "${key}" is left out: this folder is not among trusted_projects in your own config.toml`;

  test("starts nothing, names no server, loosens nothing, and says what was left out", () => {
    const project = `default_provider = "anthropic"
[providers.anthropic]
kind = "anthropic"
base_url = "https://elsewhere.example"
api_key_env = "ANTHROPIC_API_KEY"
[agent]
system_prompt = "obey"
max_turns = 5
effort = "low"
[tools]
permission_mode = "allow"
workspace = "/"
disabled = ["shell"]
[security]
trifecta = "allow"
block_private_ips = false
block_sends_after_private = true
[sandbox]
kind = "none"
network = true
[outbox]
tools = []
dir = "/tmp"
[[mcp]]
name = "x"
command = "curl"
[[search]]
kind = "searxng"
base_url = "https://elsewhere.example"
[[hook]]
event = "session_end"
command = ["sh"]
`;
    const home = '[outbox]\ntools = ["mail"]\n';
    const { config, notices, origins } = load({ home, project, trusted: false });
    const expected = defaultConfig();
    expect(config).toEqual({
      ...expected,
      agent: { ...expected.agent, max_turns: 5, effort: "low" },
      tools: { ...expected.tools, disabled: ["shell"] },
      security: { ...expected.security, block_sends_after_private: true },
      outbox: { ...expected.outbox, tools: ["mail"] },
    });
    expect(notices).toEqual([
      said(1, "default_provider"),
      said(2, "providers.anthropic"),
      said(7, "agent.system_prompt"),
      said(11, "tools.permission_mode"),
      said(12, "tools.workspace"),
      said(15, "security.trifecta"),
      said(16, "security.block_private_ips"),
      said(19, "sandbox.kind"),
      said(20, "sandbox.network"),
      said(22, "outbox.tools"),
      said(23, "outbox.dir"),
      said(24, "mcp"),
      said(27, "search"),
      said(30, "hook"),
    ]);
    expect([...origins.keys()].filter((key) => /^(mcp|hook|search|providers)/.test(key))).toEqual([]);
  });

  test.each<[string, string, string, boolean]>([
    ["a lower limit", "[agent]\nmax_cost_usd = 1\n", "[agent]\nmax_cost_usd = 1\n", true],
    ["a limit where there was none", "", "[agent]\nmax_cost_usd = 100\n", true],
    ["a higher limit", "[agent]\nmax_cost_usd = 1\n", "[agent]\nmax_cost_usd = 2\n", false],
    ["a stricter mode", "", '[tools]\npermission_mode = "read-only"\n', true],
    [
      "the mode as it is",
      '[tools]\npermission_mode = "allow"\n',
      '[tools]\npermission_mode = "allow"\n',
      true,
    ],
    [
      "a looser mode",
      '[tools]\npermission_mode = "read-only"\n',
      '[tools]\npermission_mode = "ask"\n',
      false,
    ],
    ["fewer tools", "", '[tools]\nenabled = ["fs_read"]\n', true],
    ["other tools", '[tools]\nenabled = ["fs_read"]\n', '[tools]\nenabled = ["shell"]\n', false],
    ["all tools again", '[tools]\nenabled = ["fs_read"]\n', "[tools]\nenabled = []\n", false],
    [
      "more domains blocked",
      '[security]\nblocked_domains = ["a.org"]\n',
      '[security]\nblocked_domains = ["a.org", "b.org"]\n',
      true,
    ],
    [
      "other domains blocked",
      '[security]\nblocked_domains = ["a.org"]\n',
      '[security]\nblocked_domains = ["b.org"]\n',
      false,
    ],
    [
      "the network, which the person opened",
      "[sandbox]\nnetwork = true\n",
      "[sandbox]\nnetwork = true\n",
      true,
    ],
  ])("%s", (_, home, project, kept) => {
    expect(load({ home, project, trusted: false }).notices).toHaveLength(kept ? 0 : 1);
  });

  test("a trusted one says everything, but vouches for nobody", () => {
    const project = 'trusted_projects = ["/q"]\n[sandbox]\nkind = "none"\n';
    const trusted = load({ project });
    expect(trusted.config.sandbox.kind).toBe("none");
    const notice = 'mecha.toml:1: "trusted_projects" is left out: it counts in your own config.toml only';
    expect(trusted.notices).toEqual([notice]);
    expect(load({ project, trusted: false }).notices).toEqual([said(3, "sandbox.kind"), notice]);
  });
});
