import { parse, TomlDate, TomlError } from "smol-toml";
import { z } from "zod";
import { messageOf, type Parsed } from "#lib/errors.ts";
import { nearest } from "#lib/nearest.ts";
import { isoUtc, isZone, parseInstant } from "#lib/time.ts";
import { parseSchedule, type Schedule } from "./schedule.ts";

/** What happens to a slot that was missed: run it late, drop it, or run it when it is at most this late (ms). */
export type CatchUp = "always" | "never" | number;

/** One trigger file. Absent optional keys are null; empty `tools` or `skills` mean none. */
export type Trigger = {
  name: string;
  schedule: Schedule;
  prompt: string;
  description: string | null;
  timezone: string | null;
  enabled: boolean;
  /** RFC 3339, UTC. */
  created_at: string | null;
  provider: string | null;
  model: string | null;
  workspace: string | null;
  permission_mode: "ask" | "allow" | "read-only";
  tools: string[];
  skills: string[];
  no_mcp: boolean;
  max_turns: number | null;
  max_output_tokens: number | null;
  max_cost_usd: number | null;
  timeout_ms: number;
  catch_up: CatchUp;
  /** Whom to tell; its shape belongs to the runner. */
  notify: unknown;
};

const TIMEOUT_MS = 20 * 60_000;
const U32_MAX = 4_294_967_295n;

export const TRIGGER_NAME_RULE = "a trigger's name is 1 to 64 of a-z, 0-9, _ and -";

/** A trigger's name is the stem of its file. */
export function isTriggerName(name: string): boolean {
  return /^[a-z0-9_-]{1,64}$/.test(name);
}

/**
 * Reads one trigger file. A problem names file, line and key: `morning.toml:3: unknown key "promt"; did you mean
 * "prompt"?`. An unknown key is refused, for a misspelt `enabled` would otherwise leave a trigger running.
 */
export function parseTrigger(name: string, text: string): Parsed<Trigger> {
  const file = `${name}.toml`;
  const table = parseTable(text);
  if (!table.ok) return { ok: false, problem: `${file}:${table.problem}` };
  const parsed = triggerSchema.safeParse(table.value);
  if (parsed.success) {
    const { timeout, notify, ...rest } = parsed.data;
    return { ok: true, value: { name, ...rest, timeout_ms: timeout, notify: notify ?? null } };
  }
  const { issues } = parsed.error;
  // A misspelt key also leaves the right one missing; the misspelling is what to say.
  const issue = issues.find(({ code }) => code === "unrecognized_keys") ?? issues[0];
  const unknown = issue?.code === "unrecognized_keys" ? issue.keys[0] : undefined;
  const key = unknown ?? String(issue?.path[0] ?? "");
  const line = lineOf(key, text);
  const at = line === null ? file : `${file}:${line}`;
  if (unknown === undefined)
    return { ok: false, problem: `${at}: ${JSON.stringify(key)} ${issue?.message ?? "is wrong"}` };
  const meant = nearest(unknown, Object.keys(triggerSchema.shape));
  const hint = meant === null ? "" : `; did you mean ${JSON.stringify(meant)}?`;
  return { ok: false, problem: `${at}: unknown key ${JSON.stringify(unknown)}${hint}` };
}

function parseTable(text: string): Parsed<unknown> {
  try {
    // Whole numbers as BigInt: 3.0 is no count, and JavaScript could not tell it from 3.
    return { ok: true, value: parse(text.replace(/^\uFEFF/, ""), { integersAsBigInt: true }) };
  } catch (error) {
    const line = error instanceof TomlError ? error.line : 1;
    // The library draws the line below its message; one line is enough here.
    const [what = "not TOML"] = messageOf(error).split("\n");
    return { ok: false, problem: `${line}: ${what}` };
  }
}

/** The line on which a key of the root table is first set. */
function lineOf(key: string, text: string): number | null {
  const escaped = key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  const setting = new RegExp(`^\\s*(?:\\[+\\s*)?["']?${escaped}["']?\\s*(?:[.=\\]]|$)`);
  const line = text.split("\n").findIndex((one) => setting.test(one));
  return line < 0 ? null : line + 1;
}

