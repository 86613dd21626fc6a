import { describe, expect, it } from "vitest";
import { compareView } from "#app/cards-view.ts";
import { aCard, noMeta } from "#tests/unit/eval/cards.ts";

const base = aCard("base", { a: "✓✓", b: "✗✗", c: "✓✗" });
const better = aCard("better", { a: "✓✓", b: "✓✓", c: "✓✗" });
const single = aCard("single", { a: "✓", b: "✓", c: "✓" });
const broken = aCard("broken", { a: "✓✓", b: "✗✗", c: "✓✗" }, { meta: { ...noMeta, partial: true } });

describe("cards side by side", () => {
  it("puts what cannot be held against the baseline last, with the reason and without a rank", () => {
    const { columns, ranked, matrix } = compareView([base, single, better]);
    expect(columns.map(({ letter, name, apart }) => [letter, name, apart])).toEqual([
      ["A", "base", false],
      ["B", "better", false],
      ["C", "single", true],
    ]);
    expect(matrix.cards).toEqual(["base", "better", "single"]);
    expect(ranked).toEqual([0, 1]);
    expect(columns[1]?.change).toMatchObject({ improved: 1, regressed: 0 });
    expect(columns[0]?.change).toBeNull();
    expect(columns[2]?.change).toBeNull();
    expect(columns[2]?.differences.map(({ text }) => text)).toContain("it ran each case 1 time, not 2");
  });

  it("ranks nothing against a baseline that is in doubt itself", () => {
    const { columns, ranked } = compareView([broken, base]);
    expect(ranked).toEqual([]);
    expect(columns.map(({ change }) => change)).toEqual([null, null]);
  });

  it("counts what a headline is made of", () => {
    const [column] = compareView([base]).columns;
    expect(column?.checks).toEqual({ hits: 3, of: 6 });
    expect(column?.flakyCases).toBe(1);
    expect(column?.cost).toEqual({ usd: null, priced: 0, runs: 6 });
    expect(column?.curve).toHaveLength(2);
  });

  it("reads cards of one series as repeats", () => {
    const runs = [1, 2, 3].map((n) => aCard(`todo-run${n}.json`, { a: "✓", b: n === 2 ? "✗" : "✓" }));
    const { series } = compareView(runs);
    expect(series).toHaveLength(1);
    expect(series[0]).toMatchObject({
      letters: ["A", "B", "C"],
      flaky: 1,
      flakyCases: [{ id: "b", cell: "pfp" }],
      reliability: { pass_all: { hits: 1, of: 2 } },
    });
    expect(compareView([base]).series).toEqual([]);
  });
});
