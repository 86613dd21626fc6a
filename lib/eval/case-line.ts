import type { Parsed } from "#lib/errors.ts";
import { nearest } from "#lib/nearest.ts";
import { isBoolean, isString, isStrings, isU32, isU64 } from "#lib/transcript/fields.ts";
import { eachElement, eachMember } from "#lib/transcript/json-members.ts";
import { STOP_CAUSES } from "#lib/transcript/record.ts";
import type { ArgsExpectation, Case, Expect } from "./case.ts";

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

/** Reads one line of a case file, already decoded to `value`. The problem names the key, and the case where it has an id. */
export function parseCase(value: unknown, text: string): Parsed<Case> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return { ok: false, problem: 'a case is an object, such as {"id": …, "prompt": …, "tags": […]}' };
  const fields: Fields = { ...value };
  const named =
    typeof fields.id === "string" && fields.id.trim() !== "" ? `case ${JSON.stringify(fields.id)}: ` : "";
  const problem = shapeProblem(fields, text, CASE, "") ?? caseProblem(fields);
  if (problem !== null) return { ok: false, problem: `${named}${problem}` };
  return { ok: true, value: caseOf(fields) };
}

function shapeProblem(value: Fields, text: string, shape: Shape, at: string): string | null {
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
  if (typeof value !== "object" || value === null || Array.isArray(value))
    return `${place} must be an object`;
  return shapeProblem({ ...value }, raw, shape, `${place}.`);
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

function caseProblem(fields: Fields): string | null {
  const expect = isFields(fields.expect) ? fields.expect : {};
  const prompts = typeof fields.prompt === "string" ? [fields.prompt] : fields.prompt;
  if (!isText(fields.id)) return "id is missing or blank";
  if (/\p{Cs}/u.test(fields.id)) return "id is not valid Unicode";
  if (!Array.isArray(prompts)) return "prompt is missing";
  if (prompts.length === 0) return "prompt is an empty list";
  if (!prompts.every(isText)) return "prompt has a blank turn";
  if (!Array.isArray(fields.tags) || fields.tags.length === 0)
    return "tags is missing or empty: every case belongs to a slice of the scorecard";
  if (expect.verify !== undefined && expect.verify !== null && fields.sandbox !== true)
    return 'expect.verify needs "sandbox": true: without a workspace of its own it would run in the shared fixture';
  for (const [at, entry] of (Array.isArray(expect.args) ? expect.args : []).entries())
    for (const key of ["tool", "key"])
      if (!isFields(entry) || typeof entry[key] !== "string") return `expect.args[${at}].${key} is missing`;
  return null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value.trim() !== "";
}

/** Every value was checked above; only absence is left to deal with. */
function caseOf(fields: Fields): Case {
  const given = fields as {
    id: string;
    prompt: string | string[];
    tags: string[];
    expect?: Partial<Expect>;
  } & Partial<Pick<Case, "sandbox" | "max_turns" | "compact_at_tokens">>;
  return {
    id: given.id,
    prompts: typeof given.prompt === "string" ? [given.prompt] : given.prompt,
    tags: [...new Set(given.tags)],
    expect: expectOf(given.expect ?? {}),
    sandbox: given.sandbox ?? false,
    max_turns: given.max_turns ?? null,
    compact_at_tokens: given.compact_at_tokens ?? null,
  };
}

function expectOf(given: Partial<Expect>): Expect {
  return {
    tools: given.tools ?? [],
    tools_in_order: given.tools_in_order ?? [],
    forbid_tools: given.forbid_tools ?? [],
    no_tools: given.no_tools ?? false,
    contains: given.contains ?? [],
    not_contains: given.not_contains ?? [],
    contains_any: given.contains_any ?? [],
    args: (given.args ?? []).map(argsOf),
    max_turns: given.max_turns ?? null,
    stop_cause: given.stop_cause ?? null,
    taint: { private: given.taint?.private ?? null, untrusted: given.taint?.untrusted ?? null },
    blocked_sends: given.blocked_sends ?? null,
    min_compactions: given.min_compactions ?? null,
    ended_on_failed_call: given.ended_on_failed_call ?? null,
    judge: given.judge ?? null,
    verify: given.verify ?? null,
  };
}

function argsOf({ tool, key, equals, contains }: ArgsExpectation): ArgsExpectation {
  return { tool, key, equals: equals ?? null, contains: contains ?? null };
}
