import type { ModelSettings } from "#lib/agent/model.ts";
import type { RunOptions } from "#lib/agent/options.ts";
import type { Override } from "#lib/agent/overrides.ts";
import type { Case } from "./case.ts";

/** Cases that no override can move, and why; both arms run them alike, whatever the change is worth. */
export type Unmovable = { id: string; why: string };

/**
 * Which cases the overrides cannot move: those that set the knob themselves, and all where it already has that value or
 * never reaches the provider. Pure, and asked before the arms run: a measurement of nothing is not worth an hour.
 */
export function unmovable(
  cases: readonly Case[],
  overrides: readonly Override[],
  configured: RunOptions,
  drops: readonly (keyof ModelSettings)[],
): Unmovable[] {
  return cases.flatMap((one) => {
    const reasons = overrides.map((override) => whyNot(one, override, configured, drops));
    const moved = reasons.includes(null);
    return moved ? [] : [{ id: one.id, why: [...new Set(reasons)].join("; ") }];
  });
}

function whyNot(
  one: Case,
  { key, value }: Override,
  { limits, settings }: RunOptions,
  drops: readonly (keyof ModelSettings)[],
): string | null {
  switch (key) {
    case "max_turns":
      if (one.max_turns !== null) return "the case sets max_turns itself";
      return same(key, value, limits.maxTurns);
    case "compact_at_tokens":
      if (one.compact_at_tokens !== null) return "the case sets compact_at_tokens itself";
      return same(key, value, limits.compactAtTokens);
    case "max_output_tokens":
      return same(key, value, limits.maxOutputTokens);
    case "effort":
      if (drops.includes("effort")) return "the provider is not sent effort";
      return same(key, value, settings.effort);
    default:
      return key satisfies never;
  }
}

function same(key: string, value: unknown, configured: unknown): string | null {
  return value === configured ? `${key} is ${String(value)} already` : null;
}
