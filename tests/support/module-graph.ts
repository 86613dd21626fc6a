import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "vite";

export const root = path.resolve(import.meta.dirname, "../..");

/** One import or re-export. `target` is a path from the root for one of our files, null for a package or builtin. */
export type Import = {
  specifier: string;
  target: string | null;
  typeOnly: boolean;
  names: string[];
  line: number;
};

/** A place where a module reads the clock, randomness or the process, or talks to the outside. */
export type Touch = { what: string; line: number };

export type Module = {
  /** Path from the root, with forward slashes. */
  file: string;
  imports: Import[];
  directives: string[];
  touches: Touch[];
  /** Every statement hands on names of other modules. */
  onlyReexports: boolean;
};

const ENTRIES = ["app", "lib", "db", "scripts"];

/** Every module of the product: the code folders and the modules at the top level. */
export function readModules(): Module[] {
  const nested = ENTRIES.flatMap((dir) =>
    readdirSync(path.join(root, dir), { recursive: true, encoding: "utf8" }).map((name) =>
      path.posix.join(dir, name.split(path.sep).join("/")),
    ),
  );
  const files = [...nested, ...readdirSync(root)].filter(
    (file) => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith(".d.ts"),
  );
  return files.sort().map((file) => parseModule(file, readFileSync(path.join(root, file), "utf8")));
}

type Node = { type: string; start: number; [key: string]: unknown };

/** Parses `source` as the module at `file`; throws on a syntax error. */
export function parseModule(file: string, source: string): Module {
  const lang = file.endsWith(".tsx") ? "tsx" : file.endsWith(".ts") ? "ts" : "js";
  const body = parseAst(source, { lang }).body as unknown as Node[];
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;
  const imports: Import[] = [];
  const touches: Touch[] = [];
  walk(body, (node, parent) => {
    const found = importOf(node);
    if (found) imports.push({ ...found, target: resolve(file, found.specifier), line: lineAt(node.start) });
    const what = touchOf(node, parent);
    if (what) touches.push({ what, line: lineAt(node.start) });
  });
  const directives = body.flatMap((node) => (typeof node.directive === "string" ? [node.directive] : []));
  return { file, imports, touches, directives, onlyReexports: body.length > 0 && body.every(isReexport) };
}

function walk(
  value: unknown,
  visit: (node: Node, parent: Node | null) => void,
  parent: Node | null = null,
): void {
  if (Array.isArray(value)) for (const item of value) walk(item, visit, parent);
  else if (isNode(value)) {
    visit(value, parent);
    for (const child of Object.values(value)) walk(child, visit, value);
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === "object" && value !== null && typeof (value as Node).type === "string";
}

function isReexport(node: Node): boolean {
  return (
    node.type === "ExportAllDeclaration" || (node.type === "ExportNamedDeclaration" && isNode(node.source))
  );
}

type Named = {
  imported?: { name?: string };
  local?: { name?: string };
  importKind?: string;
  exportKind?: string;
};

/** The import a node makes: static, re-exported, dynamic, or a worker's `new URL("./x.ts", import.meta.url)`. */
function importOf(node: Node): Omit<Import, "target" | "line"> | null {
  const source = node.type === "NewExpression" ? workerFile(node) : node.source;
  const isImport = [
    "ImportDeclaration",
    "ExportAllDeclaration",
    "ExportNamedDeclaration",
    "ImportExpression",
    "NewExpression",
  ];
  if (!isImport.includes(node.type) || !isNode(source) || typeof source.value !== "string") return null;
  const named = (node.specifiers ?? []) as Named[];
  const allTypes =
    named.length > 0 && named.every((one) => one.importKind === "type" || one.exportKind === "type");
  return {
    specifier: source.value,
    typeOnly: node.importKind === "type" || node.exportKind === "type" || allTypes,
    names: named.map((one) => one.imported?.name ?? one.local?.name ?? "*"),
  };
}

function workerFile(node: Node): unknown {
  const [file, base] = node.arguments as Node[];
  const relative = typeof file?.value === "string" && /^\.{1,2}\/.*\.(ts|tsx|mjs)$/.test(file.value);
  return nameOf(node.callee) === "URL" && relative && base?.type === "MemberExpression" ? file : null;
}

function nameOf(node: unknown): string | null {
  return isNode(node) && node.type === "Identifier" ? (node.name as string) : null;
}

const OUTSIDE = new Set([
  "process",
  "fetch",
  "console",
  "performance",
  "setTimeout",
  "setInterval",
  "setImmediate",
]);

/** What of the outside world an expression reaches for; null when it is pure. */
function touchOf(node: Node, parent: Node | null): string | null {
  if (
    node.type === "NewExpression" &&
    nameOf(node.callee) === "Date" &&
    (node.arguments as Node[]).length === 0
  )
    return "new Date()";
  if (node.type === "CallExpression" && nameOf(node.callee) === "Date") return "Date()";
  if (node.type === "MemberExpression") {
    const member = `${nameOf(node.object)}.${nameOf(node.property)}`;
    if (["Date.now", "Math.random", "crypto.randomUUID", "crypto.getRandomValues"].includes(member))
      return member;
    if (member.startsWith("globalThis.") && OUTSIDE.has(member.slice(11))) return member;
  }
  const name = nameOf(node);
  return name !== null && OUTSIDE.has(name) && !isLabel(node, parent) ? name : null;
}

/** A name that only labels something: `run.process`, `{ process: 1 }`, a type's member. */
function isLabel(node: Node, parent: Node | null): boolean {
  if (parent === null || parent.computed === true) return false;
  if (parent.type === "MemberExpression") return parent.property === node;
  return "key" in parent && parent.key === node && parent.shorthand !== true;
}

/** Path from the root of the module that `specifier` names, or null when it is not ours or only data. */
function resolve(from: string, specifier: string): string | null {
  if (specifier.endsWith(".json")) return null;
  if (specifier.startsWith("#")) return specifier.slice(1);
  if (specifier.startsWith(".")) return path.posix.join(path.posix.dirname(from), specifier);
  return null;
}
