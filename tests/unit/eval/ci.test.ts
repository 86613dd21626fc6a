import { describe, expect, it } from "vitest";
import { ciProblems } from "#lib/eval/ci-gates.ts";
import { githubSummary } from "#lib/eval/github-summary.ts";
import { junitXml } from "#lib/eval/junit.ts";
import type { Report } from "#lib/eval/scorecard.ts";
import { aReport, aRun } from "./cards.ts";
import { parseXml, type Xml } from "./xml.ts";

const NONE = { runsPerCase: 1, minPass: null, maxFlaky: null, baseline: null };
const bad = (name: string, detail = "no") => ({ passed: false, checks: [{ name, passed: false, detail }] });
const good = { passed: true, checks: [{ name: "says", passed: true, detail: "" }] };

function leftOut(not_scored: Report["meta"]["not_scored"], runs: Report["runs"]): Report {
  const report = aReport(runs);
  return { ...report, meta: { ...report.meta, not_scored } };
}

function all(xml: Xml, name: string): Xml[] {
  return [...(xml.name === name ? [xml] : []), ...xml.children.flatMap((child) => all(child, name))];
}

describe("JUnit's XML", () => {
  it("tells a failed check from what could not be graded, could not finish and was not run", () => {
    const report = leftOut(
      [{ id: "f", reason: "python3 is not installed" }],
      [
        aRun({ id: "a", ...good }),
        aRun({ id: "b", ...bad("calls fs_read") }),
        aRun({ id: "c", ...bad("judge", "could not be graded: no answer") }),
        aRun({ id: "d", passed: false, error: "HTTP 500" }),
        aRun({
          id: "e",
          passed: false,
          checks: [...bad("judge", "could not be graded: x").checks, ...bad("verify").checks],
        }),
      ],
    );
    const [suite] = all(parseXml(junitXml(report)), "testsuite");
    expect(suite?.attributes).toMatchObject({ tests: "6", failures: "2", errors: "2", skipped: "1" });
    expect(
      suite?.children.map(({ attributes, children }) => [attributes.name, children[0]?.name ?? "passed"]),
    ).toEqual([
      ["a", "passed"],
      ["b", "failure"],
      ["c", "error"],
      ["d", "error"],
      ["e", "failure"],
      ["f", "skipped"],
    ]);
  });

  it("is well formed whatever stands in a case, a check or an answer", () => {
    const hostile = "a\"b<c>&d\u0000\u001b[31m\uFFFE\uD800]]>-->'é😀\n";
    const report = aReport(
      [aRun({ id: hostile, tags: [hostile], ...bad(hostile, hostile), text: hostile })],
      { model: hostile, provider: hostile } as Partial<Report>,
    );
    const [one] = all(parseXml(junitXml(report)), "testcase");
    expect(one?.attributes.name).toContain('a"b<c>&d');
    expect(one?.children[0]?.text).toContain("é😀");
  });
});

describe("a step summary", () => {
  it("has nothing in it that GitHub makes a link, a mention or a reference of", () => {
    const said = "see https://evil.example/x, www.evil.example, a@b.example, @everyone, #12";
    const report = aReport([aRun({ id: "WWW.x", passed: false, error: said })]);
    const shown = githubSummary(report, [said])
      .split("\n")
      .slice(1)
      .join("\n")
      .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)));
    expect(shown).toContain("evil.example/x");
    expect(shown).not.toMatch(/:\/\/|www\.|@\w|#\d/i);
  });

  it("has no markup but its own", () => {
    const report = aReport([aRun({ id: "<img src=x>|`[a](b)", ...bad("@all\n# head") })]);
    const text = githubSummary(report, ["<b>worse</b>"]);
    for (const sign of ["<img", "<b>", "](", "@all", "\n# "]) expect(text).not.toContain(sign);
    expect(text).toContain("| cases passed | 0/1 &#40;0%&#41; |");
    const cut = githubSummary(aReport([aRun({ id: `$x$${"y".repeat(196)}😀`, ...bad("z") })]), []);
    expect(cut).toContain(`| &#36;x&#36;${"y".repeat(196)} | z |`);
  });
});

describe("gates", () => {
  const runs = [
    aRun({ id: "a", run: 1, ...good }),
    aRun({ id: "a", run: 2, ...bad("x") }),
    aRun({ id: "b", run: 1, ...good }),
    aRun({ id: "b", run: 2, ...good }),
  ];
  const report = aReport(runs);

  it("hold where they are met, to the case", () => {
    expect(ciProblems(report, { ...NONE, runsPerCase: 2, minPass: 0.5, maxFlaky: 1 })).toEqual([]);
  });

  it("a share counts cases that were not run", () => {
    const left = { ...report, meta: { ...report.meta, not_scored: [{ id: "c", reason: "no python" }] } };
    expect(ciProblems(left, { ...NONE, runsPerCase: 2, minPass: 0.5 })).toEqual([
      "1 of 3 cases passed (33.3%), below --min-pass 0.5",
    ]);
  });

  it("a share of nothing is not met", () => {
    expect(ciProblems(aReport([]), { ...NONE, minPass: 0 })).toHaveLength(1);
  });

  it("flaky cases are named", () => {
    expect(ciProblems(report, { ...NONE, runsPerCase: 2, maxFlaky: 0 })).toEqual([
      "1 flaky case(s), more than --max-flaky 0: a",
    ]);
  });

  it("a regression is a case that passed and does not; one that was not run is said apart; one that is gone is none", () => {
    const before = aReport(["a", "b", "c", "gone"].map((id) => aRun({ id, ...good })));
    const now = leftOut(
      [{ id: "c", reason: "no python" }],
      [aRun({ id: "a", ...bad("x") }), aRun({ id: "b", ...good }), aRun({ id: "new", ...bad("x") })],
    );
    expect(ciProblems(now, { ...NONE, baseline: before })).toEqual([
      "1 case(s) passed in the baseline and do not pass now: a",
      "1 case(s) passed in the baseline and were not run now: c",
    ]);
    expect(ciProblems(before, { ...NONE, baseline: before })).toEqual([]);
  });
});
