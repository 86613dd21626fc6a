import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseAst } from "vite";

const root = path.resolve(import.meta.dirname, "../..");
const METHODS = ["POST", "PUT", "PATCH", "DELETE"] as const;

/** Something that may change the server's state when it is asked to. */
export type Mutating = {
  /** For a person who reads the test's output. */
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string;
  /** A route that does not take this method; it answers 405 to whoever may ask. */
  absent: boolean;
};

/** Every route with every method that changes something, whether it takes it or not. */
export function mutatingRoutes(): Mutating[] {
  const files = sources().filter((file) => /(^|\/)route\.tsx?$/.test(file));
  return files.flatMap((file) => {
    const taken = exportsOf(file);
    return METHODS.map((method) => ({
      name: `${method} ${file}`,
      method,
      path: addressOf(path.posix.dirname(file)),
      headers: { "Content-Type": "application/json" },
      body: "{}",
      absent: !taken.includes(method),
    }));
  });
}

export type Action = { id: string; file: string; name: string; page: string };

/** The server actions that the sources hold: `file name`. */
export function actionsInSources(): string[] {
  return sources()
    .filter((file) => parsed(file).body.some((node) => isDirective(node, "use server")))
    .flatMap((file) => exportsOf(file).map((name) => `${file} ${name}`));
}

/** The server actions that the build answers to. */
export function actionsInBuild(): Action[] {
  const manifest: unknown = JSON.parse(
    readFileSync(path.join(root, ".next/server/server-reference-manifest.json"), "utf8"),
  );
  return Object.entries(record(record(manifest).node)).map(([id, entry]) => {
    const { filename, exportedName, workers } = record(entry);
    const pages = Object.keys(record(workers)).filter((page) => !page.includes("_not-found"));
    const near = path.posix.dirname(String(filename));
    const page = pages.find((one) => path.posix.dirname(one) === near) ?? pages[0] ?? "app/page";
    return {
      id,
      file: String(filename),
      name: String(exportedName),
      page: addressOf(path.posix.dirname(page)),
    };
  });
}

/** A call of a server action as the browser sends it, without arguments. */
export function callOf({ id, file, name, page }: Action): Mutating {
  return {
    name: `${name} of ${file}`,
    method: "POST",
    path: page,
    headers: { "Next-Action": id, "Content-Type": "text/plain;charset=UTF-8", Accept: "text/x-component" },
    body: "[]",
    absent: false,
  };
}

function sources(): string[] {
  return readdirSync(path.join(root, "app"), { recursive: true, encoding: "utf8" })
    .map((name) => path.posix.join("app", name.split(path.sep).join("/")))
    .filter((file) => /\.tsx?$/.test(file))
    .sort();
}

/** `app/verdicts/[id]` as an address; what stands in brackets names nothing. */
function addressOf(folder: string): string {
  const parts = folder.split("/").slice(1);
  return `/${parts
    .filter((part) => !part.startsWith("("))
    .map((part) => part.replace(/^\[.*\]$/, "none"))
    .join("/")}`;
}

function parsed(file: string) {
  return parseAst(readFileSync(path.join(root, file), "utf8"), {
    lang: file.endsWith(".tsx") ? "tsx" : "ts",
  });
}

type Statement = ReturnType<typeof parseAst>["body"][number];

function isDirective(node: Statement, text: string): boolean {
  return node.type === "ExpressionStatement" && "directive" in node && node.directive === text;
}

/** Names of the values that a file exports. */
function exportsOf(file: string): string[] {
  return parsed(file).body.flatMap((node) => {
    if (node.type === "ExportDefaultDeclaration") return ["default"];
    if (node.type !== "ExportNamedDeclaration" || node.exportKind === "type") return [];
    const { declaration } = node;
    if (declaration?.type === "FunctionDeclaration") return [declaration.id?.name ?? ""];
    if (declaration?.type === "VariableDeclaration")
      return declaration.declarations.map(({ id }) => ("name" in id ? String(id.name) : ""));
    return node.specifiers.map(({ exported }) => ("name" in exported ? exported.name : exported.value));
  });
}

function record(value: unknown): Record<string, unknown> {
  if (typeof value === "object" && value !== null) return value as Record<string, unknown>;
  throw new Error("the build's list of server actions does not look as it did");
}
