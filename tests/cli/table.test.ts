import { describe, expect, test } from "vitest";
import { tableLines } from "#lib/cli/table.ts";

describe("a table", () => {
  const spec = [{ header: "id" }, { header: "n", align: "right" as const }, { header: "title", shrinkTo: 5 }];
  const rows = [
    ["a", "1", "short"],
    ["日本", "100", "a much longer title"],
  ];

  test("columns stand under each other", () => {
    expect(tableLines(spec, rows, null)).toEqual([
      "id      n  title",
      "a       1  short",
      "日本  100  a much longer title",
    ]);
  });

  test("a terminal cuts what may be cut, down to its least width", () => {
    expect(tableLines(spec, rows, 22)[2]).toBe("日本  100  a much lon…");
    expect(tableLines(spec, rows, 1)[2]).toBe("日本  100  a mu…");
  });

  test("one hostile cell does not pad the others, even into a file", () => {
    const [, hostile, other] = tableLines(
      spec,
      [
        ["a", "1", "x".repeat(2_000_000)],
        ["b".repeat(2), "1", "y"],
      ],
      null,
    );
    expect(hostile?.length).toBeLessThan(450);
    expect(hostile).toMatch(/x…$/);
    expect(other).toBe("bb  1  y");
  });
});
