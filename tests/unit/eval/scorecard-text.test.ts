import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { barCells, scorecardText } from "#lib/eval/scorecard-text.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aCard, aReport, aRun } from "./cards.ts";

describe("a printed scorecard", () => {
  it("of single runs", () => {
    const failed = aRun({
      id: "b",
      passed: false,
      checks: [
        { name: 'says "16"', passed: false, detail: "not in the answer" },
        { name: "≤5 turns", passed: true, detail: "" },
      ],
      tool_errors: 3,
    });
    expect(scorecardText(aReport([aRun(), failed]), { failures: true })).toBe(
      [
        "qwen3-moe  (local)",
        "────────────────────────────────────────────────────────────",
        "  cases passed        1/2  (50%)",
        "  checks passed       67%",
        "  malformed arguments 0",
        "  invented tools      0",
        "  tool errors         3",
        "  runs errored        0",
        "  coverage            2 scored · 0 errored · 0 not scored · 2 runs",
        "  mean turns          2.0",
        "  median latency      1.0s",
        "  tokens in / out     200 / 20",
        "  wall clock          1.5s",
        "",
        "by tag",
        "  t                   █████·····  1/2",
        "",
        "failed",
        '  b: says "16"',
        '    says "16": not in the answer',
        "",
      ].join("\n"),
    );
  });

  it("of repeated runs shows pass^k beside pass@k, and names the run that failed", () => {
    const out = scorecardText(aCard("x", { a: "✓✓✓", b: "✓✗✓", c: "✗!✗" }).report, { failures: false });
    expect(out).toContain("  pass^3 (all runs)   1/3  (33%)\n  pass@3 (any run)    2/3\n");
    expect(out).toContain("  t                   ████······  1/3  (any 2)\n");
    expect(out).toContain("  b (run 2): says it\n  c (run 1): says it\n  c (run 2): error: boom\n");
    expect(out).not.toContain("not in the answer");
  });

  it("of nothing has no rate", () => {
    expect(scorecardText(aReport([]), { failures: true })).toContain("cases passed        0/0  (—)");
  });

  it("shows what a hostile report holds as text on its own line", () => {
    const run = aRun({ id: "x\n\u001b[31m", passed: false, error: "a\u202eb", checks: [] });
    const out = scorecardText(aReport([run], { model: "m\r\n" }), { failures: true });
    expect(out).toContain("m\\u{d}\\u{a}  (local)");
    expect(out).toContain("  x\\u{a}\\u{1b}[31m: error: a\\u{202e}b");
  });
});

describe.skipIf(!sharedDir)(`the shared bar vectors${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  it("fill the same cells", () => {
    const file = path.join(sharedDir ?? "", "spec/vectors.json");
    const { tag_bar } = JSON.parse(readFileSync(file, "utf8")) as {
      tag_bar: { passed: number; total: number; filled: number | null }[];
    };
    expect(tag_bar.length).toBeGreaterThan(5);
    for (const { passed, total, filled } of tag_bar) expect(barCells(passed, total)).toBe(filled);
  });
});
