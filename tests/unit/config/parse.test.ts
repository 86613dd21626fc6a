import { describe, expect, test } from "vitest";
import { parseConfig } from "#lib/config/parse.ts";

const at = { file: "/p/c.toml", dir: "/p", osHome: "/home/ada" };

function values(text: string) {
  const parsed = parseConfig(text, at);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value.values;
}

function problem(text: string): string | null {
  const parsed = parseConfig(text, at);
  return parsed.ok ? null : parsed.problem;
}

describe("what a file sets", () => {
  test("nothing is nothing", () => {
    expect(values("")).toEqual({});
    expect(values("\uFEFF# a note\r\n")).toEqual({});
  });

  test("each section, by its keys and no others", () => {
    const text = `
default_provider = "local"
trusted_projects = ["~/work", "sub"]
[agent]
max_turns = 60
effort = "X-High"
max_cost_usd = 2
system_prompt_file = "prompt.md"
timezone = "Europe/Zurich"
[tools]
enabled = ["fs_read"]
permission_mode = "read-only"
workspace = "~/w"
[security]
allowed_domains = ["Example.org", "*.example.com"]
trifecta = "ask"
[sandbox]
kind = "none"
[outbox]
tools = ["mail__send"]
dir = "/out"
`;
    expect(values(text)).toEqual({
      default_provider: "local",
      trusted_projects: ["/home/ada/work", "/p/sub"],
      agent: {
        max_turns: 60,
        effort: "xhigh",
        max_cost_usd: 2,
        system_prompt_file: "/p/prompt.md",
        timezone: "Europe/Zurich",
      },
      tools: { enabled: ["fs_read"], permission_mode: "read-only", workspace: "/home/ada/w" },
      security: { allowed_domains: ["example.org", "*.example.com"], trifecta: "ask" },
      sandbox: { kind: "none" },
      outbox: { tools: ["mail__send"], dir: "/out" },
    });
  });

  test("the example that everybody starts with", () => {
    const text = `default_provider = "local"
[providers.local]
kind = "local"
base_url = "http://localhost:9001"
model = "tiny-local"
seed = 42
context_window = 16384
`;
    expect(values(text)).toEqual({
      default_provider: "local",
      providers: {
        local: {
          kind: "local",
          base_url: "http://localhost:9001",
          model: "tiny-local",
          seed: 42,
          context_window: 16384,
        },
      },
    });
  });

  test("servers, backends and hooks", () => {
    const text = `
[[mcp]]
name = "pkg"
command = "node"
args = ["server.mjs", ""]
env = { TOKEN = "t" }
env_passthrough = ["HOME"]
[mcp.capabilities]
external_send = true
[[mcp]]
name = "two"
command = "two"
disabled = true
[[search]]
kind = "searxng"
base_url = "http://localhost:8888/"
[[hook]]
event = "pre_tool"
tools = ["shell"]
command = ["/usr/bin/check", "--quick"]
timeout_secs = 3
`;
    expect(values(text)).toEqual({
      mcp: [
        {
          name: "pkg",
          command: "node",
          args: ["server.mjs", ""],
          env: { TOKEN: "t" },
          env_passthrough: ["HOME"],
          capabilities: {
            private_data: false,
            untrusted_input: false,
            external_send: true,
            destructive: false,
          },
        },
        { name: "two", command: "two", disabled: true },
      ],
      search: [{ kind: "searxng", base_url: "http://localhost:8888" }],
      hook: [
        { event: "pre_tool", tools: ["shell"], command: ["/usr/bin/check", "--quick"], timeout_secs: 3 },
      ],
    });
  });

  test("a program with a slash in it stands in the folder of the file, and never in the workspace", () => {
    const of = (program: string) => {
      const hook = `[[hook]]\nevent = "pre_tool"\ncommand = ["${program}", "./rules.txt"]\n`;
      const read = values(`[[mcp]]\nname = "a"\ncommand = "${program}"\nargs = ["./x"]\n${hook}`);
      expect(read.mcp?.[0]?.args).toEqual(["./x"]);
      expect(read.hook?.[0]?.command).toEqual([read.mcp?.[0]?.command, "./rules.txt"]);
      return read.mcp?.[0]?.command;
    };
    expect(of("./guard.sh")).toBe("/p/guard.sh");
    expect(of("hooks/guard.sh")).toBe("/p/hooks/guard.sh");
    expect(of("../guard.sh")).toBe("/guard.sh");
    expect(of("~/bin/guard")).toBe("/home/ada/bin/guard");
    expect(of("/usr/bin/guard")).toBe("/usr/bin/guard");
    expect(of("guard.sh")).toBe("guard.sh");
  });

  test("numbers beyond what a double counts stand as the largest that it does", () => {
    const text = "[agent]\nmax_output_tokens = 9223372036854775807\n";
    expect(values(text)).toEqual({ agent: { max_output_tokens: Number.MAX_SAFE_INTEGER } });
  });

  test.each(["messages", "slack", "skills", "learning", "mail"])("[%s] is accepted, and said", (name) => {
    const parsed = parseConfig(`# first\n[${name}]\nx = 1\n[${name}.y]\nz = 2\n`, at);
    expect(parsed).toMatchObject({
      ok: true,
      value: { values: {}, notices: [`/p/c.toml:2: mecha has no use for "${name}"; left out`] },
    });
  });

  test("[[subagent]] and sandbox.image too", () => {
    const parsed = parseConfig('[sandbox]\nimage = "x"\nnetwork = true\n[[subagent]]\nname = "a"\n', at);
    expect(parsed).toMatchObject({
      ok: true,
      value: {
        values: { sandbox: { network: true } },
        notices: [
          '/p/c.toml:2: mecha has no use for "sandbox.image"; left out',
          '/p/c.toml:4: mecha has no use for "subagent"; left out',
        ],
      },
    });
  });
});

