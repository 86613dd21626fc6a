import type { JsonObject } from "#lib/agent/model.ts";
import { isObject } from "#lib/json-text.ts";

const MAPS = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);
const LISTS = new Set(["anyOf", "oneOf", "allOf", "prefixItems"]);
const SCHEMAS = new Set([
  ...["items", "additionalItems", "contains", "additionalProperties", "propertyNames"],
  ...["not", "if", "then", "else", "unevaluatedItems", "unevaluatedProperties"],
]);
const TYPES = new Set(["object", "array", "string", "number", "integer", "boolean", "null"]);
/** Names that servers written in other languages give their types. */
const TYPE_NAMES: ReadonlyMap<string, string> = new Map([
  ["int", "integer"],
  ["float", "number"],
  ["str", "string"],
  ["bool", "boolean"],
  ["list", "array"],
  ["dict", "object"],
]);

/**
 * A schema as providers take it. Over one keyword that is out of shape, deep in one tool of many, they refuse every request:
 * what cannot be meant is left out, for the server checks what it is given, and a list says what it is of. `words` cleans
 * what is there to be read; what values are checked against is left to the letter.
 */
export function fitSchema(schema: JsonObject, words: (text: string) => string): JsonObject {
  return fitPlace(schema, { words, whole: schema });
}

type Around = { words: (text: string) => string; whole: JsonObject };

function fitPlace(schema: JsonObject, around: Around): JsonObject {
  const entries = Object.entries(schema).flatMap(([key, value]) => {
    const fitted = fitKeyword(key, value, around);
    return fitted === undefined ? [] : [[key, fitted] as const];
  });
  const fitted: JsonObject = Object.fromEntries(entries);
  if (isArray(fitted.type) && fitted.items === undefined && fitted.prefixItems === undefined)
    fitted.items = {};
  const { properties, required } = fitted;
  if (!Array.isArray(required) || !isObject(properties)) return fitted;
  return { ...fitted, required: required.filter((name) => Object.hasOwn(properties, String(name))) };
}

function isArray(type: unknown): boolean {
  return type === "array" || (Array.isArray(type) && type.includes("array"));
}

/** Undefined: it is left out. */
function fitKeyword(key: string, value: unknown, around: Around): unknown {
  if (value === null) return key === "default" || key === "const" ? null : undefined;
  const inner = (part: unknown) => fitPart(part, around);
  if (MAPS.has(key))
    // A property that may be anything is `true` to some, and no schema to providers.
    return isObject(value)
      ? Object.fromEntries(
          Object.entries(value)
            .filter(([, part]) => part !== null)
            .map(([name, part]) => [name, part === true ? {} : inner(part)]),
        )
      : undefined;
  if (LISTS.has(key)) return Array.isArray(value) && value.length > 0 ? value.map(inner) : undefined;
  if (SCHEMAS.has(key)) return key === "items" && value === true ? {} : inner(value);
  switch (key) {
    case "type":
      return typeOf(value);
    case "required":
      return Array.isArray(value) ? value.filter((name) => typeof name === "string") : undefined;
    case "enum":
      return Array.isArray(value) && value.length > 0 ? value : undefined;
    case "description":
    case "title":
      return typeof value === "string" ? around.words(value) : undefined;
    case "$ref":
      return typeof value === "string" && leadsSomewhere(value, around.whole) ? value : undefined;
    default:
      return value;
  }
}

function fitPart(part: unknown, around: Around): unknown {
  if (Array.isArray(part)) return part.map((one) => fitPart(one, around));
  return isObject(part) ? fitPlace(part as JsonObject, around) : part;
}

/** Is there a schema where a reference points? Another document is not fetched by anybody. */
function leadsSomewhere(reference: string, whole: JsonObject): boolean {
  const [document, ...steps] = reference.split("/");
  if (document !== "#") return false;
  let place: unknown = whole;
  for (const step of steps) {
    const key = unescaped(step);
    if (typeof place !== "object" || place === null || !Object.hasOwn(place, key)) return false;
    place = (place as JsonObject)[key];
  }
  return isObject(place);
}

function unescaped(step: string): string {
  const key = step.replaceAll("~1", "/").replaceAll("~0", "~");
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}

function typeOf(value: unknown): string | string[] | undefined {
  if (Array.isArray(value)) {
    const types = value.flatMap((one) => typeOf(one) ?? []);
    return types.length > 0 && types.length === value.length ? types : undefined;
  }
  if (typeof value !== "string") return undefined;
  const name = TYPE_NAMES.get(value.toLowerCase()) ?? value.toLowerCase();
  return TYPES.has(name) ? name : undefined;
}
