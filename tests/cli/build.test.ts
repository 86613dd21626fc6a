import { execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

const HOUR_MS = 3_600_000;
let root: string;

/** A checkout in small: two programs that share a chunk, and the three files that the build names. */
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), "mecha-build-"));
  cpSync("scripts/build-cli.mjs", path.join(root, "scripts/build-cli.mjs"));
  symlinkSync(path.resolve("node_modules"), path.join(root, "node_modules"));
  write("scripts/mecha.ts", "console.log('mecha');");
  write("lib/cli/quick-health.ts", "console.log('quick');");
  write("lib/sources/scan-worker.io.ts", "console.log('worker');");
  write("lib/cli/program.ts", "console.log((await import('../shared.ts')).shared);");
  write("scripts/other.ts", "import { shared } from '../lib/shared.ts'; console.log(shared);");
  write("lib/shared.ts", "export const shared = 'first';");
  write("eval/fixtures/served.ts", "console.log('served');");
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

function write(file: string, text: string): void {
  mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
  writeFileSync(path.join(root, file), text);
}

function build(): string[] {
  execFileSync(process.execPath, ["scripts/build-cli.mjs"], { cwd: root });
  return readdirSync(path.join(root, "dist")).filter((name) => name.startsWith("chunk-"));
}

function age(name: string, ms: number): void {
  const then = new Date(Date.now() - ms);
  utimesSync(path.join(root, "dist", name), then, then);
}

test("chunks of earlier builds go when they are older than ten minutes", () => {
  const first = build();
  expect(first.length).toBeGreaterThan(0);
  write("lib/shared.ts", "export const shared = 'second';");
  const second = build();
  const replaced = first.filter((name) => second.includes(name));
  expect(replaced.length).toBeGreaterThan(0);
  expect(second.length).toBeGreaterThan(first.length);

  for (const name of replaced) age(name, 9 * 60_000);
  expect(build()).toEqual(second);
  for (const name of replaced) age(name, 11 * 60_000);
  expect(build()).toEqual(second.filter((name) => !replaced.includes(name)));
});

test("chunks of the build stay however old they are, and so does what is no chunk", () => {
  const first = build();
  write("dist/notes.mjs", "1;");
  for (const name of [...first, "notes.mjs"]) age(name, 1000 * HOUR_MS);
  expect(build()).toEqual(first);
  expect(existsSync(path.join(root, "dist/notes.mjs"))).toBe(true);
  const run = (name: string) =>
    execFileSync(process.execPath, [path.join(root, "dist", name)], { encoding: "utf8" });
  expect([run("program.mjs"), run("other.mjs")]).toEqual(["first\n", "first\n"]);
});
