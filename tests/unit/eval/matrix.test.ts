import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { changeOf, changesOf, type Matrix, matrixOf, rowsShown } from "#lib/eval/matrix.ts";
import { matrixCsv, matrixJson } from "#lib/eval/matrix-export.ts";
import { packMatrix, unpackMatrix } from "#lib/eval/matrix-pack.ts";
import { cpuTimer } from "#tests/support/cpu-time.ts";
import { aCard, aReport, aRun } from "./cards.ts";

const base = aCard("base", { a: "✓✓", b: "✓✓", c: "✗✗", d: "✓✗", e: "✓✓" });
const other = aCard("other", { z: "✓✓", e: "✓!", d: "✓✗", c: "✓✓", b: "✓✓" });
const shown = (matrix: Matrix, parts = {}) =>
  rowsShown(matrix, 0, { show: "all", tag: null, q: "", ...parts }).map((row) => row.id);

describe("cases × cards", () => {
  it("keeps the baseline's order and loses no case of any card", () => {
    const matrix = matrixOf([other, base], 1);
    expect(matrix.rows.map((row) => [row.id, ...row.cells])).toEqual([
      ["a", "", "pp"],
      ["b", "pp", "pp"],
      ["c", "pp", "ff"],
      ["d", "pf", "pf"],
      ["e", "pe", "pp"],
      ["z", "pp", ""],
    ]);
  });

  it("tells an unreachable judge from a wrong answer", () => {
    const checks = [{ name: "judge", passed: false, detail: "could not be graded: 503" }];
    const card = { name: "x", report: aReport([aRun({ passed: false, checks })]) };
    expect(matrixOf([card], 0).rows[0]?.cells).toEqual(["u"]);
  });

  it.each([
    ["pp", "pp", "same"],
    ["pp", "pf", "regressed"],
    ["pf", "ff", "same"],
    ["ff", "pp", "improved"],
    ["pp", "pe", "regressed"],
    ["p", "pp", "unequal"],
    ["", "pp", "absent"],
    ["pp", "", "absent"],
  ])("%j → %j is %s", (before, after, change) => {
    expect(changeOf(before, after)).toBe(change);
  });

  it("shows regressions first, then improvements, and filters", () => {
    const matrix = matrixOf([base, other], 0);
    expect(shown(matrix)).toEqual(["e", "c", "a", "b", "d", "z"]);
    expect(shown(matrix, { show: "regressed" })).toEqual(["e"]);
    expect(shown(matrix, { show: "improved" })).toEqual(["c"]);
    expect(shown(matrix, { show: "flaky" })).toEqual(["e", "d"]);
    expect(shown(matrix, { show: "errored" })).toEqual(["e"]);
    expect(shown(matrix, { q: " Z" })).toEqual(["z"]);
    expect(shown(matrix, { tag: "t" })).toHaveLength(6);
    expect(shown(matrix, { tag: "no such tag" })).toEqual([]);
  });

  it("neither ranks nor filters by a card that may not be held against the baseline", () => {
    const matrix = matrixOf([base, other], 0);
    const all = { show: "all", tag: null, q: "" } as const;
    const ids = (filter: Parameters<typeof rowsShown>[2]) =>
      rowsShown(matrix, 0, filter, [0]).map((row) => row.id);
    expect(ids(all)).toEqual(["a", "b", "c", "d", "e", "z"]);
    expect(ids({ ...all, show: "regressed" })).toEqual([]);
    expect(ids({ ...all, show: "flaky" })).toEqual(["d", "e"]);
  });

  it("counts what changed against the baseline, with the coin's odds beside", () => {
    const [self, changed] = changesOf(matrixOf([base, other], 0), 0);
    expect(self).toMatchObject({ regressed: 0, improved: 0, same: 5, absent: 1, flaky: 1 });
    expect(changed).toMatchObject({ regressed: 1, improved: 1, same: 2, absent: 2, flaky: 2 });
    expect(changed?.chance).toMatchObject({ untied: 2, as_good: 0.75 });
  });

  it("of three cards with 5 000 cases and five runs packs into less than 500 KB, and sorts within 100 ms", () => {
    const marks = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`a-case-with-a-usual-name-${i}`, i % 7 ? "✓✓✓✓✓" : "✓✗✓✓✓"]),
    );
    const matrix = matrixOf(
      [1, 2, 3].map((n) => aCard(`results/card-${n}.json`, marks)),
      0,
    );
    expect(matrix.rows).toHaveLength(5000);
    expect(JSON.stringify(packMatrix(matrix)).length).toBeLessThan(200_000);
    // The best of some: what else the machine does at one moment says nothing of the sorting.
    const times = Array.from({ length: 5 }, () => {
      const took = cpuTimer();
      shown(matrix, { show: "flaky", q: "name-4" });
      return took();
    });
    expect(Math.min(...times)).toBeLessThan(100);
  });

  it("survives being packed, whatever its ids and tags hold", () => {
    const text = fc.oneof(
      fc.string({ unit: "binary" }),
      fc.constantFrom("\t", "\n", '"', "\\", "a,b", "<b>", "a|b|", "\ud800", "😀", "😁", "a😀", "a😁"),
    );
    const row = fc.record({
      id: text,
      tags: fc.subarray([0, 1]),
      cells: fc.constantFrom(
        ...([
          ["", "ee"],
          ["p", ""],
          ["pf", "ee"],
          ["", ""],
        ] as string[][]),
      ),
    });
    fc.assert(
      fc.property(fc.array(row), (rows) => {
        const matrix: Matrix = { cards: ["one", "two\n"], tags: ["t", "u\n"], rows };
        const packed = packMatrix(matrix);
        // On its way to the browser it is UTF-8: half a character would not arrive.
        expect(Buffer.from(packed).toString()).toBe(packed);
        expect(unpackMatrix(packed)).toEqual(matrix);
      }),
    );
  });
});

describe("what is shown, exported", () => {
  const hostile = matrixOf(
    [aCard("=cmd", { "=1+1": "✓", 'a "b",\nc': "✗" }), aCard("x", { "=1+1": "✗" })],
    0,
  );
  it("as CSV that no spreadsheet runs", () => {
    expect(matrixCsv(hostile, hostile.rows, 0)).toBe(
      [
        `case,tags,"'=cmd passed","'=cmd runs","'=cmd marks","'=cmd change",x passed,x runs,x marks,x change`,
        `"'=1+1",t,1,1,p,same,0,1,f,regressed`,
        `"a ""b"",\nc",t,0,1,f,same,,,,absent`,
        "",
      ].join("\r\n"),
    );
  });
  it.each(["=1", "\t=1", " +1", "\u200b-1", "\ufeff@a", "\n=1", "＝1", "\t"])(
    "%j is text to every spreadsheet",
    (id) => {
      const rows = matrixOf([aCard("x", { [id]: "✓" })], 0);
      expect(matrixCsv(rows, rows.rows, 0).split("\r\n")[1]).toMatch(/^"'/);
    },
  );
  it("and so is what is no formula, without a mark", () => {
    const rows = matrixOf([aCard("x", { "a=1": "✓", "1-2": "✓", é: "✓" })], 0);
    expect(matrixCsv(rows, rows.rows, 0)).not.toContain("'");
  });
  it("as JSON with null for what was not run", () => {
    const value = JSON.parse(matrixJson(hostile, hostile.rows, 0));
    expect(value).toMatchObject({ schema_version: 1, baseline: "=cmd" });
    expect(value.cases[1]).toEqual({
      id: 'a "b",\nc',
      tags: ["t"],
      cards: [{ passed: 0, runs: 1, marks: "f", change: "same" }, null],
    });
  });
});
