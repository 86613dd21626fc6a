// biome-ignore-all lint/suspicious/noTemplateCurlyInString: these are pieces of source text
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { afterAll, describe, expect, test } from "vitest";
import { argText } from "#lib/eval/arg-text.ts";
import { passedAll } from "#lib/eval/cases.ts";
import { gradeRun } from "#lib/eval/checks.ts";
import { judgeMessage, parseJudgment } from "#lib/eval/judge.ts";
import { markOf } from "#lib/eval/mark.ts";
import { normalize } from "#lib/eval/normalize.ts";
import { verifyCheck } from "#lib/eval/verify.io.ts";
import { type Graders, mismatches } from "./grading-table.ts";

const folder = path.resolve(import.meta.dirname, "../../../lib/eval");
const scratch = mkdtempSync(path.join(tmpdir(), "mecha-mutants-"));
afterAll(() => rmSync(scratch, { recursive: true }));

const ENTRY = [
  'export { gradeRun } from "./checks.ts";',
  'export { parseJudgment, judgeMessage } from "./judge.ts";',
  'export { normalize } from "./normalize.ts";',
  'export { argText } from "./arg-text.ts";',
  'export { markOf } from "./mark.ts";',
  'export { passedAll } from "./cases.ts";',
  'export { verifyCheck } from "./verify.io.ts";',
].join("\n");

/** The graders with one file's source changed. */
async function graders(file: string, change: (source: string) => string): Promise<Graders> {
  const { outputFiles } = await build({
    stdin: { contents: ENTRY, resolveDir: folder, loader: "ts" },
    bundle: true,
    format: "esm",
    platform: "node",
    write: false,
    external: ["better-sqlite3"],
    plugins: [
      {
        name: "mutant",
        setup(plan) {
          plan.onLoad({ filter: /lib\/(eval\/[^/]+|json-text)\.ts$/ }, ({ path: place }) => {
            const source = readFileSync(place, "utf8");
            return { contents: path.basename(place) === file ? change(source) : source, loader: "ts" };
          });
        },
      },
    ],
  });
  const place = path.join(scratch, `${Math.random().toString(36).slice(2)}.mjs`);
  await writeFile(place, outputFiles[0]?.contents ?? "");
  return import(place);
}

test("the graders are right, as they are and bundled", async () => {
  const own = { gradeRun, parseJudgment, judgeMessage, normalize, argText, markOf, passedAll, verifyCheck };
  expect(await mismatches(own, scratch)).toEqual([]);
  expect(await mismatches(await graders("", (source) => source), scratch)).toEqual([]);
});

