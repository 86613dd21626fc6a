import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import {
  clientProblems,
  cycleProblems,
  domainProblems,
  layerProblems,
  nameProblems,
  purityProblems,
  serverOnlyProblems,
} from "#tests/support/layer-rules.ts";
import { parseModule, readModules, root } from "#tests/support/module-graph.ts";

const RULES = {
  layers: layerProblems,
  purity: purityProblems,
  "browser code": clientProblems,
  "server-only": serverOnlyProblems,
  domains: domainProblems,
  names: nameProblems,
  cycles: cycleProblems,
};

describe("the tree follows the rules", () => {
  const modules = readModules();
  test("there is something to check", () => expect(modules.length).toBeGreaterThan(10));
  test.each(Object.entries(RULES))("%s", (_, rule) => expect(rule(modules)).toEqual([]));
});

describe("the rules can fail", () => {
  const broken: [keyof typeof RULES, Record<string, string>, RegExp][] = [
    ["layers", { "lib/health/a.ts": `import { b } from "./b.io.ts";` }, /pure module imports a io one/],
    ["layers", { "lib/sources/a.io.ts": `export * from "#app/b.ts";` }, /imports a app one/],
    ["layers", { "app/page.tsx": `const x = await import("#lib/cli/main.ts");` }, /imports a cli one/],
    ["layers", { "lib/cli/a.ts": `import type { B } from "#app/b.tsx";` }, /imports a app one/],
    ["layers", { "lib/rate.ts": `new Worker(new URL("./w.io.ts", import.meta.url));` }, /imports a io one/],
    ["purity", { "lib/health/a.ts": `import { readFileSync } from "node:fs";` }, /node:fs/],
    ["purity", { "lib/health/a.ts": `import { randomUUID } from "node:crypto";` }, /node:crypto/],
    ["purity", { "lib/health/a.ts": "const now = Date.now();" }, /Date\.now/],
    ["purity", { "lib/health/a.ts": "const now = new Date();" }, /new Date\(\)/],
    ["purity", { "lib/health/a.ts": "const { env } = process;" }, /process/],
    ["purity", { "lib/health/a.ts": "const roll = Math.random();" }, /Math\.random/],
    ["purity", { "lib/health/a.ts": "export const go = () => globalThis.fetch;" }, /globalThis\.fetch/],
    [
      "browser code",
      {
        "app/_ui/a.tsx": `"use client"; import { load } from "#app/loaders.ts";`,
        "app/loaders.ts": `import { scan } from "#lib/transcript/scan.io.ts";`,
      },
      /a\.tsx → app\/loaders\.ts → lib\/transcript\/scan\.io\.ts/,
    ],
    ["server-only", { "lib/health/a.ts": `import "server-only";` }, /belongs in app/],
    [
      "domains",
      { "lib/transcript/a.ts": `import type { B } from "#lib/health/b.ts";` },
      /may not know lib\/health/,
    ],
    ["domains", { "lib/nonsense/a.ts": "" }, /lib\/nonsense: say/],
    ["names", { "lib/health/utils.ts": "" }, /name the file after what it holds/],
    ["names", { "lib/health/readAll.ts": "" }, /kebab-case/],
    ["names", { "lib/health/all.ts": `export * from "./a.ts"; export { b } from "./b.ts";` }, /barrel/],
    ["names", { "lib/health/a.ts": `import { b } from "../b.ts";` }, /write \.\.\/b\.ts/],
    [
      "cycles",
      { "lib/a.ts": `import "./b.ts";`, "lib/b.ts": `import type { A } from "./a.ts";` },
      /lib\/a\.ts → lib\/b\.ts → lib\/a\.ts/,
    ],
  ];
  test.each(broken)("%s: %o", (rule, files, problem) => {
    const modules = Object.entries(files).map(([file, source]) => parseModule(file, source));
    expect(RULES[rule](modules).join("\n")).toMatch(problem);
  });

  test("what is allowed is not reported", () => {
    const pure = `import { createHash } from "node:crypto"; import path from "node:path"; import type { A } from "./a.ts";
      // process.env, Date.now() and "new Date()" in words are no use of them
      export const day = (run: { process: number }, ms: number) => [new Date(ms), run.process, { process: 1 }, "Math.random()"];`;
    const client = `"use client"; import type { Scan } from "#lib/sources/scan.io.ts"; import { act } from "#app/actions.ts";`;
    const modules = [
      parseModule("lib/health/b.ts", pure),
      parseModule("app/_ui/a.tsx", client),
      parseModule("app/actions.ts", `"use server"; import { write } from "#lib/sources/write.io.ts";`),
    ];
    expect(Object.values(RULES).flatMap((rule) => rule(modules))).toEqual([]);
  });
});

const TOP_LEVEL = new Set([
  ...["app", "lib", "db", "eval", "scripts", "tests", "public", "docs"],
  ...["README.md", "ARCHITECTURE.md", "AGENTS.md", "LICENSE", "package.json", "package-lock.json"],
  ...[
    "next.config.mjs",
    "postcss.config.mjs",
    "playwright.config.ts",
    "vitest.config.ts",
    "vitest.soak.config.ts",
  ],
  ...["tsconfig.json", "biome.json", "knip.json", "drizzle.config.ts", "proxy.ts", "instrumentation.ts"],
]);

test("the top level holds folders, configuration and guides only", () => {
  const ignored = readFileSync(path.join(root, ".gitignore"), "utf8")
    .split("\n")
    .map((line) => line.replace(/\/$/, ""));
  const isIgnored = (name: string) =>
    ignored.some((line) => (line.startsWith("*") ? name.endsWith(line.slice(1)) : line === name));
  const strays = readdirSync(root).filter(
    (name) => !name.startsWith(".") && !isIgnored(name) && !TOP_LEVEL.has(name),
  );
  expect(strays).toEqual([]);
});

test.each(["README.md", "ARCHITECTURE.md", "AGENTS.md"])("%s names only paths that exist", (guide) => {
  const paths = pathsIn(readFileSync(path.join(root, guide), "utf8"));
  expect(paths.filter((name) => !existsSync(path.join(root, name)))).toEqual([]);
  expect(paths.length).toBeGreaterThan(0);
});

/** Paths of the checkout in code spans and links; patterns with a star are not paths. */
function pathsIn(markdown: string): string[] {
  const spans = [...markdown.matchAll(/`([^`\s]+)`/g), ...markdown.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].map(
    (match) => match[1] ?? "",
  );
  const ours = /^(app|lib|db|eval|scripts|tests|public|docs|\.ci)\/|^[\w.-]+\.(md|json|mjs|ts)$/;
  return [...new Set(spans)].filter((span) => ours.test(span) && !/[*{<…]/.test(span));
}
