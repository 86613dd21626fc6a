import fc from "fast-check";
import { stringify } from "smol-toml";
import { describe, expect, test } from "vitest";
import type { Config } from "#lib/config/config.ts";
import { defaultConfig } from "#lib/config/defaults.ts";
import { layered } from "#lib/config/layers.ts";
import { locator } from "#lib/config/locate.ts";
import { parseConfig } from "#lib/config/parse.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";

const at = { file: "f", dir: "/p", osHome: "/h" };

const key = fc.oneof(
  fc.constantFrom(...Object.keys(defaultConfig()), ...Object.keys(defaultConfig().agent), "kind", "name"),
  fc.constantFrom(
    "messages",
    "__proto__",
    "constructor",
    "toString",
    "",
    "a.b",
    'a"b',
    "a b",
    "\u001b[31m",
    "é",
  ),
  fc.string(),
);
const leaf = fc.oneof(
  fc.string(),
  fc.boolean(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  fc.constantFrom("anthropic", "local", "bwrap", "ask", "high"),
  fc.date({ noInvalidDate: true, min: new Date(0), max: new Date("2100-01-01") }),
);
const table = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: "small" }, leaf, fc.array(leaf), tie("table"), fc.array(tie("table"))),
  table: fc.dictionary(key, tie("value"), { maxKeys: 5 }),
})).table;

describe("a configuration file", () => {
  test("of any bytes is read or refused in one line", () => {
    fc.assert(
      fc.property(
        fc.oneof(fc.string({ unit: "binary" }), fc.string({ unit: tomlish, maxLength: 60 })),
        (text) => {
          const parsed = parseConfig(text, at);
          if (!parsed.ok) expect(parsed.problem).toMatch(/^f:[1-9]\d*: [^\n]+$/);
        },
      ),
      { numRuns: 1000 },
    );
  });

  test("of any valid TOML is read or refused in one line, at a line that it has", () => {
    fc.assert(
      fc.property(table, (value) => {
        const text = stringify(value);
        const parsed = parseConfig(text, at);
        if (parsed.ok) {
          // Whatever was read fits the rest of the way, vouched for or not.
          const env = {};
          for (const trusted of [true, false])
            expect(
              layered({ home: null, project: { layer: parsed.value, trusted }, env, flags: {} }).ok,
            ).toBe(true);
          return;
        }
        const line = Number(/^f:(\d+): [^\n]+$/.exec(parsed.problem)?.[1]);
        expect(line).toBeGreaterThan(0);
        expect(line).toBeLessThanOrEqual(text.split("\n").length);
      }),
      { numRuns: 500 },
    );
  });
});

const tomlish = fc.constantFrom(
  ..."[]{}=.,\"'#\n\\ ",
  "\r\n",
  '"""',
  "'''",
  "[[",
  "]]",
  "a",
  "mcp",
  "agent",
  "max_turns",
  "1",
  "true",
);

/** Sections of a valid file, each as the lines of it that stay true when one more line is put among them. */
const SECTIONS: string[][] = [
  ["default_provider = 'a'", 'trusted_projects = [ # not a = header\n  "/[agent]",\n]'],
  [
    "[agent]",
    "max_turns = 3",
    'system_prompt = """\n[security]\nmax_trns = 1 \\\n"quoted" \'\'\' """',
    "effort='low'",
  ],
  ["[ tools ]", 'enabled = ["a", # ]\n"b"]', "disabled=['''x\n[y]\n'''', \"\"\"it's\"\"\"\"]"],
  ["[security]", "trifecta = 'block'"],
  ["[sandbox] # [outbox]", "network = false"],
  ["[outbox]", 'tools = ["#", "\\"", "="]'],
  ["[providers.a]", "kind = 'local'", '"model" = "m # x"'],
  ['[providers."b.c"]', "kind = 'local'"],
  ["[[mcp]]", "name = 'a'", "command = 'x'"],
  ["[[mcp]]", "name = 'b'", "command = 'y'", "env = { A = \"}\", B = ']' }"],
  ["[mcp.capabilities]", "destructive = true"],
  ["[[search]]", "kind = 'brave'", "api_key_env = 'K'"],
  ["[[hook]]", "event = 'session_end'", "command = ['x',\n'y']"],
];
const NAMES = [
  "",
  "agent.",
  "tools.",
  "security.",
  "sandbox.",
  "outbox.",
  "providers.a.",
  "providers.b.c.",
  "mcp[0].",
  "mcp[1].",
  "mcp[1].capabilities.",
  "search[0].",
  "hook[0].",
];

describe("an unknown key", () => {
  const spelling = fc.constantFrom("zzqq", '"zzqq"', "'zzqq'", "zz\\u0071q");
  const written = fc.tuple(
    spelling.map((name) => (name.includes("\\") ? `"${name}"` : name)),
    fc.constantFrom(" = 1", "=[\n1,\n2]", ' = """\n[agent]\n"""', ".deep = 1", " = {}"),
  );
  test.each(SECTIONS.map((lines, section) => [NAMES[section] ?? "", section, lines] as const))(
    "is refused with its line below %s",
    (name, section, lines) => {
      fc.assert(
        fc.property(written, fc.nat(), fc.constantFrom("\n", "\r\n"), ([spelt, value], place, end) => {
          const first = section === 0 ? 0 : 1;
          const before = first + (place % (lines.length - first + 1));
          const added = lines.toSpliced(before, 0, `${spelt}${value}`);
          const all = SECTIONS.toSpliced(section, 1, added);
          const head = [...SECTIONS.slice(0, section).flat(), ...added.slice(0, before)].join("\n");
          const line = head === "" ? 1 : head.split("\n").length + 1;
          const text = all.flat().join("\n").replaceAll("\n", end);
          const parsed = parseConfig(text, at);
          expect(parsed.ok ? "" : parsed.problem).toBe(`f:${line}: unknown key "${name}zzqq"`);
        }),
        { numRuns: 60 },
      );
    },
  );

  test("the file without it is fine", () => {
    expect(parseConfig(SECTIONS.flat().join("\n"), at).ok).toBe(true);
  });
});

