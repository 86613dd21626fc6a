import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { doubtsOf, hasDoubts } from "#lib/eval/head-check.ts";
import { parseReport } from "#lib/eval/parse-report.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aReport, aRun } from "./cards.ts";

const read = (value: unknown) => {
  const parsed = parseReport(value);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
};
const problem = (value: unknown) => {
  const parsed = parseReport(value);
  return parsed.ok ? "" : parsed.problem;
};

const oldRun = {
  checks: [{ detail: "", name: "calls fs_read", passed: true }],
  elapsed_ms: 1400,
  id: "read-it",
  malformed_tool_args: 0,
  passed: true,
  tags: ["single-call"],
  text: "Done.",
  tool_errors: 0,
  tools_called: ["fs_read"],
  turns: 2,
  unknown_tools: 0,
  usage: {
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    input_tokens: 900,
    output_tokens: 40,
  },
};
const oldHead = { model: "m", provider: "local", total: 1, passed: 1, check_pass_rate: 1 };
const old = { scorecard: oldHead, cases: [oldRun] };

describe("a report from before repeated runs", () => {
  it("ran each case once", () => {
    const report = read(old);
    expect(report.head).toMatchObject({ runs_per_case: 1, passed_any: null });
    expect(report.runs[0]).toMatchObject({ run: 1, tool_denied: null, stats: null, error: null });
  });

  it("with an id twice tells of a case that ran twice", () => {
    expect(read({ ...old, cases: [oldRun, oldRun, oldRun] }).runs.map((run) => run.run)).toEqual([1, 2, 3]);
  });

  it("does not claim to know what it does not tell", () => {
    const { turns, usage, ...silent } = oldRun;
    expect(read({ ...old, cases: [silent] }).runs[0]).toMatchObject({ turns: null, usage: null });
    expect([turns, usage.input_tokens]).toEqual([2, 900]);
  });
});

describe("a report that writes the any-run counts though each case ran once", () => {
  const card = (any: number) => {
    const [head, run] = [aReport([aRun({ tags: ["t"] })]).head, aRun({ tags: ["t"] })];
    const by_tag = [{ tag: "t", passed: 1, total: 1, passed_any: any }];
    return doubtsOf(aReport([run], { head: { ...head, passed_any: any, by_tag } })).head.map(
      ({ key }) => key,
    );
  };
  it("is in no doubt for it, as long as they are those of its cases", () => {
    expect(card(1)).toEqual([]);
    expect(card(0)).toEqual(["passed_any", "by_tag"]);
  });
});

describe("a report that is wrong somewhere", () => {
  it.each([
    ["a negative count", { turns: -1 }, "cases[0].turns"],
    ["a fraction for a count", { tool_errors: 1.5 }, "cases[0].tool_errors"],
    ["a count beyond what can be counted", { turns: 1e300 }, "cases[0].turns"],
    ["text for a grade", { passed: "yes" }, "cases[0].passed"],
    ["an id that is no text", { id: "\ud800" }, "cases[0].id"],
    ["an empty id", { id: "" }, "cases[0].id"],
    ["a run number of zero", { run: 0 }, "cases[0].run"],
    ["an unknown stop cause", { stats: { stop_cause: "end_turn" } }, "cases[0].stats.stop_cause"],
  ])("%s: says where", (_, parts, place) => {
    expect(problem({ ...old, cases: [{ ...oldRun, ...parts }] })).toContain(place);
  });

  it.each([[null], [[]], ["text"], [3], [{}], [{ scorecard: {}, cases: [] }], [{ scorecard: oldHead }]])(
    "%j: is refused in one line",
    (value) => {
      expect(problem(value)).not.toBe("");
      expect(problem(value)).not.toContain("\n");
    },
  );

  it("refuses infinity, which JSON can smuggle in as 1e999", () => {
    const text = JSON.stringify(old).replace('"elapsed_ms":1400', '"elapsed_ms":1e999');
    expect(problem(JSON.parse(text))).toContain("elapsed_ms");
  });
});

describe("writing a report", () => {
  const report = aReport([
    aRun({ run: 1 }),
    aRun({ run: 2, passed: false, error: "boom", tool_denied: 1 }),
    aRun({ id: "b", tags: ["t", "u"] }),
    aRun({ id: "b", run: 2, tags: ["t", "u"] }),
  ]);

  it("puts the known keys in their order and ours after them", () => {
    const written = JSON.parse(writeReport(report)) as { scorecard: object; cases: object[] };
    expect(Object.keys(written)).toEqual(["scorecard", "cases"]);
    expect(Object.keys(written.scorecard)).toEqual(
      (
        "model provider total passed passed_any runs_per_case check_pass_rate malformed_tool_args unknown_tools " +
        "tool_errors runs_errored mean_turns median_latency_ms total_usage wall_clock_ms by_tag case_set_sha256 " +
        "fixture_sha256 judge concurrency grader_version seed sandbox created_at partial cost_usd judge_usage judge_cost_usd not_scored"
      ).split(" "),
    );
    expect(Object.keys(written.cases[0] ?? {})).toEqual(
      "checks elapsed_ms id malformed_tool_args passed run tags text tool_errors tools_called turns unknown_tools usage".split(
        " ",
      ),
    );
    expect(Object.keys(written.cases[1] ?? {})).toEqual(
      (
        "checks elapsed_ms error id malformed_tool_args passed run tags text tool_denied tool_errors tools_called turns " +
        "unknown_tools usage"
      ).split(" "),
    );
  });

  it("leaves the any-run counts out where every case ran once", () => {
    expect(writeReport(aReport([aRun()]))).not.toContain("passed_any");
  });

  it("writes no half of a character, which other readers of JSON refuse", () => {
    const checks = [{ name: "judge", passed: true, detail: "b\udc00" }];
    const text = writeReport(aReport([aRun({ text: "a\ud83d \ud83d\ude00", checks })]));
    expect(text).not.toMatch(/\\ud[89a-f]/i);
    expect(text).toContain("a\ufffd \ud83d\ude00");
  });

  it("is read back as it was", () => {
    expect(read(JSON.parse(writeReport(report)))).toEqual(report);
  });
});

describe.skipIf(!sharedDir)(`the shared scorecards${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  const folder = path.join(sharedDir ?? "", "data/scorecards");
  const files = sharedDir
    ? readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"))
    : [];

  it("are 23 whose headline their own cases give, without a doubt about any", () => {
    const cards = files.filter((name) => !name.endsWith("compaction-passk.json"));
    expect(cards.length).toBe(23);
    for (const name of cards) {
      const report = read(JSON.parse(readFileSync(path.join(folder, name), "utf8")));
      expect(doubtsOf(report), name).toEqual({ head: [], contradictions: [], doubled: [] });
      expect(hasDoubts(doubtsOf(report)), name).toBe(false);
    }
  });

  it("survive being written and read again", () => {
    for (const name of files.filter((file) => !file.endsWith("compaction-passk.json"))) {
      const report = read(JSON.parse(readFileSync(path.join(folder, name), "utf8")));
      const again = read(JSON.parse(writeReport(report)));
      expect(again.runs, name).toEqual(report.runs);
      expect(again.head, name).toMatchObject({ total: report.head.total, passed: report.head.passed });
    }
  });
});
