import path from "node:path";
import type { Module } from "./module-graph.ts";

/**
 * Which domains of `lib/` a domain may import; files directly in `lib/` belong to none.
 * A new domain gets a row of its own: say what it may know.
 */
export const DOMAINS: Record<string, string[]> = {
  transcript: [],
  sources: ["transcript"],
  health: ["transcript", "sources"],
  trigger: ["transcript"],
  doctor: ["transcript", "sources", "health", "trigger"],
  demo: ["transcript"],
  gate: [],
  verdict: ["gate"],
  config: ["transcript"],
  sandbox: [],
  agent: ["transcript", "config", "sandbox"],
  unattended: ["transcript", "config", "sandbox", "agent", "trigger"],
  eval: ["transcript", "config", "sandbox", "agent", "gate", "verdict"],
  diagnose: ["transcript", "sources", "health", "trigger", "doctor", "config", "sandbox", "agent", "gate"],
  review: ["transcript", "sources", "health", "trigger", "doctor", "gate", "verdict", "diagnose"],
  notify: ["transcript", "sources", "health", "trigger", "doctor"],
  access: [],
  queue: ["transcript", "config", "sandbox", "agent", "gate", "verdict", "eval", "diagnose"],
};

type Layer = "pure" | "io" | "cli" | "app" | "scripts" | "top";

export function layerOf(file: string): Layer {
  if (file.startsWith("app/")) return "app";
  if (file.startsWith("lib/cli/")) return "cli";
  if (file.startsWith("scripts/")) return "scripts";
  if (file.startsWith("db/") || /\.io\.tsx?$/.test(file)) return "io";
  return file.startsWith("lib/") ? "pure" : "top";
}

/** Imports point left only: pure, then io, then the shells. */
const MAY_IMPORT: Record<Layer, Layer[]> = {
  pure: ["pure"],
  io: ["pure", "io"],
  cli: ["pure", "io", "cli"],
  app: ["pure", "io", "app"],
  scripts: ["pure", "io", "cli", "scripts"],
  top: ["pure", "io", "app", "top"],
};

const LAYER_ADVICE: Record<Layer, string> = {
  pure: "take what it needs as an argument, or move the part that reads or writes into a file ending .io.ts",
  io: "move what both need into a pure module or another .io.ts file",
  cli: "move what the command line and the pages share into a domain of lib/",
  app: "move what the command line and the pages share into a domain of lib/",
  scripts: "a script is a few lines around lib/; move the shared part there",
  top: "keep it to configuration; move code into app/ or lib/",
};

export function layerProblems(modules: Module[]): string[] {
  return eachImport(modules, (module, target) => {
    const layer = layerOf(module.file);
    if (MAY_IMPORT[layer].includes(layerOf(target))) return null;
    return `a ${layer} module imports a ${layerOf(target)} one (${target}): ${LAYER_ADVICE[layer]}`;
  });
}

const PURE_BUILTINS = ["node:path", "node:util", "node:assert", "node:buffer", "node:string_decoder"];
const IMPURE_PACKAGES = /^(better-sqlite3|drizzle-orm|esbuild|next|playwright)(\/|$)/;

/** A pure module gets time, ids and seeds as arguments and opens nothing. */
export function purityProblems(modules: Module[]): string[] {
  return modules
    .filter((module) => layerOf(module.file) === "pure")
    .flatMap(({ file, imports, touches }) => [
      ...imports.flatMap(({ specifier, names, line }) => {
        const hashing = specifier === "node:crypto" && names.every((name) => name === "createHash");
        const builtin = specifier.startsWith("node:") && !PURE_BUILTINS.includes(specifier) && !hashing;
        if (!builtin && !IMPURE_PACKAGES.test(specifier)) return [];
        return [
          `${file}:${line}: a pure module imports ${specifier}: move that part into a file ending .io.ts`,
        ];
      }),
      ...touches.map(
        ({ what, line }) => `${file}:${line}: a pure module uses ${what}: pass the value in as an argument`,
      ),
    ]);
}

