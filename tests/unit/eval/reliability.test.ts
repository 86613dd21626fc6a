import { readFileSync } from "node:fs";
import path from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseReport } from "#lib/eval/parse-report.ts";
import { curveOf, reliabilityOf, seriesOf } from "#lib/eval/reliability.ts";
import type { Card } from "#lib/eval/scorecard.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aCard, noMeta } from "./cards.ts";

describe("repeated runs", () => {
  const card = aCard("x", { solid: "✓✓✓✓", flaky: "✓✗✓✓", hopeless: "✗✗✗✗", broken: "✓!!✓" });

  it("pass^k counts the cases that passed every run, pass@k those that passed one", () => {
    expect(reliabilityOf([card])).toMatchObject({
      runs_per_case: 4,
      pass_all: { hits: 1, of: 4 },
      pass_any: { hits: 3, of: 4 },
    });
  });

  it("a case is flaky when some but not all runs passed, and only the dissenting runs are its flakes", () => {
    const { cases, flaky_runs } = reliabilityOf([card]);
    expect(cases.map((one) => [one.id, one.flaky, one.minority])).toEqual([
      ["solid", false, 0],
      ["flaky", true, 1],
      ["hopeless", false, 0],
      ["broken", true, 2],
    ]);
    expect(flaky_runs).toEqual({ hits: 3, of: 16 });
    expect(cases[3]?.marks).toEqual(["pass", "error", "error", "pass"]);
  });

  it("the curves are the unbiased estimates", () => {
    // One case, 3 of 4 passed: C(3,k)/C(4,k) = 3/4, 3/6, 1/4, 0 and 1 - C(1,k)/C(4,k) = 3/4, 1, 1, 1.
    const points = curveOf([{ marks: ["pass", "pass", "fail", "pass"], passes: 3 }]);
    expect(points.map((point) => point.pass_all)).toEqual([0.75, 0.5, 0.25, 0]);
    expect(points.map((point) => point.pass_any)).toEqual([0.75, 1, 1, 1]);
  });

  it("the curves only ever part from one another", () => {
    const cases = fc.array(
      fc.integer({ min: 1, max: 9 }).chain((n) => fc.nat({ max: n }).map((passes) => ({ n, passes }))),
      { minLength: 1 },
    );
    fc.assert(
      fc.property(cases, (list) => {
        const even = list.map(({ passes }) => ({ marks: Array(9).fill("fail"), passes }));
        const points = curveOf(even);
        for (const [i, point] of points.entries()) {
          expect(point.pass_all).toBeLessThanOrEqual(point.pass_any + 1e-12);
          const before = points[i - 1];
          if (before) {
            expect(point.pass_all).toBeLessThanOrEqual(before.pass_all + 1e-12);
            expect(point.pass_any).toBeGreaterThanOrEqual(before.pass_any - 1e-12);
          }
        }
      }),
    );
  });

  it("of cases that ran unequally often say so, and each point says over how many cases it is", () => {
    const { curve, warnings, runs_per_case } = reliabilityOf([aCard("x", { a: "✓✓", b: "✓" })]);
    expect(runs_per_case).toBeNull();
    expect(curve.map((point) => point.cases)).toEqual([2, 1]);
    expect(warnings).toEqual([
      "not every case ran equally often: a case with fewer runs passes all of them more easily",
    ]);
  });

  it("of nothing are nothing", () => {
    expect(reliabilityOf([])).toMatchObject({
      cases: [],
      curve: [],
      pass_all: { hits: 0, of: 0 },
      warnings: [],
    });
  });
});

describe("single-run cards of one case set", () => {
  const cards = [
    aCard("todo-run1.json", { a: "✓", b: "✓" }),
    aCard("todo-run2.json", { a: "✗", b: "✓" }),
    aCard("todo-run3.json", { a: "✓", b: "✓" }),
  ];
  it("are runs of the same cases", () => {
    const { cases, pass_all, runs_per_case } = reliabilityOf(cards);
    expect(cases.map((one) => [one.id, one.marks.join(" ")])).toEqual([
      ["a", "pass fail pass"],
      ["b", "pass pass pass"],
    ]);
    expect([pass_all, runs_per_case]).toEqual([{ hits: 1, of: 2 }, 3]);
  });

  it("that differ in cases or model are said to be no repeats", () => {
    const other = aCard("todo-run4.json", { a: "✓", c: "✓" }, { model: "other" });
    expect(reliabilityOf([...cards, other]).warnings).toEqual([
      "the cards differ in their cases: their runs are not repeats of one another",
      "the cards differ in model or provider: their runs are not repeats of one another",
      "not every case ran equally often: a case with fewer runs passes all of them more easily",
    ]);
  });

  it("form a series when only a number at the end of their names differs", () => {
    const other = aCard("v2-run1.json", { a: "✓", b: "✓" });
    expect(seriesOf([...cards, other]).map((one) => [one.name, one.cards.length])).toEqual([
      ["todo", 3],
      ["v2", 1],
    ]);
  });
});

describe("a pinned seed at concurrency 1", () => {
  const pinned = { meta: { ...noMeta, seed: 7, concurrency: 1 } };
  it("may have repeated one sample, and is warned about", () => {
    const [warning] = reliabilityOf([aCard("x", { a: "✓✓✓", b: "✓✗✓" }, pinned)]).warnings;
    expect(warning).toContain("seed 7");
    expect(warning).toContain("1 of 2 cases gave identical runs");
  });
  it.each([
    ["no seed", { seed: null, concurrency: 1 }],
    ["more in flight", { seed: 7, concurrency: 2 }],
    ["unknown concurrency", { seed: 7, concurrency: null }],
  ])("%s: no warning", (_, meta) => {
    expect(reliabilityOf([aCard("x", { a: "✓✓" }, { meta: { ...noMeta, ...meta } })]).warnings).toEqual([]);
  });
  it("is no matter for single runs", () => {
    expect(reliabilityOf([aCard("x", { a: "✓", b: "✓" }, pinned)]).warnings).toEqual([]);
  });
});

describe.skipIf(!sharedDir)(`the shared single-run arms${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  const folder = path.join(sharedDir ?? "", "data/scorecards/todo-arms-2026-08-04");
  const cardsOf = (names: string[]): Card[] =>
    names.map((name) => {
      const parsed = parseReport(JSON.parse(readFileSync(path.join(folder, name), "utf8")));
      if (!parsed.ok) throw new Error(parsed.problem);
      return { name, report: parsed.value };
    });
  const arm = [1, 2, 3, 4, 5].map((n) => `todo-arm-run${n}.json`);
  const v2 = [1, 2, 3, 4].map((n) => `todo-v2-run${n}.json`);

  it("are two series, of five and of four runs of the same two cases", () => {
    const series = seriesOf(cardsOf([...arm, ...v2]));
    expect(series.map((one) => [one.name, one.cards.length])).toEqual([
      ["todo-arm", 5],
      ["todo-v2", 4],
    ]);
  });

  it("give each case its strip of runs", () => {
    const first = reliabilityOf(cardsOf(arm));
    expect(first.runs_per_case).toBe(5);
    expect(first.cases.map((one) => [one.id, one.passes, one.flaky])).toEqual([
      ["chain-total-compacted", 4, true],
      ["compaction-carries-the-task", 5, false],
    ]);
    const second = reliabilityOf(cardsOf(v2));
    expect(second.runs_per_case).toBe(4);
    expect(second.warnings).toEqual([]);
  });
});
