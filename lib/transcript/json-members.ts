/**
 * Shows each member of the JSON object in `text`: its key and the exact source of its value, which tells apart what
 * `JSON.parse` makes equal (`3` and `3.0`, a key given twice). `text` must be a valid JSON object.
 * Stops, and gives false, as soon as `visit` does.
 */
export function eachMember(text: string, visit: (key: string, raw: string) => boolean): boolean {
  let i = skipSpace(text, text.indexOf("{") + 1);
  while (text[i] === '"') {
    const keyEnd = stringEnd(text, i);
    const valueStart = skipSpace(text, text.indexOf(":", keyEnd) + 1);
    const valueEnd = skipValue(text, valueStart);
    if (!visit(keyText(text, i, keyEnd), text.slice(valueStart, valueEnd))) return false;
    i = skipSpace(text, skipSpace(text, valueEnd) + 1);
  }
  return true;
}

/** Shows the exact source of each element of the JSON array in `text`, which must be valid. */
export function eachElement(text: string, visit: (raw: string) => void): void {
  let i = skipSpace(text, text.indexOf("[") + 1);
  while (i < text.length && text[i] !== "]") {
    const end = skipValue(text, i);
    visit(text.slice(i, end));
    i = skipSpace(text, skipSpace(text, end) + 1);
  }
}

function keyText(text: string, start: number, end: number): string {
  const key = text.slice(start + 1, end - 1);
  // An escaped key names the same member as the plain one.
  return key.includes("\\") ? (JSON.parse(`"${key}"`) as string) : key;
}

/** The place behind the value that starts at `start`. */
function skipValue(text: string, start: number): number {
  const first = text[start];
  if (first === '"') return stringEnd(text, start);
  if (first === "{" || first === "[") return nestedEnd(text, start);
  let i = start;
  while (i < text.length && !",}] \t\r\n".includes(text.charAt(i))) i++;
  return i;
}

/** The place behind the object or array that starts at `start`. */
function nestedEnd(text: string, start: number): number {
  let depth = 0;
  let i = start;
  while (i < text.length) {
    const char = text[i];
    if (char === '"') {
      i = stringEnd(text, i);
      continue;
    }
    if (char === "{" || char === "[") depth++;
    else if (char === "}" || char === "]") depth--;
    i++;
    if (depth === 0) break;
  }
  return i;
}

/** The place behind the string that opens at `start`. A long string is passed by the platform's own search. */
function stringEnd(text: string, start: number): number {
  let quote = text.indexOf('"', start + 1);
  while (quote > 0 && isEscaped(text, quote)) quote = text.indexOf('"', quote + 1);
  return quote + 1;
}

function isEscaped(text: string, quote: number): boolean {
  let backslashes = 0;
  while (text[quote - 1 - backslashes] === "\\") backslashes++;
  return backslashes % 2 === 1;
}

function skipSpace(text: string, at: number): number {
  let i = at;
  while (text[i] === " " || text[i] === "\t" || text[i] === "\r" || text[i] === "\n") i++;
  return i;
}
