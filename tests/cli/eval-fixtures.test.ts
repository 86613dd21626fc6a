import { spawnSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { SHIPPED } from "#tests/support/eval-home.ts";

const program = path.resolve(import.meta.dirname, "../../dist/build-eval-fixtures.mjs");
const scratch = mkdtempSync(path.join(tmpdir(), "mecha-fixtures-"));
const copy = path.join(scratch, "eval");
afterAll(() => rmSync(scratch, { recursive: true }));

let said = "";
beforeAll(() => {
  cpSync(SHIPPED, copy, { recursive: true });
  for (const generated of ["workspace/audit", "workspace/reports", "workspace/kata", "scripts"])
    rmSync(path.join(copy, generated), { recursive: true });
  const ran = spawnSync(process.execPath, [program, path.join(copy, "workspace")], { encoding: "utf8" });
  // It fails where a kata passes as shipped, or not with its fix.
  expect({ code: ran.status, err: ran.stderr }).toEqual({ code: 0, err: "" });
  said = ran.stdout;
}, 60_000);

/** The text of each file, by its path. */
function filesIn(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  const places = names.map((one) => path.join(one.parentPath, one.name));
  return Object.fromEntries(
    places.sort().map((place) => [path.relative(folder, place), readFileSync(place, "utf8")]),
  );
}

test("what is shipped is what the seed gives: fixture and scripts, to the letter", () => {
  expect(filesIn(copy)).toEqual(filesIn(SHIPPED));
});

test("the cases verify with the commands that it prints, and assert the answers", () => {
  const cases = readFileSync(path.join(SHIPPED, "cases.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line));
  const printed = [...said.matchAll(/^ {2}([\w-]+): (test .*)$/gm)].map(([, id, verify]) => ({ id, verify }));
  const shipped = cases.filter(({ expect }) => expect.verify !== undefined);
  expect(printed).toHaveLength(4);
  expect(printed).toEqual(
    expect.arrayContaining(shipped.map(({ id, expect }) => ({ id, verify: expect.verify }))),
  );
  const gold = (name: string) => new RegExp(`^ {2}${name} +(\\S+)$`, "m").exec(said)?.[1];
  const asserted = JSON.stringify(cases.map(({ expect }) => expect));
  for (const name of ["total", "links", "all", "largest", "largestIn", "throughput", "outlier", "p99"])
    expect(asserted).toContain(gold(name) ?? `no ${name} was printed`);
});
