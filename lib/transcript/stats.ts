import {
  type Checks,
  fieldsHold,
  isBoolean,
  isF64,
  isObject,
  isString,
  isStrings,
  isU32,
  isU64,
  oneOf,
  orNull,
} from "./fields.ts";
import {
  type Config,
  EFFORTS,
  type Meta,
  type Outcome,
  PERMISSION_MODES,
  STOP_CAUSES,
  TRIFECTA_POLICIES,
  USAGE_KEYS,
  type Usage,
} from "./record.ts";
import { utcText } from "./utc.ts";

// The three records a scan needs, read by hand: they are strict about what JSON.parse cannot see, and a scan of ten
// thousand of them must not load a schema library.

type Fields = { [key: string]: unknown };

const isUsage = isObject(new Map(USAGE_KEYS.map((key) => [key, isU64])), USAGE_KEYS);
const isTaint = isObject(
  new Map([
    ["private", isBoolean],
    ["untrusted", isBoolean],
  ]),
);

const OUTCOME: Checks = new Map([
  ["record", isString],
  ["turns", isU32],
  ["usage", isUsage],
  ["cost_usd", orNull(isF64)],
  ["usage_complete", isBoolean],
  ["stop_cause", orNull(oneOf(STOP_CAUSES))],
  ["exhausted", isBoolean],
  ["ended_on_failed_call", isBoolean],
  ["tool_calls", isU32],
  ["tool_errors", isU32],
  ["tool_denied", isU32],
  ["tool_staged", isU32],
  ["malformed_tool_args", isU32],
  ["blocked_sends", isU32],
  ["compactions", isU32],
  ["taint", isTaint],
]);

const TAG: Checks = new Map([["record", isString]]);

/** Does the object say once what record it is? A key given twice makes it none. */
export function hasOneTag(value: Fields, text: string): boolean {
  return fieldsHold(value, text, TAG);
}

/** An outcome record, or null when a known key holds what it may not. `value` is `text` decoded. */
export function parseOutcome(value: Fields, text: string): Outcome | null {
  if (!fieldsHold(value, text, OUTCOME)) return null;
  // Checked above; only absence is left to deal with.
  const given = value as Partial<Outcome>;
  return {
    turns: given.turns ?? 0,
    usage: usageOf(given.usage),
    cost_usd: given.cost_usd ?? null,
    usage_complete: given.usage_complete ?? false,
    stop_cause: given.stop_cause ?? null,
    exhausted: given.exhausted ?? false,
    ended_on_failed_call: given.ended_on_failed_call ?? false,
    tool_calls: given.tool_calls ?? 0,
    tool_errors: given.tool_errors ?? 0,
    tool_denied: given.tool_denied ?? 0,
    tool_staged: given.tool_staged ?? 0,
    malformed_tool_args: given.malformed_tool_args ?? 0,
    blocked_sends: given.blocked_sends ?? 0,
    compactions: given.compactions ?? 0,
    taint: { private: given.taint?.private ?? false, untrusted: given.taint?.untrusted ?? false },
  };
}

function usageOf(given: Usage | undefined): Usage {
  return {
    input_tokens: given?.input_tokens ?? 0,
    output_tokens: given?.output_tokens ?? 0,
    cache_creation_input_tokens: given?.cache_creation_input_tokens ?? 0,
    cache_read_input_tokens: given?.cache_read_input_tokens ?? 0,
  };
}

const META: Checks = new Map([
  ["record", isString],
  ["id", isString],
  ["created_at", isString],
  ["provider", isString],
  ["model", isString],
  ["workspace", isString],
  ["title", orNull(isString)],
]);

/** A session header, or null. */
export function parseMeta(value: Fields, text: string): Meta | null {
  if (!fieldsHold(value, text, META)) return null;
  const { id, created_at, provider, model, workspace, title } = value as Partial<Meta>;
  const created = created_at === undefined ? null : utcText(created_at);
  if (id === undefined || created === null) return null;
  if (provider === undefined || model === undefined || workspace === undefined) return null;
  return { id, created_at: created, provider, model, workspace, title: title ?? null };
}

const CONFIG: Checks = new Map([
  ["record", isString],
  ["mecha_version", isString],
  ["provider", isString],
  ["model", isString],
  ["workspace", isString],
  ["system_prompt", orNull(isString)],
  ["tools", isStrings],
  ["effort", orNull(oneOf(EFFORTS))],
  ["temperature", orNull(isF64)],
  ["seed", orNull(isU64)],
  ["thinking", isBoolean],
  ["cache_prompt", isBoolean],
  ["max_tokens", isU32],
  ["max_turns", isU32],
  ["max_output_tokens", orNull(isU64)],
  ["max_cost_usd", orNull(isF64)],
  ["compact_at_tokens", orNull(isU64)],
  ["compact_keep_recent", isU64],
  ["permission_mode", oneOf(PERMISSION_MODES)],
  ["trifecta", oneOf(TRIFECTA_POLICIES)],
  ["sandbox", isString],
  ["sandbox_network", isBoolean],
]);

/** The keys a config record gives (every one has a default, so any subset is a config), or null. */
export function parseConfig(value: Fields, text: string): Partial<Config> | null {
  return fieldsHold(value, text, CONFIG) ? (value as Partial<Config>) : null;
}