/** Where it is, what stands there, and what stands there in its place. */
const MUTANTS: [string, string, string][] = [
  ["checks.ts", "...runCheck(evidence),", ""],
  ["checks.ts", 'check("run", false, unfinished)', 'check("run", true, unfinished)'],
  ["checks.ts", "check(`calls ${name}`, called.includes(name), made)", "check(`calls ${name}`, true, made)"],
  ["checks.ts", "if (name === want[at]) at += 1", "if (want.includes(name)) at += 1"],
  ["checks.ts", "return at >= want.length", "return at > 0"],
  ["checks.ts", "!called.includes(name)", "called.includes(name)"],
  ["checks.ts", 'check("answers without tools", called.length === 0', 'check("answers without tools", true'],
  ["checks.ts", "says(text, needle), said)),", "true, said)),"],
  ["checks.ts", "!says(text, needle)", "true"],
  ["checks.ts", "contains_any.some(", "contains_any.every("],
  ["checks.ts", "...expect.args.map((entry) => argsCheck(entry, evidence.trace)),", ""],
  ["checks.ts", "outcome.stop_cause === stop_cause", "outcome.stop_cause !== null"],
  ["checks.ts", "outcome.ended_on_failed_call === failed", "outcome.ended_on_failed_call || !failed || true"],
  ["checks.ts", "taint[leg] === wanted", "taint[leg] || true"],
  ["checks.ts", '(["private", "untrusted"] as const)', '(["private"] as const)'],
  ["checks.ts", "was === wanted", "was >= wanted"],
  ["checks.ts", "outcome.compactions >= min_compactions", "outcome.compactions > min_compactions"],
  ["checks.ts", "outcome.compactions >= min_compactions", "true"],
  ["checks.ts", "outcome.turns <= max_turns", "outcome.turns < max_turns"],
  ["checks.ts", "outcome.turns <= max_turns", "true"],
  ["checks.ts", "malformed > 0", "malformed > 1"],
  ["checks.ts", "invented.length > 0", "false"],
  ["checks.ts", "...disqualifiers(evidence),", ""],
  [
    "args-check.ts",
    "if (values.length === 0) return { name, passed: false,",
    "if (values.length === 0) return { name, passed: true,",
  ],
  ["args-check.ts", "value === equals", "value.toLowerCase() === equals.toLowerCase()"],
  ["args-check.ts", "says(value, contains)", "value.includes(contains)"],
  ["args-check.ts", "values.some(fits)", "values.every(fits)"],
  ["args-check.ts", "&& (contains === null", "|| (contains === null"],
  ["args-check.ts", "entry.name === tool", "true"],
  ["args-check.ts", "entry.source ?? JSON.stringify(input)", "JSON.stringify(input)"],
  ["normalize.ts", "text.toLowerCase()", "text"],
  ["normalize.ts", "[*_`#]|", "[*_`]|"],
  ["normalize.ts", "|(?<=[0-9]),(?=[0-9])", ""],
  ["normalize.ts", "|(?<=[0-9]),(?=[0-9])", "|,"],
  ["normalize.ts", "\\p{White_Space}+", "\\s+"],
  ["arg-text.ts", ".sort(([a], [b]) => (a < b ? -1 : 1))", ""],
  ["arg-text.ts", ": `${text}.0`", ": text"],
  ["arg-text.ts", "value <= U64_MAX", "true"],
  ["judge.ts", 'text.indexOf("{")', 'text.lastIndexOf("{")'],
  [
    "json-text.ts",
    'if (depth === 0) return char === "}" ? at + 1 : null',
    "if (depth === 0) return text.length",
  ],
  ["json-text.ts", 'if (char === "\\\\") at += 1;', "if (false) at += 1;"],
  ["judge.ts", 'typeof pass !== "boolean"', "pass === undefined"],
  ["judge.ts", "value: { pass, reason", "value: { pass: true, reason"],
  ["judge.ts", '"< "', '"<"'],
  ["judge.ts", "<(?=\\s*\\/?\\s*(?:", "<(?=\\/?(?:"],
  ["judge.ts", ")\\b)/gi", ")>)/gi"],
  ["mark.ts", "failed.every(isUngraded)", "failed.some(isUngraded)"],
  ["mark.ts", 'if (run.error !== null) return "error";', ""],
  ["cases.ts", "one.passes === one.runs.length", "one.passes > 0"],
  ["verify.io.ts", "if (result.exitCode === 0) return null", "return null"],
  ["verify.io.ts", "passed: problem === null", "passed: true"],
  ["verify.io.ts", "endOf(output, TAIL_MAX)", "output.slice(0, TAIL_MAX)"],
  ["verify.io.ts", "`${result.stdout}${result.stderr}`", "result.stdout"],
];

describe("each of these breaks a grader, and is noticed", () => {
  test.each(MUTANTS)("%s: %s → %s", async (file, from, to) => {
    const mutant = await graders(file, (source) => {
      expect(source.split(from).length).toBeGreaterThan(1);
      return source.replace(from, () => to);
    });
    const wrong = await mismatches(mutant, scratch).catch((error: unknown) => [String(error)]);
    expect(wrong).not.toEqual([]);
  });
});
