import type { Config, Origin } from "./config.ts";
import { EMPTY_HOOK, EMPTY_MCP, EMPTY_PROVIDER, EMPTY_SEARCH } from "./defaults.ts";
import type { KeyPath } from "./locate.ts";
import type { ConfigLayer, ConfigValues } from "./parse.ts";
import { dotted } from "./read-table.ts";

export type Merged = { config: Config; origins: Map<string, Origin> };

const SECTIONS = ["agent", "tools", "security", "sandbox", "outbox"] as const;

/**
 * Lays a file over what is below it: sections field by field, a provider's entry as a whole, lists as a whole. Neither
 * argument is changed.
 */
export function mergeLayer(below: Merged, layer: ConfigLayer): Merged {
  const { values } = layer;
  const origins = new Map(below.origins);
  const from = (path: KeyPath) => {
    origins.set(dotted(path), { layer: "file", file: layer.file, line: layer.line(path) });
  };
  if (values.default_provider !== undefined) from(["default_provider"]);
  for (const section of SECTIONS) for (const key of Object.keys(values[section] ?? {})) from([section, key]);
  replacePrompt(values, origins);
  for (const [name, entry] of Object.entries(values.providers ?? {})) {
    forget(origins, dotted(["providers", name]));
    for (const key of Object.keys(entry)) from(["providers", name, key]);
  }
  for (const list of ["mcp", "search", "hook"] as const) {
    const entries = values[list];
    if (entries === undefined) continue;
    forget(origins, list);
    from([list]);
    entries.forEach((entry, at) => {
      for (const key of Object.keys(entry)) from([list, at, key]);
    });
  }
  return { config: laid(below.config, values), origins };
}

function laid(below: Config, values: ConfigValues): Config {
  return {
    default_provider: values.default_provider ?? below.default_provider,
    providers: { ...below.providers, ...wholeProviders(values) },
    agent: { ...below.agent, ...promptGone(values), ...values.agent },
    tools: { ...below.tools, ...values.tools },
    security: { ...below.security, ...values.security },
    sandbox: { ...below.sandbox, ...values.sandbox },
    outbox: { ...below.outbox, ...values.outbox },
    mcp: values.mcp?.map((one) => ({ name: "", command: "", ...EMPTY_MCP, ...one })) ?? below.mcp,
    search: values.search?.map((one) => ({ kind: "searxng", ...EMPTY_SEARCH, ...one })) ?? below.search,
    hook:
      values.hook?.map((one) => ({ event: "pre_tool", command: [], ...EMPTY_HOOK, ...one })) ?? below.hook,
  };
}

// What an entry must have has been checked: the fallbacks here are for the compiler.
function wholeProviders({ providers = {} }: ConfigValues): Config["providers"] {
  return Object.fromEntries(
    Object.entries(providers).map(([name, entry]) => [
      name,
      { kind: "openai-compatible", ...EMPTY_PROVIDER, ...entry },
    ]),
  );
}

/** A prompt and a file with one are two ways to say the same: a layer that says either unsays both of those below. */
function promptGone({ agent = {} }: ConfigValues): Partial<Config["agent"]> {
  return Object.hasOwn(agent, "system_prompt") || Object.hasOwn(agent, "system_prompt_file")
    ? { system_prompt: null, system_prompt_file: null }
    : {};
}

function replacePrompt({ agent = {} }: ConfigValues, origins: Map<string, Origin>): void {
  const [text, file] = ["system_prompt", "system_prompt_file"] as const;
  if (Object.hasOwn(agent, text)) origins.delete(`agent.${file}`);
  if (Object.hasOwn(agent, file)) origins.delete(`agent.${text}`);
}

/** Drops the origins of an entry that is replaced. */
function forget(origins: Map<string, Origin>, path: string): void {
  for (const key of origins.keys())
    if (key === path || key.startsWith(`${path}.`) || key.startsWith(`${path}[`)) origins.delete(key);
}
