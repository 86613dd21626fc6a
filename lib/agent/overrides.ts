import { EFFORT_WORDS, type Effort, parseEffort } from "#lib/config/effort.ts";
import type { Parsed } from "#lib/errors.ts";
import { nearest } from "#lib/nearest.ts";
import { clipped } from "#lib/utf8.ts";
import type { RunOptions } from "./options.ts";

const NUMBER_KEYS = ["compact_at_tokens", "max_turns", "max_output_tokens"] as const;
/** The knobs that a comparison may turn. The set is closed: nothing that guards a person is in it. */
export const OVERRIDE_KEYS = [...NUMBER_KEYS, "effort"] as const;
type NumberKey = (typeof NUMBER_KEYS)[number];

/** One changed knob. */
export type Override = { key: NumberKey; value: number } | { key: "effort"; value: Effort };

const U64_MAX = 2n ** 64n - 1n;
const U32_MAX = 2n ** 32n - 1n;

/**
 * Reads `KEY=VALUE`, cut at the first `=`; neither side is trimmed. Numbers are unsigned 64-bit decimals, `max_turns`
 * 32 bits; 0 is one. A number above 2^53 - 1 stands as 2^53 - 1: no count of a run gets there, so as a limit both are
 * the same, and that one is exact.
 */
export function parseOverride(spec: string): Parsed<Override> {
  const cut = spec.indexOf("=");
  if (cut < 0) return { ok: false, problem: `${said(spec)}: write KEY=VALUE, such as max_turns=60` };
  const [name, written] = [spec.slice(0, cut), spec.slice(cut + 1)];
  const key = OVERRIDE_KEYS.find((one) => one === name);
  if (key === undefined) return { ok: false, problem: `${said(spec)}: ${unknownKnob(name)}` };
  if (key === "effort") {
    const value = parseEffort(written);
    if (value === null) return { ok: false, problem: `${said(spec)}: effort must be ${EFFORT_WORDS}` };
    return { ok: true, value: { key, value } };
  }
  const most = key === "max_turns" ? U32_MAX : U64_MAX;
  const digits = /^\+?(0*)(\d{1,20})$/.exec(written)?.[2];
  if (digits === undefined || BigInt(digits) > most)
    return { ok: false, problem: `${said(spec)}: ${key} must be a whole number from 0 to ${most}` };
  return { ok: true, value: { key, value: Math.min(Number(digits), Number.MAX_SAFE_INTEGER) } };
}

function unknownKnob(name: string): string {
  const meant = nearest(name.trim(), OVERRIDE_KEYS);
  const hint = meant === null ? `it must be one of ${OVERRIDE_KEYS.join(", ")}` : `did you mean ${meant}?`;
  return `${said(name)} cannot be changed this way; ${hint}`;
}

const SAID_MAX = 80;

function said(text: string): string {
  return JSON.stringify(clipped(text, SAID_MAX));
}

/** The options with some knobs changed; a later override of one knob wins. */
export function applyOverrides(options: RunOptions, overrides: readonly Override[]): RunOptions {
  return overrides.reduce(applied, options);
}

function applied(options: RunOptions, override: Override): RunOptions {
  const { limits, settings } = options;
  switch (override.key) {
    case "compact_at_tokens":
      return { ...options, limits: { ...limits, compactAtTokens: override.value } };
    case "max_turns":
      return { ...options, limits: { ...limits, maxTurns: override.value } };
    case "max_output_tokens":
      return { ...options, limits: { ...limits, maxOutputTokens: override.value } };
    case "effort":
      return { ...options, settings: { ...settings, effort: override.value } };
    default:
      return override satisfies never;
  }
}
