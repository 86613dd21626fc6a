import { isObject } from "#lib/json-text.ts";
import { nearest } from "#lib/nearest.ts";
import { isBoolean, isString, isStrings, isU32, isU64 } from "#lib/transcript/fields.ts";
import { eachElement, eachMember } from "#lib/transcript/json-members.ts";
import { STOP_CAUSES } from "#lib/transcript/record.ts";

// Strict at every level: a key that nobody knows is a check that would silently never run.

type Fields = { [key: string]: unknown };
/** What a value must be, and the words for it. */
type Kind = { is: (value: unknown, raw: string) => boolean; words: string };
type Shape = ReadonlyMap<string, Kind | Nested>;
type Nested = { shape: Shape; list: boolean };

const TEXT: Kind = { is: isString, words: "a string" };
const TEXTS: Kind = { is: isStrings, words: "a list of strings" };
const FLAG: Kind = { is: isBoolean, words: "true or false" };
const COUNT: Kind = { is: isU32, words: "a whole number from 0 to 4294967295" };
const TOKENS: Kind = { is: isU64, words: "a whole number of tokens" };
const PROMPT: Kind = {
  is: (value, raw) => isString(value, raw) || isStrings(value, raw),
  words: "a string, or a list of strings",
};
const STOP: Kind = {
  is: (value) => STOP_CAUSES.some((cause) => cause === value),
  words: `one of ${STOP_CAUSES.join(", ")}`,
};

const TAINT: Nested = {
  list: false,
  shape: new Map([
    ["private", FLAG],
    ["untrusted", FLAG],
  ]),
};
const ARGS: Nested = {
  list: true,
  shape: new Map([
    ["tool", TEXT],
    ["key", TEXT],
    ["equals", TEXT],
    ["contains", TEXT],
  ]),
};
const EXPECT: Nested = {
  list: false,
  shape: new Map<string, Kind | Nested>([
    ["tools", TEXTS],
    ["tools_in_order", TEXTS],
    ["forbid_tools", TEXTS],
    ["no_tools", FLAG],
    ["contains", TEXTS],
    ["not_contains", TEXTS],
    ["contains_any", TEXTS],
    ["args", ARGS],
    ["max_turns", COUNT],
    ["stop_cause", STOP],
    ["taint", TAINT],
    ["blocked_sends", COUNT],
    ["min_compactions", COUNT],
    ["ended_on_failed_call", FLAG],
    ["judge", TEXT],
    ["verify", TEXT],
  ]),
};
const CASE: Shape = new Map<string, Kind | Nested>([
  ["id", TEXT],
  ["prompt", PROMPT],
  ["tags", TEXTS],
  ["expect", EXPECT],
  ["sandbox", FLAG],
  ["max_turns", COUNT],
  ["compact_at_tokens", TOKENS],
]);

/** An absent optional value; `null` means the same where the key takes one value and not a list. */
const NULLABLE: ReadonlySet<string> = new Set([
  "equals",
  "contains_text",
  "max_turns",
  "stop_cause",
  "blocked_sends",
  "min_compactions",
  "ended_on_failed_call",
  "judge",
  "verify",
  "compact_at_tokens",
  "private",
  "untrusted",
]);

/**
 * The first key of a case that nobody knows, that stands there twice, or whose value has the wrong form; null for none.
 * `text`: the line that `value` was decoded from, which has what decoding hides.
 */
export function shapeProblem(value: Fields, text: string): string | null {
  return membersProblem(value, text, CASE, "");
}

function membersProblem(value: Fields, text: string, shape: Shape, at: string): string | null {
  const seen = new Set<string>();
  let problem: string | null = null;
  eachMember(text, (key, raw) => {
    problem = seen.has(key) ? `${at}${key} is there twice` : memberProblem(key, value[key], raw, shape, at);
    seen.add(key);
    return problem === null;
  });
  return problem;
}

function memberProblem(key: string, value: unknown, raw: string, shape: Shape, at: string): string | null {
  const kind = shape.get(key);
  if (kind === undefined) {
    const known = [...shape.keys()];
    const near = nearest(key, known);
    const meant = near === null ? `known keys: ${known.join(", ")}` : `did you mean ${near}?`;
    return `${at}${key.slice(0, 80)} is no key of a case; ${meant}`;
  }
  if ("is" in kind) {
    if (value === null && mayBeNull(key, kind)) return null;
    return kind.is(value, raw) ? null : `${at}${key} must be ${kind.words}`;
  }
  return kind.list
    ? listProblem(value, raw, kind.shape, `${at}${key}`)
    : objectProblem(value, raw, kind.shape, `${at}${key}`);
}

function mayBeNull(key: string, kind: Kind): boolean {
  return NULLABLE.has(key === "contains" && kind === TEXT ? "contains_text" : key);
}

function objectProblem(value: unknown, raw: string, shape: Shape, place: string): string | null {
  if (!isObject(value)) return `${place} must be an object`;
  return membersProblem(value, raw, shape, `${place}.`);
}

function listProblem(value: unknown, raw: string, shape: Shape, place: string): string | null {
  if (!Array.isArray(value)) return `${place} must be a list of objects`;
  const sources: string[] = [];
  eachElement(raw, (source) => sources.push(source));
  for (const [at, one] of value.entries()) {
    const problem = objectProblem(one, sources[at] ?? "", shape, `${place}[${at}]`);
    if (problem !== null) return problem;
  }
  return null;
}