test("lines are found at any depth in no time", () => {
  const deep = Array.from({ length: 20_000 }, () => "a").join(".");
  const took = cpuTimer();
  const line = locator(`\n${deep} = 1\n[[b]]\n[b.c]\nd.e = 2\n[[b]]\n[b.c]\nd.e = 2\n`);
  expect(took()).toBeLessThan(1000);
  expect([
    line(["a"]),
    line(["a", "a", "a"]),
    line(["b", 0, "c", "d", "e"]),
    line(["b", 1, "c", "d", "e"]),
  ]).toEqual([2, 2, 5, 8]);
  expect([line(["b", 1, "c", "x"]), line(["nowhere"])]).toEqual([7, 1]);
});

type Choice = Record<string, Record<string, unknown>>;

/** Files in which every value is right. */
const sections = fc.record(
  {
    agent: fc.record(
      {
        max_turns: fc.integer({ min: 1, max: 100 }),
        max_cost_usd: fc.integer({ min: 1, max: 9 }),
        loop_guard: fc.boolean(),
        system_prompt: fc.constant("obey"),
      },
      { requiredKeys: [] },
    ),
    tools: fc.record(
      {
        permission_mode: fc.constantFrom("ask", "allow", "read-only"),
        enabled: fc.subarray(["shell", "fs_read", "todo"]),
        disabled: fc.subarray(["shell", "fs_read", "todo"]),
        workspace: fc.constant("/"),
      },
      { requiredKeys: [] },
    ),
    security: fc.record(
      {
        trifecta: fc.constantFrom("block", "ask", "allow"),
        block_private_ips: fc.boolean(),
        allowed_domains: fc.subarray(["a.org", "b.org"]),
        blocked_domains: fc.subarray(["a.org", "b.org"]),
      },
      { requiredKeys: [] },
    ),
    sandbox: fc.record(
      { kind: fc.constantFrom("bwrap", "none"), network: fc.boolean() },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: [] },
);

/** Is the second at least as strict as the first? Told in other words than the code's. */
function asStrict(mine: Config, theirs: Config): boolean {
  const may = (config: Config, tool: string) =>
    (config.tools.enabled.length === 0 || config.tools.enabled.includes(tool)) &&
    !config.tools.disabled.includes(tool);
  const reaches = ({ security }: Config, host: string) =>
    (security.allowed_domains.length === 0 || security.allowed_domains.includes(host)) &&
    !security.blocked_domains.includes(host);
  const modes = { allow: 0, ask: 1, "read-only": 2 };
  const policies = { allow: 0, ask: 1, block: 2 };
  return (
    modes[theirs.tools.permission_mode] >= modes[mine.tools.permission_mode] &&
    policies[theirs.security.trifecta] >= policies[mine.security.trifecta] &&
    ["shell", "fs_read", "todo", "new"].every((tool) => may(mine, tool) || !may(theirs, tool)) &&
    ["a.org", "b.org", "c.org"].every((host) => reaches(mine, host) || !reaches(theirs, host)) &&
    (theirs.security.block_private_ips || !mine.security.block_private_ips) &&
    (theirs.sandbox.kind === "bwrap" || mine.sandbox.kind === "none") &&
    (!theirs.sandbox.network || mine.sandbox.network) &&
    (theirs.agent.loop_guard || !mine.agent.loop_guard) &&
    theirs.agent.max_turns <= mine.agent.max_turns &&
    (theirs.agent.max_cost_usd ?? Infinity) <= (mine.agent.max_cost_usd ?? Infinity) &&
    theirs.agent.system_prompt === mine.agent.system_prompt &&
    theirs.tools.workspace === mine.tools.workspace
  );
}

test("a project's file that nobody vouched for loosens nothing, and all that is left out is said", () => {
  const layerOf = (choice: Choice) => {
    const parsed = parseConfig(stringify(choice, { numbersAsFloat: false }), at);
    if (!parsed.ok) throw new Error(parsed.problem);
    return parsed.value;
  };
  const load = (home: Choice, theirs: Choice, trusted: boolean) => {
    const loaded = layered({
      home: layerOf(home),
      project: { layer: layerOf(theirs), trusted },
      env: {},
      flags: {},
    });
    if (!loaded.ok) throw new Error(loaded.problem);
    return loaded.value;
  };
  let loosened = 0;
  fc.assert(
    fc.property(sections, sections, (home, theirs) => {
      const mine = load(home, {}, true).config;
      const { config, notices } = load(home, theirs, false);
      expect(asStrict(mine, config)).toBe(true);
      if (!asStrict(mine, load(home, theirs, true).config)) {
        loosened += 1;
        expect(notices).not.toEqual([]);
      }
    }),
    { numRuns: 400 },
  );
  expect(loosened).toBeGreaterThan(100);
});