describe("what a file may not say", () => {
  test.each<[string, string, string]>([
    ["no TOML", "a = 1\nb = \n", "2: Invalid TOML document: "],
    ["a key twice", "[agent]\nmax_turns = 1\nmax_turns = 2\n", "3: Invalid TOML document: "],
    ["a misspelt section", "\n[agnet]\n", '2: unknown key "agnet"; did you mean "agent"?'],
    [
      "a misspelt key",
      "[agent]\n\nmax_trns = 3\n",
      '3: unknown key "agent.max_trns"; did you mean "max_turns"?',
    ],
    [
      "a key without its section",
      "max_turns = 3\n",
      '1: unknown key "max_turns"; did you mean "agent.max_turns"?',
    ],
    ["a key like no other", "[agent]\nzzzzzz = 3\n", '2: unknown key "agent.zzzzzz"'],
    [
      "a misspelt kind",
      '[providers.x]\nknd = "local"\n',
      '2: unknown key "providers.x.knd"; did you mean "kind"? (and 1 more)',
    ],
    ["a key in colour", '"\\u001b[31m" = 1\n', '1: unknown key "\\u001b[31m"'],
    ["a section that is a value", "agent = 3\n", '1: "agent" must be a table'],
    ["a date for a section", "agent = 2026-01-01\n", '1: "agent" must be a table'],
    [
      "a fraction for a count",
      "[agent]\nmax_turns = 3.0\n",
      '2: "agent.max_turns" must be a whole number from 1 to 4294967295',
    ],
    ["no turns at all", "[agent]\nmax_turns = 0\n", '2: "agent.max_turns" must be a whole number from 1 to'],
    ["more turns than 32 bits", "[agent]\nmax_turns = 4294967296\n", '2: "agent.max_turns" must be a whole'],
    ["a negative cost", "[agent]\nmax_cost_usd = -0.5\n", '2: "agent.max_cost_usd" must be a number above 0'],
    ["no number", "[agent]\nmax_cost_usd = nan\n", '2: "agent.max_cost_usd" must be a number above 0'],
    ["no cost at all", "[agent]\nmax_cost_usd = 0\n", '2: "agent.max_cost_usd" must be a number above 0'],
    ["no effort", '[agent]\neffort = "huge"\n', '2: "agent.effort" must be low, medium, high, xhigh or max'],
    ["no zone", '[agent]\ntimezone = "Nowhere/Land"\n', '2: "agent.timezone" must be a time zone'],
    [
      "two prompts",
      '[agent]\nsystem_prompt = "a"\nsystem_prompt_file = "b"\n',
      '3: "agent.system_prompt_file" and "agent.system_prompt" are two prompts; keep one',
    ],
    [
      "no mode",
      '[tools]\npermission_mode = "yolo"\n',
      '2: "tools.permission_mode" must be "ask", "allow" or "read-only"',
    ],
    ["no flag", '[agent]\nthinking = "yes"\n', '2: "agent.thinking" must be true or false'],
    [
      "a confinement of others",
      '[sandbox]\nkind = "docker"\n',
      '2: "sandbox.kind" must be "bwrap" or "none"',
    ],
    [
      "an address for a host",
      '[security]\nallowed_domains = ["https://a.org/"]\n',
      '2: "security.allowed_domains" must be a list of host names',
    ],
    ["no kind", '[providers.a]\nmodel = "m"\n', '1: "providers.a.kind" is missing'],
    [
      "no kind of ours",
      '[providers.a]\nkind = "gopher"\n',
      '2: "providers.a.kind" must be "anthropic", "openai", "openai-compatible", "local" or "scripted"',
    ],
    [
      "one price",
      '[providers.a]\nkind = "local"\ninput_price_per_mtok = 1\n',
      '3: "providers.a.output_price_per_mtok" is missing: a cost needs both prices',
    ],
    [
      "a negative price",
      '[providers.a]\nkind = "local"\ninput_price_per_mtok = 1\noutput_price_per_mtok = -1\n',
      '4: "providers.a.output_price_per_mtok" must be a number from 0 up',
    ],
    [
      "a temperature where there is none",
      '[providers.a]\nkind = "anthropic"\ntemperature = 0.5\n',
      '3: "providers.a.temperature" is nothing that the kind "anthropic" takes',
    ],
    [
      "a seed where there is none",
      '[providers.a]\nkind = "anthropic"\nseed = 5\n',
      '3: "providers.a.seed" is nothing',
    ],
    [
      "a seed that would be rounded",
      '[providers.a]\nkind = "local"\nseed = 9007199254740993\n',
      '3: "providers.a.seed" must be a whole number from 0 to 9007199254740991',
    ],
    ["no script", '[providers.a]\nkind = "scripted"\n', '1: "providers.a.script" is missing'],
    [
      "a script for nobody",
      '[providers.a]\nkind = "local"\nscript = "s.json"\n',
      '3: "providers.a.script" belongs to the kind "scripted" only',
    ],
    [
      "a fallback to itself",
      '[providers.a]\nkind = "local"\nfallbacks = ["b", "a"]\n',
      '3: "providers.a.fallbacks" names the provider itself',
    ],
    [
      "a name that no header takes",
      '[providers."a\\r\\nb"]\nkind = "local"\n',
      '1: "providers.a\\r\\nb": a provider\'s name has',
    ],
    [
      "a name that everybody has",
      "[providers.__proto__]\nkind = 'local'\n",
      '1: "providers.__proto__": a provider\'s name has',
    ],
    [
      "a password in an address",
      '[providers.a]\nkind = "local"\nbase_url = "http://me:hush@host"\n',
      '3: "providers.a.base_url" must be an http or https address without user',
    ],
    [
      "another protocol",
      '[providers.a]\nkind = "local"\nbase_url = "file:///etc"\n',
      '3: "providers.a.base_url" must be an http',
    ],
    [
      "a key where its variable's name goes",
      '[providers.a]\nkind = "local"\napi_key_env = "sk-hush-hush"\n',
      '3: "providers.a.api_key_env" must be the name of an environment variable',
    ],
    [
      "a key with a line end",
      '[providers.a]\nkind = "local"\napi_key = "hush\\r\\nX: y"\n',
      '3: "providers.a.api_key" must be a text of visible ASCII characters',
    ],
    ["a list where there are several", '[mcp]\nname = "a"\n', '1: "mcp" must be a list of tables: [[mcp]]'],
    ["a server without a command", '\n[[mcp]]\nname = "a"\n', '2: "mcp[0].command" is missing'],
    [
      "two servers of one name",
      '[[mcp]]\nname = "a"\ncommand = "x"\n[[mcp]]\ncommand = "y"\nname = "a"\n',
      '6: "mcp[1].name" is the name of "mcp[0]" already',
    ],
    [
      "a server's name that splits",
      '[[mcp]]\nname = "a__b"\ncommand = "x"\n',
      '2: "mcp[0].name" must be a name',
    ],
    [
      "a wrong key in the second server",
      '[[mcp]]\nname = "a"\ncommand = "x"\n[[mcp]]\nname = "b"\ncomand = "y"\n',
      '6: unknown key "mcp[1].comand"; did you mean "command"? (and 1 more)',
    ],
    [
      "a capability that is none",
      '[[mcp]]\nname = "a"\ncommand = "x"\n[mcp.capabilities]\nprivate = true\n',
      '5: unknown key "mcp[0].capabilities.private"',
    ],
    [
      "a variable that is none",
      '[[mcp]]\nname = "a"\ncommand = "x"\n[mcp.env]\n"A B" = "c"\n',
      '4: "mcp[0].env" must be a table of environment variables',
    ],
    ["a backend without address", '[[search]]\nkind = "searxng"\n', '1: "search[0].base_url" is missing'],
    ["a backend without key", '[[search]]\nkind = "brave"\n', '1: "search[0].api_key_env" is missing'],
    [
      "a hook in one text",
      '[[hook]]\nevent = "pre_tool"\ncommand = "rm -rf"\n',
      '3: "hook[0].command" must be a list of texts, the program first',
    ],
    [
      "a hook for no event",
      '[[hook]]\nevent = "later"\ncommand = ["x"]\n',
      '2: "hook[0].event" must be "pre_tool", "post_tool" or "session_end"',
    ],
  ])("%s", (_, text, said) => {
    const found = problem(text);
    expect(found?.startsWith(`/p/c.toml:${said}`), `${found}`).toBe(true);
    expect(found).not.toContain("hush");
    expect(found?.split("\n")).toHaveLength(1);
  });

  test("a long key is cut", () => {
    expect(problem(`${"k".repeat(5000)} = 1\n`)?.length).toBeLessThan(200);
  });
});
