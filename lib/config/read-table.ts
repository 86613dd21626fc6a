import { nearest } from "#lib/nearest.ts";
import { clipped } from "#lib/utf8.ts";
import type { KeyPath } from "./locate.ts";

/** How a value is read; `undefined`: it is not what was expected. */
export type Rule<T> = { expected: string; read(written: unknown): T | undefined };
export type Rules<T> = { readonly [K in keyof T]-?: Rule<T[K]> };
export type TomlTable = { readonly [key: string]: unknown };

/** What is wrong, and at which key. */
export type Problem = { path: KeyPath; what: string };

/** Everything that a reading is told, and where it says what is wrong. */
export type Reading = {
  problems: Problem[];
  /** What `~` and relative paths are resolved against. */
  around: { osHome: string; cwd: string };
};

export function isTable(value: unknown): value is TomlTable {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  // A TOML date is an object too.
  const proto = Object.getPrototypeOf(value);
  return proto === null || proto === Object.prototype;
}

/** The fields of a table that are there and right; every other key is a problem. `also`: keys that others read. */
export function readTable<T>(
  table: unknown,
  path: KeyPath,
  rules: Rules<T>,
  reading: Reading,
  also: readonly string[] = [],
): Partial<T> {
  const fields: Partial<T> = {};
  if (!isTable(table)) {
    reading.problems.push({ path, what: `${quoted(path)} must be a table` });
    return fields;
  }
  for (const [key, written] of Object.entries(table)) {
    const place = [...path, key];
    if (has(rules, key)) {
      const rule = rules[key];
      const value = rule.read(written);
      if (value !== undefined) fields[key] = value;
      else reading.problems.push({ path: place, what: `${quoted(place)} must be ${rule.expected}` });
    } else if (!also.includes(key))
      reading.problems.push(unknownKey(place, [...Object.keys(rules), ...also]));
  }
  return fields;
}

function has<T>(rules: Rules<T>, key: PropertyKey): key is keyof T {
  return Object.hasOwn(rules, key);
}

/** A key that nobody knows, with the one that may have been meant. */
export function unknownKey(path: KeyPath, known: readonly string[]): Problem {
  const meant = nearest(String(path.at(-1)), known);
  const hint = meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;
  return { path, what: `unknown key ${quoted(path)}${hint}` };
}

const NAME_MAX = 120;

/** A key as a message names it: `"agent.max_turns"`, `"mcp[0].name"`. */
export function quoted(path: KeyPath): string {
  const text = joined(path, (key) => key);
  return JSON.stringify(clipped(text, NAME_MAX));
}

/** A key as one word that no other key has: `agent.max_turns`, `providers."gpt-5.1".model`, `mcp[0].name`. */
export function dotted(path: KeyPath): string {
  return joined(path, (key) => (/^[A-Za-z0-9_-]+$/.test(key) ? key : JSON.stringify(key)));
}

function joined(path: KeyPath, written: (key: string) => string): string {
  return path
    .map((key, at) => (typeof key === "number" ? `[${key}]` : `${at === 0 ? "" : "."}${written(key)}`))
    .join("");
}
