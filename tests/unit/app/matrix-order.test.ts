import { describe, expect, it } from "vitest";
import {
  letterOf,
  orderText,
  parseOrder,
  parseShow,
  passedShare,
  passesIn,
  rowsInOrder,
} from "#app/_ui/cards/matrix-order.ts";
import { matrixOf } from "#lib/eval/matrix.ts";
import { aCard } from "#tests/unit/eval/cards.ts";

const matrix = matrixOf(
  [
    aCard("base", { b: "✓✓", a: "✓✓", d: "✗✗", c: "✓✗" }),
    aCard("cand", { d: "✓✓", a: "✓✗", c: "✓✗", z: "✗✗" }),
  ],
  0,
);
const all = { show: "all", tag: null, q: "" } as const;
const ids = (sort: string) =>
  rowsInOrder(matrix, [0, 1], { filter: all, order: parseOrder(sort, 2) }).map((row) => row.id);

describe("the order of a matrix", () => {
  it.each([
    ["", ["a", "d", "b", "c", "z"]],
    ["case", ["a", "b", "c", "d", "z"]],
    ["-case", ["z", "d", "c", "b", "a"]],
    ["A", ["d", "c", "a", "b", "z"]],
    ["-B", ["d", "a", "c", "z", "b"]],
    ["C", ["a", "d", "b", "c", "z"]],
    ["__proto__", ["a", "d", "b", "c", "z"]],
  ])("sort=%s", (sort, order) => {
    expect(ids(sort)).toEqual(order);
  });

  it("is written as it is read", () => {
    for (const text of ["", "case", "-case", "A", "-E"]) expect(orderText(parseOrder(text, 5))).toBe(text);
    expect(parseOrder("a", 5)).toBeNull();
    expect(parseOrder("-", 5)).toBeNull();
    expect(letterOf(4)).toBe("E");
  });
});

describe("a cell", () => {
  it("is the share of its runs that passed, and nothing where there are none", () => {
    expect(passesIn("ppfeu")).toBe(2);
    expect(passedShare("ppfeu")).toBe(0.4);
    expect(passedShare("")).toBeNull();
  });
});

it("a filter that nobody knows shows everything", () => {
  expect(parseShow("flaky")).toBe("flaky");
  expect(parseShow("toString")).toBe("all");
});
