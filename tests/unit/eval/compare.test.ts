import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { compareCards } from "#lib/eval/compare.ts";
import { compareText } from "#lib/eval/compare-text.ts";
import { parseReport } from "#lib/eval/parse-report.ts";
import type { Card, CardMeta } from "#lib/eval/scorecard.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aCard, aReport, aRun, noMeta } from "./cards.ts";

const remarks = (cards: Card[]) =>
  compareCards(cards).map((group) => group.columns.map((c) => c.differences));
const text = (cards: Card[]) => compareText(compareCards(cards));

describe("cards side by side", () => {
  it("one right-aligned column per card, as wide as the longest model name and at least ten", () => {
    const short = aCard("a.json", { x: "✓", y: "✗" }, { model: "m" });
    const long = aCard("b.json", { x: "✓", y: "✓" }, { model: "a-rather-long-model" });
    expect(text([short, long])).toBe(
      [
        "                                          m  a-rather-long-model",
        "cases passed                            1/2                  2/2",
        "pass rate                               50%                 100%",
        "checks                                  50%                 100%",
        "malformed args                            0                    0",
        "invented tools                            0                    0",
        "mean turns                              2.0                  2.0",
        "median latency                         1.0s                 1.0s",
        "output tokens                            20                   20",
        "",
        "t                                       1/2                  2/2",
        "",
      ].join("\n"),
    );
    expect(text([short]).split("\n")[1]).toBe("cases passed                   1/2");
  });

  it("shows runs per case and any-run passes as soon as one card has repeated runs, and a dash where there are none", () => {
    const out = text([aCard("a.json", { x: "✓✗", y: "✓✓" }), aCard("b.json", { x: "✓", y: "✗" })]);
    expect(out).toMatch(/^2 run\(s\) per case$/m);
    expect(out).toMatch(/^runs\/case +2$/m);
    expect(out).toMatch(/^any-run pass +2\/2$/m);
    expect(out).toMatch(/^any-run pass +—$/m);
  });

  it("a card of another k stands in a group of its own", () => {
    const groups = compareCards([aCard("a", { x: "✓" }), aCard("b", { x: "✓✓" }), aCard("c", { x: "✗" })]);
    expect(groups.map((group) => group.columns.map((column) => column.name))).toEqual([["a", "c"], ["b"]]);
  });

  it("only tags that all cards of a group have, in the first one's order", () => {
    const one = { name: "one", report: aReport([aRun({ tags: ["z", "a", "m"] })]) };
    const two = { name: "two", report: aReport([aRun({ tags: ["m", "z"] })]) };
    expect(compareCards([one, two])[0]?.tags).toEqual(["z", "m"]);
  });

  it("unknown numbers print a dash, never zero", () => {
    const silent = aReport([aRun({ turns: null, elapsed_ms: null, usage: null, malformed_tool_args: null })]);
    expect(text([{ name: "x", report: silent }]).match(/—/g)).toHaveLength(4);
  });

  it("cards without a case have no rate", () => {
    const out = text([{ name: "x", report: aReport([]) }]);
    expect(out).toMatch(/^pass rate +—$/m);
    expect(out).toContain("x: not comparable, it has no cases");
  });

  it("names that would move the cursor are shown as what they are", () => {
    const out = text([aCard("x\u001b[2J", { a: "!" }, { model: "m\u202e" })]);
    expect(out).toContain("m\\u{202e}");
    expect(out).toContain("x\\u{1b}[2J: not comparable, 1 of its 1 runs errored");
    for (const char of ["\u001b", "\u202e"]) expect(out).not.toContain(char);
  });
});

