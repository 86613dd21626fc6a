import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { Ran } from "./cli.ts";

const folder = path.resolve(import.meta.dirname, "../cli/golden");

/**
 * Compares all that a command said with a file in `tests/cli/golden`; `UPDATE_GOLDEN=1` rewrites the file instead.
 * The home folder differs from run to run and is written as `<home>`.
 */
export function expectGolden(name: string, argv: readonly string[], ran: Ran, home: string): void {
  const file = path.join(folder, `${name}.txt`);
  const text = [
    `$ mecha ${argv.join(" ")}`,
    `exit ${ran.code}`,
    "--- standard output",
    ran.out.replaceAll(home, "<home>"),
    "--- standard error",
    ran.err.replaceAll(home, "<home>"),
  ].join("\n");
  if (process.env.UPDATE_GOLDEN === "1") writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, "utf8"));
}
