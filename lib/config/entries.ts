import {
  HOOK_EVENTS,
  type HookConfig,
  type McpCapabilities,
  type McpServerConfig,
  type SearchConfig,
} from "./config.ts";
import type { KeyPath } from "./locate.ts";
import { isTable, quoted, type Reading, type Rule, type Rules, readTable } from "./read-table.ts";
import {
  anyText,
  flag,
  httpUrl,
  listOf,
  oneOf,
  program,
  secret,
  shaped,
  texts,
  variable,
  variables,
  variableValues,
  whole,
} from "./rules.ts";

const SERVER_NAME = shaped(
  /^[A-Za-z0-9](?!.*__)[A-Za-z0-9_-]{0,31}$/,
  'a name of letters, digits, "_" and "-", at most 32 of them and no "__"',
);

/** `[[mcp]]`: the written fields of each server. */
export function readMcp(list: unknown, reading: Reading): Partial<McpServerConfig>[] {
  const path = ["mcp"];
  const servers = readEntries(list, path, reading, ["name", "command"], (table, at) => {
    const fields = readTable<Omit<McpServerConfig, "capabilities">>(table, at, mcpRules(reading), reading, [
      "capabilities",
    ]);
    const capabilities = isTable(table) ? table.capabilities : undefined;
    if (capabilities === undefined) return fields;
    const given = readTable(capabilities, [...at, "capabilities"], CAPABILITY_RULES, reading);
    return { ...fields, capabilities: { ...NOTHING, ...given } };
  });
  const taken = new Map<string, number>();
  for (const [at, { name }] of servers.entries()) {
    if (name === undefined) continue;
    const first = taken.get(name);
    const here = [...path, at, "name"];
    if (first === undefined) taken.set(name, at);
    else
      reading.problems.push({
        path: here,
        what: `${quoted(here)} is the name of ${quoted([...path, first])} already`,
      });
  }
  return servers;
}

function mcpRules(reading: Reading): Rules<Omit<McpServerConfig, "capabilities">> {
  return {
    name: SERVER_NAME,
    command: program(reading),
    args: listOf(anyText, "a list of texts"),
    env: variableValues,
    env_passthrough: variables,
    sandbox: flag,
    network: flag,
    prefix_tools: flag,
    disabled: flag,
  };
}

const NOTHING: McpCapabilities = {
  private_data: false,
  untrusted_input: false,
  external_send: false,
  destructive: false,
};
const CAPABILITY_RULES: Rules<McpCapabilities> = {
  private_data: flag,
  untrusted_input: flag,
  external_send: flag,
  destructive: flag,
};

/** `[[search]]`: the written fields of each backend. */
export function readSearch(list: unknown, reading: Reading): Partial<SearchConfig>[] {
  return readEntries(list, ["search"], reading, ["kind"], (table, at) => {
    const fields = readTable<SearchConfig>(table, at, SEARCH_RULES, reading);
    const say = (key: string, what: string) => reading.problems.push({ path: [...at, key], what });
    const has = (key: string) => isTable(table) && Object.hasOwn(table, key);
    if (fields.kind === "searxng" && !has("base_url"))
      say(
        "base_url",
        `${quoted([...at, "base_url"])} is missing: the kind "searxng" has no address of its own`,
      );
    if (fields.kind === "brave" && !has("api_key") && !has("api_key_env"))
      say("api_key_env", `${quoted([...at, "api_key_env"])} is missing: the kind "brave" needs a key`);
    return fields;
  });
}

const SEARCH_RULES: Rules<SearchConfig> = {
  kind: oneOf(["searxng", "brave"]),
  base_url: httpUrl,
  api_key_env: variable,
  api_key: secret,
};

/** `[[hook]]`: the written fields of each hook. */
export function readHooks(list: unknown, reading: Reading): Partial<HookConfig>[] {
  return readEntries(list, ["hook"], reading, ["event", "command"], (table, at) =>
    readTable<HookConfig>(table, at, hookRules(reading), reading),
  );
}

function hookRules(reading: Reading): Rules<HookConfig> {
  return {
    event: oneOf(HOOK_EVENTS),
    tools: texts,
    command: commandLine(reading),
    timeout_secs: whole(1, 86_400),
  };
}

function commandLine(reading: Reading): Rule<string[]> {
  const expected = "a list of texts, the program first";
  const words = listOf(anyText, expected);
  return {
    expected,
    read: (written) => {
      const [first, ...rest] = words.read(written) ?? [];
      const found = program(reading).read(first);
      return found === undefined ? undefined : [found, ...rest];
    },
  };
}

/** Each entry of a list of tables, with what must stand in every one. */
function readEntries<T>(
  list: unknown,
  path: KeyPath,
  reading: Reading,
  required: readonly string[],
  read: (table: unknown, at: KeyPath) => Partial<T>,
): Partial<T>[] {
  if (!Array.isArray(list)) {
    reading.problems.push({ path, what: `${quoted(path)} must be a list of tables: [[${path.join(".")}]]` });
    return [];
  }
  return list.map((table: unknown, index) => {
    const at = [...path, index];
    const fields = read(table, at);
    for (const key of required)
      if (isTable(table) && !Object.hasOwn(table, key))
        reading.problems.push({ path: [...at, key], what: `${quoted([...at, key])} is missing` });
    return fields;
  });
}