/** `90s`, `20m`, `2h`, `1d` in ms; null for anything else. */
export function parseDuration(text: string): number | null {
  const match = /^(\d{1,9})(s|m|h|d)$/.exec(text);
  if (match === null) return null;
  const unit = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }[match[2] ?? ""];
  return unit === undefined ? null : Number(match[1]) * unit;
}

/** A length of time as a trigger file writes it, in the largest unit that leaves nothing over. */
export function durationText(ms: number): string {
  for (const [unit, size] of Object.entries({ d: 86_400_000, h: 3_600_000, m: 60_000 }))
    if (ms > 0 && ms % size === 0) return `${ms / size}${unit}`;
  return `${ms / 1000}s`;
}

const text = z.string({
  error: (issue) => (issue.input === undefined ? "is missing" : "must be a text in quotes"),
});
const flag = z.boolean({ error: "must be true or false" });
const texts = z.array(text, { error: "must be a list of texts" });

/** A value that a function reads out of a text; `null` from it means that `error` is what to say. */
function read<T>(how: (written: string) => T | null, error: string) {
  return text.transform((written, context) => {
    const value = how(written);
    if (value !== null) return value;
    context.issues.push({ code: "custom", message: error, input: written });
    return z.NEVER;
  });
}

const schedule = text.transform((written, context) => {
  const parsed = parseSchedule(written);
  if (parsed.ok) return parsed.value;
  context.issues.push({ code: "custom", message: parsed.problem, input: written });
  return z.NEVER;
});

function wholeNumber(max: bigint) {
  return z
    .bigint({ error: "must be a whole number" })
    .refine((n) => n >= 0n && n <= max, { error: "is out of range" })
    .transform(Number);
}

const amount = z
  .union([z.bigint().transform(Number), z.number()], { error: "must be a number" })
  .refine((n) => Number.isFinite(n) && n >= 0, { error: "must be a number from 0 up" });

const NOT_AN_INSTANT = "must be a time with its offset, such as 2026-08-01T00:00:00Z";
const instant = z
  .union([text, z.instanceof(TomlDate)], { error: NOT_AN_INSTANT })
  .transform((written, context) => {
    const local = written instanceof TomlDate && (!written.isDateTime() || written.isLocal());
    const ms = local ? null : written instanceof TomlDate ? written.getTime() : parseInstant(written);
    if (ms !== null && Number.isFinite(ms)) return isoUtc(ms);
    context.issues.push({ code: "custom", message: NOT_AN_INSTANT, input: written });
    return z.NEVER;
  });

const catchUp = read(
  (written): CatchUp | null =>
    written === "always" || written === "never" ? written : parseDuration(written),
  'must be "always", "never" or a duration such as "2h"',
);

const triggerSchema = z.strictObject({
  schedule,
  prompt: text,
  description: text.nullable().default(null),
  timezone: read((written) => (isZone(written) ? written : null), "is not a time zone, such as Europe/Zurich")
    .nullable()
    .default(null),
  enabled: flag.default(true),
  created_at: instant.nullable().default(null),
  provider: text.nullable().default(null),
  model: text.nullable().default(null),
  workspace: text.nullable().default(null),
  permission_mode: z
    .enum(["ask", "allow", "read-only"], { error: 'must be "ask", "allow" or "read-only"' })
    .default("read-only"),
  tools: texts.default([]),
  skills: texts.default([]),
  no_mcp: flag.default(false),
  max_turns: wholeNumber(U32_MAX).nullable().default(null),
  max_output_tokens: wholeNumber(2n ** 64n - 1n)
    .nullable()
    .default(null),
  max_cost_usd: amount.nullable().default(null),
  timeout: read(parseDuration, "must be a duration such as 20m").default(TIMEOUT_MS),
  catch_up: catchUp.default("always"),
  notify: z.unknown().optional(),
});
