/** JSON as it stands in a text: numbers as they are written, keys in order, also those given twice. */
export type Node =
  | { kind: "object"; entries: [string, Node][] }
  | { kind: "array"; items: Node[] }
  | { kind: "string"; value: string }
  | { kind: "number"; raw: string }
  | { kind: "word"; value: boolean | null };

/** A reader of its own, so that a check of what was written shares nothing with the code that wrote it. Throws. */
export function parseNode(text: string): Node {
  const reader = { text, at: 0 };
  const node = value(reader);
  if (reader.at !== text.length) throw new Error(`text behind the value at ${reader.at}`);
  return node;
}

type Reader = { text: string; at: number };

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const WORD = /true|false|null/y;

function value(reader: Reader): Node {
  const first = reader.text[reader.at];
  if (first === "{") return object(reader);
  if (first === "[") return array(reader);
  if (first === '"') return { kind: "string", value: string(reader) };
  const word = take(reader, WORD);
  if (word !== null) return { kind: "word", value: JSON.parse(word) as boolean | null };
  const raw = take(reader, NUMBER);
  if (raw === null) throw new Error(`no value at ${reader.at}`);
  return { kind: "number", raw };
}

function object(reader: Reader): Node {
  const entries: [string, Node][] = [];
  expectChar(reader, "{");
  while (reader.text[reader.at] !== "}") {
    if (entries.length > 0) expectChar(reader, ",");
    const key = string(reader);
    expectChar(reader, ":");
    entries.push([key, value(reader)]);
  }
  reader.at += 1;
  return { kind: "object", entries };
}

function array(reader: Reader): Node {
  const items: Node[] = [];
  expectChar(reader, "[");
  while (reader.text[reader.at] !== "]") {
    if (items.length > 0) expectChar(reader, ",");
    items.push(value(reader));
  }
  reader.at += 1;
  return { kind: "array", items };
}

function string(reader: Reader): string {
  const start = reader.at;
  if (reader.text[start] !== '"') throw new Error(`no string at ${start}`);
  let end = start + 1;
  while (end < reader.text.length && reader.text[end] !== '"') end += reader.text[end] === "\\" ? 2 : 1;
  reader.at = end + 1;
  return JSON.parse(reader.text.slice(start, end + 1)) as string;
}

function expectChar(reader: Reader, char: string): void {
  if (reader.text[reader.at] !== char) throw new Error(`no ${char} at ${reader.at}`);
  reader.at += 1;
}

function take(reader: Reader, pattern: RegExp): string | null {
  pattern.lastIndex = reader.at;
  const match = pattern.exec(reader.text)?.[0] ?? null;
  if (match !== null) reader.at += match.length;
  return match;
}
