import { eachElement, eachMember } from "#lib/transcript/json-members.ts";

/**
 * A JSON value, given as its source, as the text that an `equals` is compared with: a string's contents, everything
 * else compact with sorted keys. Numbers keep their kind: `3` stays `3`, `3.0` stays `3.0`, `1e3` becomes `1000.0`.
 */
export function argText(raw: string): string {
  return raw.startsWith('"') ? (JSON.parse(raw) as string) : compact(raw);
}

function compact(raw: string): string {
  if (raw.startsWith("{")) {
    const members = new Map<string, string>();
    eachMember(raw, (key, value) => {
      members.set(key, compact(value));
      return true;
    });
    const sorted = [...members].sort(([a], [b]) => (a < b ? -1 : 1));
    return `{${sorted.map(([key, value]) => `${JSON.stringify(key)}:${value}`).join(",")}}`;
  }
  if (raw.startsWith("[")) {
    const elements: string[] = [];
    eachElement(raw, (element) => elements.push(compact(element)));
    return `[${elements.join(",")}]`;
  }
  if (raw.startsWith('"')) return JSON.stringify(JSON.parse(raw));
  return /^-?\d/.test(raw) ? numberText(raw) : raw;
}

const INTEGER = /^-?\d+$/;
const U64_MAX = 18_446_744_073_709_551_615n;
const I64_MIN = -9_223_372_036_854_775_808n;

/** An integer of 64 bits stays as it is; every other number is a double, which shows that it is one. */
function numberText(raw: string): string {
  if (INTEGER.test(raw) && raw !== "-0") {
    const value = BigInt(raw);
    if (value <= U64_MAX && value >= I64_MIN) return raw;
  }
  const value = Number(raw);
  const text = Object.is(value, -0) ? "-0" : String(value);
  return /[.e]/.test(text) ? text.replace("e+", "e") : `${text}.0`;
}
