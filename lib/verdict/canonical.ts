import { createHash } from "node:crypto";

/**
 * The one JSON text of a value, so that equal values have equal bytes and a hash of them means something: RFC 8785,
 * the JSON Canonicalization Scheme. Keys by UTF-16 code units, numbers as ECMAScript prints them, no white space.
 * Throws a TypeError for what JSON cannot hold: NaN, infinities, undefined, and strings that are no Unicode.
 */
export function canonicalJson(value: unknown): string {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return numberText(value);
  if (typeof value === "string") return stringText(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  if (typeof value === "object") {
    const record = value as Record<string, unknown>;
    const keys = Object.keys(record).sort();
    return `{${keys.map((key) => `${stringText(key)}:${canonicalJson(record[key])}`).join(",")}}`;
  }
  throw new TypeError(`a ${typeof value} has no place in JSON`);
}

export function sha256Hex(text: string): string {
  return createHash("sha256").update(text, "utf8").digest("hex");
}

/** JSON text without the white space between its tokens; what is inside strings stays. */
export function withoutSpace(json: string): string {
  const parts: string[] = [];
  let from = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const char = json[i];
    if (inString) {
      if (char === "\\") i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === " " || char === "\n" || char === "\r" || char === "\t") {
      parts.push(json.slice(from, i));
      from = i + 1;
    }
  }
  parts.push(json.slice(from));
  return parts.join("");
}

function numberText(value: number): string {
  if (!Number.isFinite(value)) throw new TypeError(`${value} has no place in JSON`);
  return JSON.stringify(value);
}

function stringText(value: string): string {
  if (/\p{Cs}/u.test(value))
    throw new TypeError("a string with half a character has no place in canonical JSON");
  return JSON.stringify(value);
}