describe("what keeps cards from being ranked against each other", () => {
  const meta = (parts: Partial<CardMeta>) => ({ meta: { ...noMeta, ...parts } });
  const marks = { x: "✓", y: "✗" };
  const against = (base: Card, other: Card) => remarks([base, other])[0]?.[1];

  it("nothing, where all that is recorded agrees", () => {
    const same = meta({ case_set_sha256: "a", judge: { provider: "p", model: "m" }, seed: 7 });
    expect(against(aCard("a", marks, same), aCard("b", marks, same))).toEqual([]);
    expect(against(aCard("a", marks), aCard("b", marks))).toEqual([]);
  });

  it.each([
    ["case_set_sha256", { case_set_sha256: "a" }, { case_set_sha256: "b" }, true],
    ["fixture_sha256", { fixture_sha256: "a" }, { fixture_sha256: "b" }, true],
    ["judge", { judge: { provider: "p", model: "m" } }, { judge: { provider: "p", model: "n" } }, true],
    ["grader_version", { grader_version: "1" }, { grader_version: "2" }, true],
    ["sandbox", { sandbox: "bwrap" }, { sandbox: "none" }, true],
    ["seed", { seed: 1 }, { seed: 2 }, false],
    ["concurrency", { concurrency: 1 }, { concurrency: 4 }, false],
  ] as [string, Partial<CardMeta>, Partial<CardMeta>, boolean][])("another %s", (key, a, b, blocks) => {
    const found = against(aCard("a", marks, meta(a)), aCard("b", marks, meta(b)));
    expect(found).toMatchObject([{ key, blocks }]);
  });

  it("what only one of them records is said, and proves nothing", () => {
    const found = against(aCard("a", marks), aCard("b", marks, meta({ fixture_sha256: "x" })));
    expect(found).toEqual([
      { key: "fixture_sha256", blocks: false, text: "its fixture may differ: a does not record one" },
    ]);
  });

  it("other cases", () => {
    expect(against(aCard("a", marks), aCard("b", { x: "✓", z: "✓", w: "✓" }))).toEqual([
      { key: "cases", blocks: true, text: "it ran other cases: it lacks 1 and adds 2" },
    ]);
  });

  it("faults of its own: broken off, too many errors, a headline that its cases contradict", () => {
    const broken = aCard("a", { x: "✓", y: "!" }, meta({ partial: true }));
    expect(remarks([broken])[0]?.[0]?.map((one) => one.key)).toEqual(["partial", "errored"]);
    const { report } = aCard("b", marks);
    const liar = { name: "b", report: { ...report, head: { ...report.head, passed: 2 } } };
    expect(remarks([liar])[0]?.[0]?.map((one) => one.key)).toEqual(["doubts"]);
    expect(text([liar])).toContain("b: the headline says passed 2, its own cases give 1");
  });

  it("hashes are cut short", () => {
    const [a, b] = ["a", "b"].map((digit) => meta({ case_set_sha256: digit.repeat(64) }));
    const found = against(aCard("a", marks, a), aCard("b", marks, b));
    expect(found?.[0]?.text).toBe('its case set is "bbbbbbbbbbbb…", not "aaaaaaaaaaaa…"');
  });
});

describe.skipIf(!sharedDir)(`the shared 25-case cards${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  it("print as a table without a remark", () => {
    const folder = path.join(sharedDir ?? "", "data/scorecards");
    const cards = ["e4b-full-25", "gemma26-full-25", "qwen-full-25", "qwen35b-a3b"].map((name) => {
      const parsed = parseReport(JSON.parse(readFileSync(path.join(folder, `${name}.json`), "utf8")));
      if (!parsed.ok) throw new Error(parsed.problem);
      return { name, report: parsed.value };
    });
    const lines = text(cards).split("\n");
    expect(lines[0]?.trim().split(/ +/)).toEqual([
      "gemma-4-e4b",
      "gemma-4-26b-a4b",
      "qwen3.6-27b",
      "qwen3.6-35b-a3b",
    ]);
    expect(lines[1]).toMatch(/^cases passed +24\/25 +23\/25 +24\/25 +24\/25$/);
    expect(lines[2]).toMatch(/^pass rate +96% +92% +96% +96%$/);
    expect(lines[3]).toMatch(/^checks +99% +97% +99% +99%$/);
    expect(text(cards)).not.toContain("comparable");
  });
});
