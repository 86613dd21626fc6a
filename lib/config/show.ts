import type { Config, LoadedConfig, Origin } from "./config.ts";
import type { KeyPath } from "./locate.ts";
import { MASK, maskText, maskWords } from "./mask.ts";
import { dotted } from "./read-table.ts";

/** One effective value for a reader. Secrets are masked, so `value` may be printed, logged and sent. */
export type ShownValue = {
  key: string;
  value: unknown;
  origin: Origin;
  /** Belongs to an entry of which only what somebody wrote is worth a line. */
  entry: boolean;
};

/** Every effective value, in the order of the documentation. An empty list has one row. */
export function shownValues({ config, origins }: LoadedConfig): ShownValue[] {
  const row = (path: KeyPath, value: unknown, entry: boolean): ShownValue => {
    const key = dotted(path);
    return {
      key,
      value: masked(path.at(-1), value),
      origin: origins.get(key) ?? { layer: "default" },
      entry,
    };
  };
  const table = (path: KeyPath, fields: object, entry: boolean) =>
    Object.entries(fields).map(([key, value]) => row([...path, key], value, entry));
  const list = (name: "mcp" | "search" | "hook") => {
    const entries: readonly object[] = config[name];
    if (entries.length === 0) return [row([name], [], false)];
    return entries.flatMap((entry, at) => table([name, at], entry, true));
  };
  const section = (name: "agent" | "tools" | "security" | "sandbox" | "outbox") =>
    table([name], config[name], false);
  return [
    row(["default_provider"], config.default_provider, false),
    ...providers(config).flatMap(([name, entry]) => table(["providers", name], entry, true)),
    ...section("agent"),
    ...section("tools"),
    ...section("security"),
    ...section("sandbox"),
    ...section("outbox"),
    ...list("mcp"),
    ...list("search"),
    ...list("hook"),
  ];
}

function providers(config: Config) {
  return Object.entries(config.providers);
}

function masked(key: string | number | undefined, value: unknown): unknown {
  if (value === null) return null;
  if (key === "api_key") return MASK;
  if (key === "env" && typeof value === "object")
    return Object.fromEntries(Object.keys(value).map((name) => [name, MASK]));
  if (Array.isArray(value)) {
    const words = value.map(String);
    return key === "args" || key === "command" ? maskWords(words) : words.map(maskText);
  }
  return typeof value === "string" ? maskText(value) : value;
}

/** Where a value comes from, in a few words: `config.toml:3`, `MECHA_MODEL`, `--effort`, `default`. */
export function originText(origin: Origin): string {
  switch (origin.layer) {
    case "default":
      return "default";
    case "file":
      return `${origin.file}:${origin.line}`;
    case "environment":
    case "flag":
      return origin.name;
    default:
      return origin satisfies never;
  }
}
