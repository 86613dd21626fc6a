import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { seededRandom } from "#lib/demo/random.ts";
import { auditFiles, auditGold, type FixtureFile } from "#scripts/fixtures/audit.ts";
import { KATAS, type Kata } from "#scripts/fixtures/katas.ts";
import { type CaseLine, flawedScript, perfectScript } from "#scripts/fixtures/reference.ts";
import { reportFiles, reportGold } from "#scripts/fixtures/reports.ts";

/**
 * Rewrites `audit/`, `reports/` and `kata/` of a workspace (default eval/workspace) from a fixed seed, and beside it the
 * two scripts that play the shipped cases. Prints the answers
 * that the cases must assert and the verify command of each kata, and exits 1 unless every kata fails as shipped and
 * passes with its reference fix: one that passes already, or cannot be solved, measures nothing.
 */
const SEED = 20_261_130;

const workspace = path.resolve(process.argv[2] ?? "eval/workspace");
const audit = auditFiles(seededRandom(SEED));
const reports = reportFiles();
const katas = KATAS.flatMap(({ source, test }) => [source, test]);

for (const folder of ["audit", "reports", "kata"])
  rmSync(path.join(workspace, folder), { recursive: true, force: true });
for (const file of [...audit, ...reports, ...katas]) write(workspace, file);

const evalFolder = path.dirname(workspace);
const cases = ["cases.jsonl", "pkg-cases.jsonl"].flatMap((name) => caseLines(path.join(evalFolder, name)));
for (const script of [
  perfectScript(cases, audit, auditGold(audit)),
  flawedScript(cases, audit, auditGold(audit)),
])
  write(evalFolder, { path: `scripts/${script.name}.json`, text: `${JSON.stringify(script, null, 1)}\n` });

console.log(`wrote ${audit.length + reports.length + katas.length} files below ${workspace}\n`);
console.log("gold answers");
for (const [name, value] of Object.entries({ ...auditGold(audit), ...reportGold(reports) }))
  console.log(`  ${name.padEnd(12)} ${value}`);
console.log("\nverify");
let bad = 0;
for (const kata of KATAS) {
  console.log(`  ${kata.caseId}: ${verifyOf(kata)}`);
  const problem = katasProblem(kata);
  if (problem === null) continue;
  bad += 1;
  console.log(`    WRONG: ${problem}`);
}
if (bad > 0) process.exit(1);

function caseLines(file: string): CaseLine[] {
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.filter((line) => line.startsWith("{")).map((line) => JSON.parse(line) as CaseLine);
}

function write(root: string, file: FixtureFile): void {
  const place = path.join(root, file.path);
  mkdirSync(path.dirname(place), { recursive: true });
  writeFileSync(place, file.text);
}

/** The digest stands in front: whoever changes the test has not solved the task. */
function verifyOf({ test, run }: Kata): string {
  const digest = createHash("sha256").update(test.text).digest("hex").slice(0, 16);
  return `test "$(sha256sum ${test.path} | cut -c1-16)" = "${digest}" && ${run}`;
}

function katasProblem(kata: Kata): string | null {
  if (spawnSync(kata.interpreter, ["--version"]).error !== undefined)
    return `${kata.interpreter} is not installed, so nobody can say whether it works`;
  const scratch = mkdtempSync(path.join(tmpdir(), "mecha-kata-"));
  try {
    write(scratch, kata.source);
    write(scratch, kata.test);
    if (verifies(kata, scratch)) return "it passes as shipped: there is nothing to do";
    write(scratch, { path: kata.source.path, text: kata.fix });
    return verifies(kata, scratch) ? null : "its reference fix does not pass";
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function verifies(kata: Kata, cwd: string): boolean {
  return (
    spawnSync("bash", ["-c", verifyOf(kata)], { cwd, env: { ...process.env, PYTHONDONTWRITEBYTECODE: "1" } })
      .status === 0
  );
}
