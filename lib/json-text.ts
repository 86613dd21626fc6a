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

/** The engine quotes what it stumbled over, line breaks and all. */
function oneLine(message: string): string {
  return message.replace(/\s+/g, " ").slice(0, 160);
}