/** What a browser gets must not reach files, the database or server-only code, by whatever way. */
export function clientProblems(modules: Module[]): string[] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  return modules
    .filter((module) => module.directives.includes("use client"))
    .flatMap((client) => {
      const seen = new Set<string>();
      const bad: string[] = [];
      const visit = (module: Module, way: string[]): void => {
        if (seen.has(module.file)) return;
        seen.add(module.file);
        for (const { specifier, target, typeOnly } of module.imports) {
          if (typeOnly) continue;
          const next = target === null ? undefined : byFile.get(target);
          const forbidden =
            specifier === "server-only" ||
            specifier.startsWith("node:") ||
            (target !== null && layerOf(target) === "io");
          if (forbidden)
            bad.push(
              `${[...way, target ?? specifier].join(" → ")}: code for the browser reaches the server; pass the data in as props`,
            );
          else if (next && !next.directives.includes("use server")) visit(next, [...way, next.file]);
        }
      };
      visit(client, [client.file]);
      return bad;
    });
}

/** Only React's server build can load `server-only`; on the command line it throws. */
export function serverOnlyProblems(modules: Module[]): string[] {
  return modules.flatMap(({ file, imports }) =>
    imports
      .filter(({ specifier }) => specifier === "server-only" && !file.startsWith("app/"))
      .map(({ line }) => `${file}:${line}: server-only belongs in app/; it throws on the command line`),
  );
}

export function domainProblems(modules: Module[]): string[] {
  const unknown = [...new Set(modules.flatMap(({ file }) => domainOf(file) ?? []))].filter(
    (domain) => !DOMAINS[domain],
  );
  return [
    ...unknown.map(
      (domain) => `lib/${domain}: say in tests/support/layer-rules.ts which domains it may import`,
    ),
    ...eachImport(modules, (module, target) => {
      const from = domainOf(module.file);
      const to = domainOf(target);
      if (from === null || to === null || from === to || !DOMAINS[from] || DOMAINS[from].includes(to))
        return null;
      return `lib/${from} may not know lib/${to} (${target}): the order is ${Object.keys(DOMAINS).join(", ")}; move the shared part to the earlier of the two`;
    }),
  ];
}

/** The command line is a shell: the layers say what it may import. */
function domainOf(file: string): string | null {
  if (layerOf(file) === "cli") return null;
  return /^lib\/([^/]+)\//.exec(file)?.[1] ?? null;
}

/** Names that say nothing, files that only hand on other files' names, and paths that climb out of their folder. */
export function nameProblems(modules: Module[]): string[] {
  return modules.flatMap(({ file, onlyReexports, imports }) => {
    const name = path.posix.basename(file).replace(/\..*$/, "");
    const problems: string[] = [];
    if (/^(utils?|helpers?|index|common|misc|shared)$/.test(name))
      problems.push(`${file}: name the file after what it holds`);
    if (/[A-Z_ ]/.test(name)) problems.push(`${file}: file names are in kebab-case`);
    if (onlyReexports) problems.push(`${file}: a barrel; import from the file that defines the name`);
    for (const { specifier, target, line } of imports)
      if (target !== null && file.startsWith("lib/") && specifier.startsWith("../"))
        problems.push(`${file}:${line}: write ${specifier} as #lib/…`);
    return problems;
  });
}

/** Each cycle once, as the files it goes through. Imports of types count: they tie two files together as well. */
export function cycleProblems(modules: Module[]): string[] {
  const byFile = new Map(modules.map((module) => [module.file, module]));
  const state = new Map<string, "open" | "done">();
  const problems: string[] = [];
  const visit = (file: string, way: string[]): void => {
    if (state.get(file) === "open")
      problems.push(
        `${[...way.slice(way.indexOf(file)), file].join(" → ")}: a cycle; move what both need into a file of its own`,
      );
    if (state.has(file)) return;
    state.set(file, "open");
    for (const { target } of byFile.get(file)?.imports ?? [])
      if (target !== null && byFile.has(target)) visit(target, [...way, file]);
    state.set(file, "done");
  };
  for (const { file } of modules) visit(file, []);
  return problems;
}

function eachImport(modules: Module[], judge: (module: Module, target: string) => string | null): string[] {
  return modules.flatMap((module) =>
    module.imports.flatMap(({ target, line }) => {
      const problem = target === null ? null : judge(module, target);
      return problem === null ? [] : [`${module.file}:${line}: ${problem}`];
    }),
  );
}
