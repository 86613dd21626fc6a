import { describe, expect, it } from "vitest";
import { inListOrder, listSortText, parseListSort } from "#app/_ui/cards/list-order.ts";
import type { ReportFile } from "#lib/eval/list-reports.io.ts";
import { aCard } from "#tests/unit/eval/cards.ts";

function file(name: string, model: string | null, marks = "✓"): ReportFile {
  const { report } = aCard(name, Object.fromEntries([...marks].map((mark, at) => [`case ${at}`, mark])));
  const card = {
    model: model ?? "",
    provider: "p",
    head: report.head,
    recomputed: true,
    meta: report.meta,
    wall_clock_ms: null,
    coverage: null,
    doubts: null,
  };
  const rest = { folder: "", bytes: 0, modified_ms: 0, kind: "scorecard" as const, problem: null };
  return { name, ...rest, card: model === null ? null : card };
}

const files = [file("new", "b", "✓✗"), file("note", null), file("mid", "a", "✓✓"), file("old", "b", "✗✗")];
const names = (sort: string) => inListOrder(files, parseListSort(sort)).map(({ name }) => name);

describe("the order of the list", () => {
  it.each([
    ["", ["new", "note", "mid", "old"]],
    ["made", ["old", "mid", "note", "new"]],
    ["name", ["mid", "new", "note", "old"]],
    ["model", ["mid", "new", "old", "note"]],
    ["-model", ["new", "old", "mid", "note"]],
    ["-passed", ["mid", "new", "old", "note"]],
    ["passed", ["old", "new", "mid", "note"]],
    ["constructor", ["new", "note", "mid", "old"]],
  ])("sort=%s", (sort, order) => {
    expect(names(sort)).toEqual(order);
  });

  it("is written as it is read", () => {
    for (const text of ["", "made", "-passed", "model"]) expect(listSortText(parseListSort(text))).toBe(text);
    expect(listSortText(parseListSort("-made"))).toBe("");
  });
});
