import type { Config } from "./config.ts";
import type { KeyPath } from "./locate.ts";
import type { ConfigLayer } from "./parse.ts";
import { quoted } from "./read-table.ts";
import type { Sections } from "./sections.ts";

/**
 * When a file that came with somebody else's project may set a key: `free`, or only to something at least as strict as
 * what holds without it. A key that is not here needs the person's trust: a new key is safe until somebody thought
 * about it.
 */
type Leave<T> = "free" | ((mine: T, below: T) => boolean);
type Leaves = {
  readonly [S in keyof Sections]: { readonly [K in keyof Sections[S]]?: Leave<Sections[S][K]> };
};

const LEAVES: Leaves = {
  agent: {
    max_turns: notAbove,
    max_tokens: notAbove,
    max_output_tokens: notAbove,
    max_cost_usd: notAbove,
    effort: "free",
    thinking: "free",
    cache_prompt: "free",
    force_final_answer: "free",
    compact_at_tokens: "free",
    compact_keep_recent: "free",
    compact_validate: "free",
    loop_guard: staysOn,
    timezone: "free",
  },
  tools: {
    enabled: narrows,
    disabled: widens,
    permission_mode: ranked(["allow", "ask", "read-only"]),
    shell_timeout_secs: notAbove,
    output_budget_bytes: "free",
  },
  security: {
    trifecta: ranked(["allow", "ask", "block"]),
    block_private_ips: staysOn,
    allowed_domains: narrows,
    blocked_domains: widens,
    mark_untrusted_output: staysOn,
    block_sends_after_private: staysOn,
  },
  sandbox: { kind: ranked(["none", "bwrap"]), network: staysOff },
  outbox: { tools: widens },
};

const LEFT_OUT = "is left out: this folder is not among trusted_projects in your own config.toml";

/**
 * What is left of a project's file that nobody vouched for: no programs to start, no servers to talk to, nothing that
 * loosens what the person set. Each key that is left out has a notice that says so. `config`: as it is without the file.
 */
export function restrained(layer: ConfigLayer, config: Config): ConfigLayer {
  const left: KeyPath[] = [];
  const { values } = layer;
  // Not even among the person's own: one of them may be a server that private work was kept away from.
  if (values.default_provider !== undefined) left.push(["default_provider"]);
  const section = <S extends keyof Sections>(name: S) => {
    const fields = values[name];
    return (
      fields && keptFields<Sections[S]>(fields, config[name], LEAVES[name], (key) => left.push([name, key]))
    );
  };
  for (const name of Object.keys(values.providers ?? {})) left.push(["providers", name]);
  for (const list of ["mcp", "search", "hook"] as const) if (values[list] !== undefined) left.push([list]);
  const sections = {
    agent: section("agent"),
    tools: section("tools"),
    security: section("security"),
    sandbox: section("sandbox"),
    outbox: section("outbox"),
  };
  const notices = left
    .map((path) => ({ path, line: layer.line(path) }))
    .sort((a, b) => a.line - b.line)
    .map(({ path, line }) => `${layer.file}:${line}: ${quoted(path)} ${LEFT_OUT}`);
  return {
    ...layer,
    values: present(sections),
    notices: [...layer.notices, ...notices],
  };
}

function keptFields<T>(
  fields: Partial<T>,
  below: T,
  leaves: { readonly [K in keyof T]?: Leave<T[K]> },
  leaveOut: (key: string) => void,
): Partial<T> {
  const kept: Partial<T> = {};
  for (const key in fields) {
    const mine = fields[key];
    const leave = leaves[key];
    if (mine === undefined) continue;
    if (leave === "free" || leave?.(mine, below[key])) kept[key] = mine;
    else leaveOut(key);
  }
  return kept;
}

function present<T extends object>(sections: T): Partial<T> {
  const there: Partial<T> = {};
  for (const name in sections) if (sections[name] !== undefined) there[name] = sections[name];
  return there;
}

/** A null is no limit. */
function notAbove(mine: number | null, below: number | null): boolean {
  return below === null || (mine !== null && mine <= below);
}

function staysOn(mine: boolean, below: boolean): boolean {
  return mine || !below;
}

function staysOff(mine: boolean, below: boolean): boolean {
  return !mine || below;
}

function ranked<W extends string>(loosestFirst: readonly W[]): (mine: W, below: W) => boolean {
  return (mine, below) => loosestFirst.indexOf(mine) >= loosestFirst.indexOf(below);
}

/** Of a list that allows, where an empty one allows everything. */
function narrows(mine: readonly string[], below: readonly string[]): boolean {
  return below.length === 0 || (mine.length > 0 && mine.every((one) => below.includes(one)));
}

/** Of a list that forbids or holds back. */
function widens(mine: readonly string[], below: readonly string[]): boolean {
  return below.every((one) => mine.includes(one));
}
