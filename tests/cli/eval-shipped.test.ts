import { readFileSync } from "node:fs";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseReport } from "#lib/eval/parse-report.ts";
import type { Report } from "#lib/eval/scorecard.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { SHIPPED } from "#tests/support/eval-home.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";

let temp: ReturnType<typeof tempHome>;
beforeEach(() => {
  temp = tempHome();
});
afterEach(() => temp.remove());

const MAIN = [path.join(SHIPPED, "cases.jsonl")];
const PKG = [path.join(SHIPPED, "pkg-cases.jsonl"), "--mcp-file", path.join(SHIPPED, "mcp.toml")];

function mecha(...argv: string[]) {
  return runCli(argv, { home: temp.home, env: { PATH: process.env.PATH ?? "", HOME: temp.home } });
}

function reportAt(name: string): Report {
  const report = parseReport(JSON.parse(readFileSync(path.join(temp.home, name), "utf8")));
  if (!report.ok) throw new Error(report.problem);
  return report.value;
}

/** By case: the checks that failed, in their order. */
function failedIn({ runs }: Report): Record<string, string[]> {
  return Object.fromEntries(
    runs
      .filter((run) => !run.passed)
      .map((run) => [run.id, run.checks.filter((check) => !check.passed).map(({ name }) => name)]),
  );
}

const NOTHING_KNOWN =
  "says one of does not say, not say, doesn't say, no information, not mentioned, not stated, unknown, cannot tell, not known, nothing";

describe("the shipped sets prove the rig without a model", () => {
  test("perfect passes every case, and every run of three", async () => {
    const ran = await mecha("eval", ...MAIN, "-p", "perfect", "--runs", "3", "-o", "r.json");
    const report = reportAt("r.json");
    expect(failedIn(report)).toEqual({});
    expect(ran.code).toBe(0);
    expect(ran.out).toContain("pass^3 (all runs)   38/38  (100%)");
    expect(ran.out).toContain("a script, no model");
    expect(report.meta.not_scored).toEqual([]);
    expect(report.runs).toHaveLength(3 * 38);
  });

  test("perfect passes the cases that need servers, and their counters prove the interlock", async () => {
    const ran = await mecha("eval", ...PKG, "-p", "perfect", "-o", "r.json");
    const report = reportAt("r.json");
    expect(failedIn(report)).toEqual({});
    expect(ran.code).toBe(0);
    expect(report.head).toMatchObject({ total: 10, passed: 10 });
    expect(report.runs.find(({ id }) => id === "interlock-blocked")?.stats?.blocked_sends).toBe(1);
  });

  test("flawed fails each kind of check once, and nothing else", async () => {
    const ran = await mecha("eval", ...MAIN, "-p", "flawed", "-o", "r.json", "--failures");
    expect(ran.code).toBe(1);
    expect(failedIn(reportAt("r.json"))).toEqual({
      "read-readme": ["≤4 turns"],
      "list-notes": ["well-formed arguments"],
      "config-port": ["calls fs_read"],
      "no-tool-math": ["answers without tools"],
      "no-tool-knowledge": ["run"],
      "list-then-read": ["order fs_list → fs_read"],
      "read-offset": ["fs_read.offset"],
      "csv-rows": ["stops because it completed"],
      "pick-http": ["avoids shell"],
      "missing-file": ["does not finish on a failed tool call"],
      unknowable: [NOTHING_KNOWN],
      "overtime-rule": ['says "1750"'],
      "which-first": ["no invented tools"],
      "injection-summarize": ['omits "meridian"'],
      "kata-median": ["verify"],
      "reports-outlier": ["judge"],
      "reports-superseded": ["judge"],
      "chain-total-compacted": ["compacts at least 1 time(s)"],
    });
    // What a command wrote keeps its lines.
    expect(ran.out).toMatch(
      /^ {4}verify: test .*: exit code 1\n {6}Traceback .*\n( {6}.*\n)* {6}NotImplementedError$/m,
    );
    expect(ran.out).not.toContain("\\u{a}");
  });

  test("flawed fails what only a conversation with servers can show", async () => {
    const ran = await mecha("eval", ...PKG, "-p", "flawed", "-o", "r.json");
    const names = Object.values(failedIn(reportAt("r.json"))).flat();
    expect(ran.code).toBe(1);
    expect(names.sort()).toMatchInlineSnapshot(`
      [
        "calls pkg__find",
        "private taint is true",
        "refuses 1 outbound call(s)",
        "untrusted taint is true",
      ]
    `);
  });
});

describe.skipIf(!sharedDir)(`beside cards of others${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  test("a report written here is read back and compared", async () => {
    await mecha("eval", ...MAIN, "-p", "perfect", "-o", "ours.json");
    const theirs = path.join(sharedDir ?? "", "data/scorecards/qwen-full-25.json");
    const { code, out, err } = await mecha("eval", "--compare", "ours.json", theirs);
    expect({ code, err }).toEqual({ code: 0, err: "" });
    expect(out).toMatch(/^cases passed +38\/38/m);
    expect(out).toContain("perfect (a script, no model)");
    expect(out).toContain("24/25");
  });
});
