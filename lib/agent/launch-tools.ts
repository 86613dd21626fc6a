import { defaultConfig } from "#lib/config/defaults.ts";
import { nearest } from "#lib/nearest.ts";
import type { Taint } from "#lib/transcript/record.ts";
import type { ModelSettings } from "./model.ts";
import { settingsOf } from "./options.ts";
import type { Tool } from "./tool.ts";

/** Tools that some runs have and others not; naming one that is not there is no mistake. */
export const SOMETIMES: ReadonlySet<string> = new Set(["ask_user", "shell", "web_search"]);

/** The tools a run is left with, and the names it asked for that no tool has, with what was meant where that is clear. */
export type Selection = { tools: Tool[]; unknown: string[] };

/** `only`: names, null for every tool. What is `off` is taken away from either. */
export function selectTools(
  all: readonly Tool[],
  only: readonly string[] | null,
  off: readonly string[],
): Selection {
  const names = all.map(({ spec }) => spec.name);
  const tools = all.filter(
    ({ spec }) => (only === null || only.includes(spec.name)) && !off.includes(spec.name),
  );
  const unknown = (only ?? []).filter((name) => !names.includes(name) && !SOMETIMES.has(name));
  return { tools, unknown: unknown.map((name) => named(name, names)) };
}

/** A guard of the configuration: its key, and the tools it is about. */
export type Guard = { key: string; tools: readonly string[] };

/**
 * One line for each name in a guard that no tool has. A tool that is misspelled there is not held back, and nothing else
 * would ever say so. `servers`: names of those configured; what a server of them has that is not there now, is not known.
 */
export function idleGuards(
  guards: readonly Guard[],
  all: readonly Tool[],
  servers: readonly string[],
): string[] {
  const names = all.map(({ spec }) => spec.name);
  const absent = servers
    .map((server) => `${server}__`)
    .filter((prefix) => !names.some((name) => name.startsWith(prefix)));
  return guards.flatMap(({ key, tools }) =>
    [...new Set(tools)]
      .filter((name) => !names.includes(name) && !SOMETIMES.has(name))
      .filter((name) => !absent.some((prefix) => name.startsWith(prefix)))
      .map((name) => `${key}: no tool is called ${named(name, names)}`),
  );
}

function named(name: string, names: readonly string[]): string {
  const meant = nearest(name, names);
  return meant === null ? JSON.stringify(name) : `${JSON.stringify(name)} (did you mean ${meant}?)`;
}

/** What calls of these tools may have brought into a conversation. A tool that is no longer there may have been any. */
export function declaredTaint(called: Iterable<string>, tools: readonly Tool[]): Taint {
  const taint: Taint = { private: false, untrusted: false };
  for (const name of called) {
    const capabilities = tools.find(({ spec }) => spec.name === name)?.capabilities;
    taint.private ||= capabilities?.private_data ?? true;
    taint.untrusted ||= capabilities?.untrusted_input ?? true;
  }
  return taint;
}

const SETTING_NAMES: Record<keyof ModelSettings, string> = {
  maxTokens: "max_tokens",
  effort: "effort",
  temperature: "temperature",
  seed: "seed",
  thinking: "thinking",
  cachePrompt: "cache_prompt",
};

/**
 * One line on what somebody has set and the provider is never sent; null where that is nothing. A default is nobody's
 * wish: most local servers take none of them, and a word about that in every run would be read in none.
 */
export function droppedNotice(
  provider: string,
  drops: readonly (keyof ModelSettings)[],
  settings: ModelSettings,
): string | null {
  const usual = settingsOf(defaultConfig(), null, {});
  const lost = drops.filter((key) => settings[key] !== null && settings[key] !== usual[key]);
  if (lost.length === 0) return null;
  return `provider ${provider} is not sent: ${lost.map((key) => SETTING_NAMES[key]).join(", ")}`;
}
