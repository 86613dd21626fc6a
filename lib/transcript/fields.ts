import { eachMember } from "./json-members.ts";

/** Is this value (decoded, and as it stands in the text) one that the key may hold? */
export type Check = (value: unknown, raw: string) => boolean;
export type Checks = ReadonlyMap<string, Check>;

const INTEGER = /^(?:0|[1-9]\d*)$/;
const U32_MAX = 4_294_967_295;
const U64_MAX = 18_446_744_073_709_551_615n;

/**
 * Do the known keys of an object hold what they may, each at most once? Other keys are ignored. `value` is `text`
 * decoded; a key that is absent takes its default and passes.
 */
export function fieldsHold(value: Record<string, unknown>, text: string, checks: Checks): boolean {
  const seen = new Set<string>();
  return eachMember(text, (key, raw) => {
    const check = checks.get(key);
    if (check === undefined) return true;
    if (seen.has(key)) return false;
    seen.add(key);
    return check(value[key], raw);
  });
}

export const isString: Check = (value) => typeof value === "string";
export const isBoolean: Check = (value) => typeof value === "boolean";
/** A count is written without a point or an exponent: `3.0` is no count. */
export const isU32: Check = (value, raw) => INTEGER.test(raw) && Number(value) <= U32_MAX;
/** Above 2^53 a count is accepted, and held as the nearest double. */
export const isU64: Check = (_value, raw) =>
  INTEGER.test(raw) && (raw.length < 20 || (raw.length === 20 && BigInt(raw) <= U64_MAX));
export const isF64: Check = (value) => typeof value === "number" && Number.isFinite(value);

export const isStrings: Check = (value) =>
  Array.isArray(value) && value.every((one) => typeof one === "string");

export function orNull(check: Check): Check {
  return (value, raw) => value === null || check(value, raw);
}

export function oneOf(words: readonly string[]): Check {
  return (value) => typeof value === "string" && words.includes(value);
}

/** An object whose own known keys hold; `required` ones must be there. */
export function isObject(checks: Checks, required: readonly string[] = []): Check {
  return (value, raw) =>
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    required.every((key) => Object.hasOwn(value, key)) &&
    fieldsHold(value as Record<string, unknown>, raw, checks);
}
