import type { Parsed } from "#lib/errors.ts";

/** JSON.parse with a problem that fits on one line, and that tells a file cut off in the middle from a wrong one. */
export function parseJsonText(text: string): Parsed<unknown> {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const at = Number(/at position (\d+)/.exec(error.message)?.[1] ?? -1);
    const cutOff = /Unexpected end|Unterminated/.test(error.message) || at >= text.trimEnd().length;
    return {
      ok: false,
      problem: cutOff ? "it is cut off in the middle" : `not JSON: ${oneLine(error.message)}`,
    };
  }
}

/** An object of JSON, and no list. */
export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Where the object that begins at `start` ends: the place behind its last brace; null where it does not end. */
export function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let at = start; at < text.length; at += 1) {
    const char = text[at];
    if (inString) {
      if (char === "\\") at += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    if (depth === 0) return char === "}" ? at + 1 : null;
  }
  return null;
}

/**
 * JSON in which a whole number that a double would round is its digits as a text. The ids of many systems are such
 * numbers, and one that is another's in its last places finds nothing, or the wrong thing.
 */
export function withExactIds(json: string): string {
  if (!/\d{16}/.test(json)) return json;
  const parts: string[] = [];
  let from = 0;
  let at = 0;
  while (at < json.length) {
    const end = endOfToken(json, at);
    const word = json.slice(at, Math.min(end, at + DIGITS_MAX + 2));
    if (end - at > DIGITS_MIN && isRounded(word)) {
      parts.push(json.slice(from, at), `"${json.slice(at, end)}"`);
      from = end;
    }
    at = end;
  }
  return from === 0 ? json : parts.join("") + json.slice(from);
}

const DIGITS_MIN = 15;
/** With more of them a number may be larger than any double. */
const DIGITS_MAX = 300;

/** Where the string, the number or the other character that begins at `start` ends. */
function endOfToken(json: string, start: number): number {
  let at = start + 1;
  if (json[start] === '"') {
    while (at < json.length && json[at] !== '"') at += json[at] === "\\" ? 2 : 1;
    return Math.min(at + 1, json.length);
  }
  if (isOfNumber(json, start)) while (isOfNumber(json, at)) at += 1;
  return at;
}

function isOfNumber(json: string, at: number): boolean {
  const char = json[at] ?? "";
  return (char >= "0" && char <= "9") || (char !== "" && "+-.eE".includes(char));
}

function isRounded(word: string): boolean {
  if (!/^-?\d+$/.test(word)) return false;
  return word.length > DIGITS_MAX || BigInt(Number(word)) !== BigInt(word);
}

/** The engine quotes what it stumbled over, line breaks and all. */
function oneLine(message: string): string {
  return message.replace(/\s+/g, " ").slice(0, 160);
}
