import { toUSVString } from "node:util";
import type { JsonObject } from "#lib/agent/model.ts";
import { MALFORMED_KEY } from "#lib/agent/providers/tool-arguments.ts";
import type { Parsed } from "#lib/errors.ts";
import { isObject, parseJsonText } from "#lib/json-text.ts";
import { nearest } from "#lib/nearest.ts";
import { clipped } from "#lib/utf8.ts";

/** One argument of a tool: how it is announced to the model, and how a value that came is read. */
export type Argument<T> = {
  required: boolean;
  schema: JsonObject;
  /** The problem continues a sentence that starts with the argument's name. */
  read(value: unknown): Parsed<T>;
};

export type Arguments = Readonly<Record<string, Argument<unknown>>>;
export type ArgumentValues<A extends Arguments> = {
  [Name in keyof A]: A[Name] extends Argument<infer T> ? T : never;
};

/** The JSON Schema of a tool's arguments. */
export function argumentSchema(known: Arguments): JsonObject {
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(known).map(([name, { schema }]) => [name, schema])),
    required: Object.keys(known).filter((name) => known[name]?.required),
    additionalProperties: false,
  };
}

/**
 * The values of a call's arguments. The problem names what is missing, unknown or of the wrong type, and then every
 * argument there is, so that one more try is enough.
 *
 * An unknown argument is refused, never passed over: a small model that sends `append: true` or `replace_all: true`
 * counts on it, and a write without it would destroy what the model meant to keep. A null for an optional argument is
 * taken as absent, which is how many models spell that.
 */
export function readArguments<A extends Arguments>(known: A, input: JsonObject): Parsed<ArgumentValues<A>> {
  // The model wrote no such argument, and would look in vain for what to leave out.
  if (Object.hasOwn(input, MALFORMED_KEY))
    return { ok: false, problem: `the arguments cannot be read as JSON. Arguments: ${listed(known)}.` };
  const problems = Object.keys(input)
    .filter((name) => !Object.hasOwn(known, name))
    .slice(0, 5)
    .map((name) => unknownArgument(name, Object.keys(known)));
  const values: Record<string, unknown> = {};
  for (const [name, argument] of Object.entries(known)) {
    const given = Object.hasOwn(input, name) ? input[name] : undefined;
    if (given === undefined || (given === null && !argument.required)) {
      if (argument.required) problems.push(`\`${name}\` is missing`);
      values[name] = null;
      continue;
    }
    const read = argument.read(given);
    if (read.ok) values[name] = read.value;
    else problems.push(`\`${name}\` ${read.problem}`);
  }
  if (problems.length === 0) return { ok: true, value: values as ArgumentValues<A> };
  return { ok: false, problem: `${problems.join("; ")}. Arguments: ${listed(known)}.` };
}

export function text(description: string): Argument<string> {
  return {
    required: true,
    schema: { type: "string", description },
    read(value) {
      if (typeof value !== "string") return wrong("text", value);
      return toUSVString(value) === value
        ? { ok: true, value }
        : { ok: false, problem: "holds half of a surrogate pair, which no file or address can hold" };
    },
  };
}

/** A whole number from `least` up; what is above `most` is taken as `most`. */
export function whole(description: string, least: number, most: number): Argument<number> {
  return {
    required: true,
    schema: { type: "integer", minimum: least, description },
    read(value) {
      if (typeof value !== "number" || !Number.isInteger(value) || value < least)
        return wrong(`a whole number from ${least} up`, value);
      return { ok: true, value: Math.min(value, most) };
    },
  };
}

export function choice<T extends string>(description: string, words: readonly T[]): Argument<T> {
  return {
    required: true,
    schema: { type: "string", enum: [...words], description },
    read(value) {
      const found = words.find((word) => word === value);
      return found === undefined ? wrong(`one of ${words.join(", ")}`, value) : { ok: true, value: found };
    },
  };
}

export function optional<T>(argument: Argument<T>): Argument<T | null> {
  return { ...argument, required: false };
}

export function list<T>(description: string, item: Argument<T>, most: number): Argument<T[]> {
  return {
    required: true,
    schema: { type: "array", items: item.schema, description },
    read(written) {
      const value = unwrapped(written);
      if (!Array.isArray(value)) return wrong("a list", written);
      if (value.length > most)
        return { ok: false, problem: `may hold at most ${most} items, not ${value.length}` };
      const items: T[] = [];
      for (const [i, one] of value.entries()) {
        const read = item.read(one);
        if (!read.ok) return { ok: false, problem: `item ${i + 1} ${read.problem}` };
        items.push(read.value);
      }
      return { ok: true, value: items };
    },
  };
}

/** An object with arguments of its own. */
export function group<A extends Arguments>(known: A): Argument<ArgumentValues<A>> {
  return {
    required: true,
    schema: argumentSchema(known),
    read(written) {
      const value = unwrapped(written);
      if (!isObject(value)) return wrong(`an object with ${listed(known)}`, written);
      const read = readArguments(known, value);
      return read.ok ? read : { ok: false, problem: `is wrong: ${read.problem}` };
    },
  };
}

/** Many models write what is more than a text as JSON in a text, and write it so again when they are told. */
function unwrapped(value: unknown): unknown {
  const read = typeof value === "string" && /^\s*[[{]/.test(value) ? parseJsonText(value) : null;
  return read?.ok ? read.value : value;
}

function wrong(wanted: string, value: unknown): { ok: false; problem: string } {
  return { ok: false, problem: `must be ${wanted}, not ${shown(value)}` };
}

function unknownArgument(name: string, known: readonly string[]): string {
  const meant = nearest(name, known);
  return `there is no argument ${shown(name)}${meant === null ? "" : ` (did you mean \`${meant}\`?)`}`;
}

function listed(known: Arguments): string {
  return Object.entries(known)
    .map(([name, { required }]) => (required ? `${name} (required)` : name))
    .join(", ");
}

function shown(value: unknown): string {
  if (Array.isArray(value)) return "a list";
  if (typeof value === "object" && value !== null) return "an object";
  return clipped(JSON.stringify(value) ?? String(value), 60);
}
