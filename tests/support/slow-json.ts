/** A JSON value as it is written: numbers keep their digits, objects keep every member, given twice or not. */
export type Node =
  | { kind: "object"; members: [string, Node][] }
  | { kind: "array"; items: Node[] }
  | { kind: "string"; value: string }
  | { kind: "number"; raw: string }
  | { kind: "word"; value: "true" | "false" | "null" };

/** Parses one JSON value and nothing else (RFC 8259), without any cleverness; null when the text is not JSON. */
export function parseSlowly(text: string): Node | null {
  const parser = { text, at: 0 };
  try {
    const node = value(parser);
    space(parser);
    return parser.at === text.length ? node : null;
  } catch (error) {
    if (error === NOT_JSON) return null;
    throw error;
  }
}

type Parser = { text: string; at: number };
const NOT_JSON = new Error("not JSON");

function value(p: Parser): Node {
  space(p);
  const char = p.text[p.at];
  if (char === "{") return object(p);
  if (char === "[") return array(p);
  if (char === '"') return { kind: "string", value: string(p) };
  for (const word of ["true", "false", "null"] as const) {
    if (p.text.startsWith(word, p.at)) {
      p.at += word.length;
      return { kind: "word", value: word };
    }
  }
  return { kind: "number", raw: number(p) };
}

function object(p: Parser): Node {
  const members: [string, Node][] = [];
  p.at++;
  space(p);
  if (p.text[p.at] === "}") {
    p.at++;
    return { kind: "object", members };
  }
  for (;;) {
    space(p);
    const key = string(p);
    space(p);
    expect(p, ":");
    members.push([key, value(p)]);
    space(p);
    if (p.text[p.at] === "}") break;
    expect(p, ",");
  }
  p.at++;
  return { kind: "object", members };
}

function array(p: Parser): Node {
  const items: Node[] = [];
  p.at++;
  space(p);
  if (p.text[p.at] === "]") {
    p.at++;
    return { kind: "array", items };
  }
  for (;;) {
    items.push(value(p));
    space(p);
    if (p.text[p.at] === "]") break;
    expect(p, ",");
  }
  p.at++;
  return { kind: "array", items };
}

function string(p: Parser): string {
  expect(p, '"');
  let out = "";
  for (;;) {
    const char = p.text[p.at];
    if (char === undefined || char < " ") throw NOT_JSON;
    p.at++;
    if (char === '"') return out;
    out += char === "\\" ? escaped(p) : char;
  }
}

const SHORT: Record<string, string> = {
  '"': '"',
  "\\": "\\",
  "/": "/",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

function escaped(p: Parser): string {
  const char = p.text[p.at++] ?? "";
  if (char !== "u") {
    const short = SHORT[char];
    if (short === undefined) throw NOT_JSON;
    return short;
  }
  const digits = p.text.slice(p.at, p.at + 4);
  if (!/^[0-9a-fA-F]{4}$/.test(digits)) throw NOT_JSON;
  p.at += 4;
  return String.fromCharCode(Number.parseInt(digits, 16));
}

function number(p: Parser): string {
  const match = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/.exec(p.text.slice(p.at, p.at + 400));
  if (match === null) throw NOT_JSON;
  p.at += match[0].length;
  return match[0];
}

function space(p: Parser): void {
  while (p.at < p.text.length && " \t\r\n".includes(p.text.charAt(p.at))) p.at++;
}

function expect(p: Parser, char: string): void {
  if (p.text[p.at] !== char) throw NOT_JSON;
  p.at++;
}
