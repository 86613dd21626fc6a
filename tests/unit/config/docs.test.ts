import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { defaultConfig, EMPTY_HOOK, EMPTY_MCP, EMPTY_PROVIDER, EMPTY_SEARCH } from "#lib/config/defaults.ts";
import { layered } from "#lib/config/layers.ts";
import { parseConfig } from "#lib/config/parse.ts";

const docs = readFileSync(new URL("../../../docs/config.md", import.meta.url), "utf8");

/** The rows of the table below a heading: the keys of each, and what it says of their default. */
function rowsOf(heading: string): Map<string, string> {
  const part = docs.split(/^## /m).find((one) => one.startsWith(`${heading}\n`)) ?? "";
  const rows = new Map<string, string>();
  for (const [, keys = "", said = ""] of part.matchAll(/^\| (`[^|]+) \| ([^|]+) \|/gm))
    for (const [, key = ""] of keys.matchAll(/`([a-z_]+)`/g)) rows.set(key, said);
  return rows;
}

const { agent, tools, security, sandbox, outbox } = defaultConfig();
const required = { name: undefined, command: undefined };

describe("docs/config.md", () => {
  test.each<[string, object]>([
    ["The top of the file", { default_provider: "anthropic", trusted_projects: null }],
    ["`[providers.NAME]`", { kind: undefined, ...EMPTY_PROVIDER }],
    ["`[agent]`", agent],
    ["`[tools]`", tools],
    ["`[security]`", security],
    ["`[sandbox]`", sandbox],
    ["`[outbox]`", outbox],
    ["`[[mcp]]`", { ...required, ...EMPTY_MCP }],
    ["`[[search]]`", { kind: undefined, ...EMPTY_SEARCH }],
    ["`[[hook]]`", { event: undefined, command: undefined, ...EMPTY_HOOK }],
  ])("%s: every key, with its default", (heading, fields) => {
    const rows = rowsOf(heading);
    expect([...rows.keys()].toSorted()).toEqual(Object.keys(fields).toSorted());
    for (const [key, value] of Object.entries(fields)) {
      const said = rows.get(key) ?? "";
      if (value === undefined) expect(said, key).toBe("required");
      else if (value !== null && key !== "capabilities")
        expect(said, key).toBe(`\`${JSON.stringify(value)}\``);
    }
  });

  test("its examples are read", () => {
    const examples = [...docs.matchAll(/```toml\n(.*?)```/gs)].map(([, text = ""]) => text);
    expect(examples).toHaveLength(2);
    for (const text of examples) {
      const parsed = parseConfig(text, { file: "f", dir: "/", osHome: "/" });
      expect(parsed.ok).toBe(true);
    }
  });

  test("what it says a project may set to anything is what is kept", () => {
    const row = /^\| ([^|]*) \| anything \|$/m.exec(docs)?.[1] ?? "";
    const keys = [...row.matchAll(/`([a-z_.]+)`/g)].map(([, key = ""]) =>
      key.includes(".") ? key : `agent.${key}`,
    );
    const text = `[agent]
effort = "max"
thinking = false
cache_prompt = false
force_final_answer = false
compact_at_tokens = 999999999
compact_keep_recent = 0
compact_validate = false
timezone = "UTC"
[tools]
output_budget_bytes = 999999999
`;
    const parsed = parseConfig(text, { file: "f", dir: "/", osHome: "/" });
    if (!parsed.ok) throw new Error(parsed.problem);
    const project = { layer: parsed.value, trusted: false };
    const loaded = layered({ home: null, project, env: {}, flags: {} });
    if (!loaded.ok) throw new Error(loaded.problem);
    expect(loaded.value.notices).toEqual([]);
    expect([...loaded.value.origins.keys()].toSorted()).toEqual(keys.toSorted());
  });
});
