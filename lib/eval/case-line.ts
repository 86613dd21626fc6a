import type { Parsed } from "#lib/errors.ts";
import { isObject } from "#lib/json-text.ts";
import type { ArgsExpectation, Case, Expect } from "./case.ts";
import { shapeProblem } from "./case-shape.ts";

type Fields = { [key: string]: unknown };

/** Reads one line of a case file, already decoded to `value`. The problem names the key, and the case where it has an id. */
export function parseCase(value: unknown, text: string): Parsed<Case> {
  if (!isObject(value))
    return { ok: false, problem: 'a case is an object, such as {"id": …, "prompt": …, "tags": […]}' };
  const named = isText(value.id) ? `case ${JSON.stringify(value.id)}: ` : "";
  const problem = shapeProblem(value, text) ?? caseProblem(value);
  if (problem !== null) return { ok: false, problem: `${named}${problem}` };
  return { ok: true, value: caseOf(value) };
}

function caseProblem(fields: Fields): string | null {
  const expect = isObject(fields.expect) ? fields.expect : {};
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
      if (!isObject(entry) || typeof entry[key] !== "string") return `expect.args[${at}].${key} is missing`;
  return null;
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
