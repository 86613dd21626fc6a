import { parse } from "smol-toml";

/** A key and the keys and positions above it: `["mcp", 0, "env", "TOKEN"]`. */
export type KeyPath = readonly (string | number)[];

/**
 * Says on which line a key of a valid TOML text is first set. A key inside an inline table or a list gets the line of
 * the key that holds it; one that is not there at all, that of the nearest table above it, and at last line 1.
 */
export function locator(text: string): (path: KeyPath) => number {
  const lines = linesOfKeys(text);
  return (path) => {
    for (let length = path.length; length > 0; length -= 1) {
      const line = lines.get(JSON.stringify(path.slice(0, length)));
      if (line !== undefined) return line;
    }
    return 1;
  };
}

/** No key of ours stands deeper; a hostile text may nest a hundred thousand levels. */
const DEPTH_MAX = 8;

/** The line of every key and of everything above it; keys are the JSON of a path. */
function linesOfKeys(text: string): Map<string, number> {
  const lines = new Map<string, number>();
  const lists = new Map<string, number>();
  let table: KeyPath = [];
  const note = (path: KeyPath, line: number) => {
    for (let length = 1; length <= Math.min(path.length, DEPTH_MAX); length += 1) {
      const key = JSON.stringify(path.slice(0, length));
      if (!lines.has(key)) lines.set(key, line);
    }
  };
  for (const { kind, key, line } of statements(text)) {
    const path = keysOf(key);
    if (kind === "key") {
      note([...table, ...path], line);
      continue;
    }
    const above = within(path.slice(0, -1), lists);
    table = [...above, ...path.slice(-1)];
    if (kind === "list") {
      const name = JSON.stringify(table);
      const at = lists.get(name) ?? 0;
      lists.set(name, at + 1);
      table = [...table, at];
    } else table = within(path, lists);
    note(table, line);
  }
  return lines;
}

/** The path of a table's name, which means the newest entry wherever it goes through a list of tables. */
function within(path: readonly string[], lists: ReadonlyMap<string, number>): KeyPath {
  let found: KeyPath = [];
  for (const key of path) {
    found = [...found, key];
    const entries = lists.get(JSON.stringify(found));
    if (entries !== undefined) found = [...found, entries - 1];
  }
  return found;
}

/** The keys of a written key: `a."b.c"` is `a` and `b.c`. The parser knows quotes and escapes best. */
function keysOf(written: string): string[] {
  if (/^[A-Za-z0-9_-]+$/.test(written)) return [written];
  const keys: string[] = [];
  let at: unknown = parse(`${written} = 0`);
  while (typeof at === "object" && at !== null && keys.length < DEPTH_MAX) {
    const [entry] = Object.entries(at);
    if (entry === undefined) break;
    keys.push(entry[0]);
    at = entry[1];
  }
  return keys;
}

type Statement = { kind: "key" | "table" | "list"; key: string; line: number };

/** The statements of a valid text: the headers of tables and the keys that are set, values passed over. */
function* statements(text: string): Generator<Statement> {
  let at = 0;
  let line = 1;
  /** Goes on to the first of `ends` that stands outside of quotes and brackets; gives the text before it. */
  const upTo = (ends: string, nesting: boolean): string => {
    const start = at;
    let depth = 0;
    while (at < text.length) {
      const char = text.charAt(at);
      if (depth === 0 && ends.includes(char)) break;
      if (char === '"' || char === "'") at = afterString(text, at);
      else if (char === "#") at = endOfLine(text, at);
      else {
        if (nesting && (char === "[" || char === "{")) depth += 1;
        if (nesting && (char === "]" || char === "}")) depth -= 1;
        at += 1;
      }
    }
    const passed = text.slice(start, at);
    line += newlines(passed);
    return passed;
  };
  while (at < text.length) {
    const char = text.charAt(at);
    if (char === "#") at = endOfLine(text, at);
    else if (char === "[") {
      const kind = text[at + 1] === "[" ? "list" : "table";
      at += kind === "list" ? 2 : 1;
      yield { kind, key: upTo("]", false).trim(), line };
      at += kind === "list" ? 2 : 1;
    } else if (/\s/.test(char)) {
      if (char === "\n") line += 1;
      at += 1;
    } else {
      yield { kind: "key", line, key: upTo("=", false).trim() };
      at += 1;
      upTo("\n", true);
    }
  }
}

/** The place after the string that begins at `start`. */
function afterString(text: string, start: number): number {
  const quote = text.charAt(start);
  const long = text.startsWith(quote.repeat(3), start);
  const close = long ? quote.repeat(3) : quote;
  let at = start + close.length;
  while (at < text.length && !text.startsWith(close, at)) at += quote === '"' && text[at] === "\\" ? 2 : 1;
  at += close.length;
  // A long string may end in quotes of its own, up to two of them.
  while (long && text[at] === quote) at += 1;
  return at;
}

function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

function newlines(text: string): number {
  let count = 0;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) count += 1;
  return count;
}
