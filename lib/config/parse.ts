import { parse, TomlError } from "smol-toml";
import { messageOf, type Parsed } from "#lib/errors.ts";
import type { HookConfig, McpServerConfig, ProviderConfig, SearchConfig } from "./config.ts";
import { readHooks, readMcp, readSearch } from "./entries.ts";
import { type KeyPath, locator } from "./locate.ts";
import { readProvider } from "./provider-entry.ts";
import {
  isTable,
  type Problem,
  quoted,
  type Reading,
  type Rules,
  readTable,
  type TomlTable,
  unknownKey,
} from "./read-table.ts";
import { listOf, place, text } from "./rules.ts";
import { type SectionRules, type Sections, sectionRules } from "./sections.ts";

/** What a file sets, and nothing else: defaults come from below. */
export type ConfigValues = { [S in keyof Sections]?: Partial<Sections[S]> } & {
  default_provider?: string;
  /** Folders whose own file may say everything. Only the file in the mecha home has a say. */
  trusted_projects?: string[];
  providers?: Record<string, Partial<ProviderConfig>>;
  mcp?: Partial<McpServerConfig>[];
  search?: Partial<SearchConfig>[];
  hook?: Partial<HookConfig>[];
};

/** A configuration file, read. */
export type ConfigLayer = {
  file: string;
  values: ConfigValues;
  /** The line on which a key stands. */
  line(path: KeyPath): number;
  notices: string[];
};

/** Sections that other programs of this format have a use for. */
const UNUSED_SECTIONS = ["messages", "slack", "skills", "subagent", "learning", "mail"];
const UNUSED_KEYS: Record<string, readonly string[]> = { sandbox: ["image"] };
const TOP_KEYS = ["default_provider", "trusted_projects"];
const OWN_KEYS = [...TOP_KEYS, "providers", "mcp", "search", "hook"];

/**
 * Reads a configuration file, strictly: `config.toml:3: unknown key "agent.max_trns"; did you mean "max_turns"?`. The
 * problem is the first one, and says how many more there are. `file` is what messages call it; relative paths
 * in it are resolved against `dir`.
 */
export function parseConfig(
  source: string,
  { file, dir, osHome }: { file: string; dir: string; osHome: string },
): Parsed<ConfigLayer> {
  const toml = parseToml(source);
  if (!toml.ok) return { ok: false, problem: `${file}:${toml.problem}` };
  const reading: Reading = { problems: [], around: { osHome, cwd: dir } };
  const line = locator(toml.value.source);
  const notices: string[] = [];
  const unused = (path: KeyPath) =>
    notices.push(`${file}:${line(path)}: mecha has no use for ${quoted(path)}; left out`);
  const values = readValues(toml.value.table, reading, unused);
  const { system_prompt: prompt, system_prompt_file: promptFile } = values.agent ?? {};
  if (prompt !== undefined && promptFile !== undefined)
    reading.problems.push({
      path: ["agent", "system_prompt_file"],
      what: `${quoted(["agent", "system_prompt_file"])} and ${quoted(["agent", "system_prompt"])} are two prompts; keep one`,
    });
  const problem = firstProblem(reading.problems, line);
  if (problem !== null) return { ok: false, problem: `${file}:${problem}` };
  return { ok: true, value: { file, values, line, notices } };
}

function parseToml(written: string): Parsed<{ table: TomlTable; source: string }> {
  const source = written.replace(/^\uFEFF/, "");
  try {
    // Whole numbers as BigInt: 3.0 is no count, and JavaScript could not tell it from 3.
    return { ok: true, value: { table: parse(source, { integersAsBigInt: true }), source } };
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    // The library draws the lines around the place below its message, and a secret may stand in them.
    const [what = "not TOML"] = messageOf(error).split("\n");
    return { ok: false, problem: `${line}: ${what}` };
  }
}

function readValues(table: TomlTable, reading: Reading, unused: (path: KeyPath) => void): ConfigValues {
  const rules = sectionRules(reading);
  const known = [...OWN_KEYS, ...Object.keys(rules)];
  const values: ConfigValues = readTable<Top>(pick(table, TOP_KEYS), [], topRules(reading), reading);
  const section = <S extends keyof Sections>(name: S) => {
    const spare = UNUSED_KEYS[name] ?? [];
    const written = table[name];
    for (const key of spare) if (isTable(written) && Object.hasOwn(written, key)) unused([name, key]);
    return readTable<Sections[S]>(written, [name], rules[name], reading, spare);
  };
  for (const [key, written] of Object.entries(table)) {
    if (key === "agent") values.agent = section("agent");
    else if (key === "tools") values.tools = section("tools");
    else if (key === "security") values.security = section("security");
    else if (key === "sandbox") values.sandbox = section("sandbox");
    else if (key === "outbox") values.outbox = section("outbox");
    else if (key === "providers") values.providers = readProviders(written, reading);
    else if (key === "mcp") values.mcp = readMcp(written, reading);
    else if (key === "search") values.search = readSearch(written, reading);
    else if (key === "hook") values.hook = readHooks(written, reading);
    else if (UNUSED_SECTIONS.includes(key)) unused([key]);
    else if (!known.includes(key)) reading.problems.push(strayKey(key, known, rules));
  }
  return values;
}

type Top = { default_provider: string; trusted_projects: string[] };

function topRules(reading: Reading): Rules<Top> {
  return { default_provider: text, trusted_projects: listOf(place(reading), "a list of folders") };
}

function pick(table: TomlTable, keys: readonly string[]): TomlTable {
  return Object.fromEntries(Object.entries(table).filter(([key]) => keys.includes(key)));
}

/** A key at the top that nobody knows; TOML puts it there when the header of its section is forgotten. */
function strayKey(key: string, known: readonly string[], rules: SectionRules): Problem {
  const home = Object.entries(rules).find(([, section]) => Object.hasOwn(section, key));
  if (home === undefined) return unknownKey([key], known);
  return { path: [key], what: `unknown key ${quoted([key])}; did you mean ${quoted([home[0], key])}?` };
}

function readProviders(written: unknown, reading: Reading): Record<string, Partial<ProviderConfig>> {
  if (isTable(written))
    return Object.fromEntries(
      Object.entries(written).map(([name, table]) => [
        name,
        readProvider(table, ["providers", name], reading),
      ]),
    );
  reading.problems.push({ path: ["providers"], what: `${quoted(["providers"])} must be a table` });
  return {};
}

/** The first problem with its line. Unknown keys come first: a misspelt one also leaves the right one missing. */
function firstProblem(problems: readonly Problem[], line: (path: KeyPath) => number): string | null {
  const sorted = problems
    .map(({ path, what }) => ({ what, line: line(path), unknown: what.startsWith("unknown key") }))
    .sort((a, b) => Number(b.unknown) - Number(a.unknown) || a.line - b.line);
  const [first] = sorted;
  if (first === undefined) return null;
  const more = sorted.length > 1 ? ` (and ${sorted.length - 1} more)` : "";
  return `${first.line}: ${first.what}${more}`;
}
