import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { GateOptions } from "#lib/eval/gate-arms.ts";
import { judgeFiles } from "#lib/eval/gate-files.io.ts";
import { importRows } from "#lib/eval/import-rows.ts";
import type { CaseRun } from "#lib/eval/scorecard.ts";
import { writeReport } from "#lib/eval/write-report.ts";
import type { Outcome } from "#lib/transcript/record.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { verdictHtml } from "#lib/verdict/html.ts";
import { documentText, verifyDocument } from "#lib/verdict/verify.ts";
import { viewOf } from "#lib/verdict/view.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { aCard, aReport, aRun, noMeta } from "./cards.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "gate-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const options: GateOptions = {
  change_class: "config",
  change: "max_turns=40",
  metric: null,
  predicted: false,
  rationale: null,
  made_at: null,
  holdout_in: 3,
  created_at: "2026-11-30T12:00:00Z",
  made_by: "mecha 0.1.0",
};
const put = (name: string, content: string) => {
  const place = path.join(folder, name);
  writeFileSync(place, content);
  return { place, name, label: name };
};
const judge = (a: string, b: string, parts: Partial<GateOptions> = {}) =>
  judgeFiles(put("a.json", a), put("b.json", b), { ...options, ...parts });
const judged = async (a: string, b: string, parts: Partial<GateOptions> = {}): Promise<VerdictDocument> => {
  const result = await judge(a, b, parts);
  if (!result.ok) throw new Error(result.problem);
  return result.value;
};
const problem = async (a: string, b: string, parts: Partial<GateOptions> = {}) => {
  const result = await judge(a, b, parts);
  return result.ok ? "" : result.problem;
};

const ids = Array.from({ length: 24 }, (_, i) => `case-${i}`);
const cardOf = (runOf: (id: string, i: number) => Partial<CaseRun>, parts = {}) =>
  writeReport(
    aReport(
      ids.map((id, i) => aRun({ id, ...runOf(id, i) })),
      parts,
    ),
  );
const stats = (parts: Partial<Outcome>): Outcome => ({
  turns: 0,
  usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
  cost_usd: null,
  usage_complete: true,
  stop_cause: "completed",
  exhausted: false,
  ended_on_failed_call: false,
  tool_calls: 4,
  tool_errors: 0,
  tool_denied: 0,
  tool_staged: 0,
  malformed_tool_args: 0,
  blocked_sends: 0,
  compactions: 0,
  taint: { private: false, untrusted: false },
  ...parts,
});

describe("two scorecards on case passes", () => {
  it("make a verdict that names its files by their hashes and verifies", async () => {
    const document = await judged(
      cardOf(() => ({ passed: false })),
      cardOf(() => ({})),
    );
    expect(document.judgement).toMatchObject({
      disposition: "Accept",
      currency: "case_passes",
      selection: { wins: 15, losses: 0, ties: 0 },
      holdout: { wins: 9, losses: 0, ties: 0 },
      work_baseline: 24,
      prediction: null,
    });
    expect(document.arms.baseline.sha256).toMatch(/^[0-9a-f]{64}$/);
    expect(verifyDocument(documentText(document)).ok).toBe(true);
  });

  it("count attempted calls as work", async () => {
    const three = cardOf(() => ({ tools_called: ["a", "b", "a"] }));
    const one = cardOf(() => ({ tools_called: ["a"] }));
    expect((await judged(three, one)).judgement.reason).toBe("work_fell");
  });

  it("that tell no calls are judged without the work guardrail, and the page says so", async () => {
    const silent = (passed: boolean) => cardOf(() => ({ passed, tools_called: null }));
    const document = await judged(silent(false), silent(true));
    expect(document.judgement).toMatchObject({ disposition: "Accept", work_baseline: 0 });
    const view = viewOf(document);
    expect(view.work).toBeNull();
    expect(view.remarks[0]).toContain("24 of 24 scored episodes do not tell their tool calls");
  });

  it("of different k cannot be judged against each other", async () => {
    const twice = writeReport(aCard("x", { "case-0": "✓✓" }).report);
    expect(
      await problem(
        cardOf(() => ({})),
        twice,
      ),
    ).toBe("a.json ran its cases 1 time(s) and b.json 2: passing all of them is not the same in both");
  });

  it("without a case in common, or without any case, are refused", async () => {
    const other = writeReport(aCard("x", { other: "✓" }).report);
    expect(
      await problem(
        cardOf(() => ({})),
        other,
      ),
    ).toBe("a.json and b.json have no episode in common");
    expect(await problem(writeReport(aReport([])), other)).toBe("a.json: it has no cases");
  });

  it("that contradict their own checks are refused: either belief could rank wrongly", async () => {
    const checks = [{ name: "x", passed: false, detail: "" }];
    const liar = cardOf((_, i) => (i === 0 ? { checks } : {}));
    expect(
      await problem(
        cardOf(() => ({})),
        liar,
      ),
    ).toBe("b.json: case-0 (run 1) is graded against its own checks or error");
  });

  it("say what differs beside the change", async () => {
    const judge = (model: string) => ({ meta: { ...noMeta, judge: { provider: "p", model } } });
    const document = await judged(
      cardOf(() => ({}), judge("m")),
      cardOf(() => ({}), judge("n")),
    );
    expect(viewOf(document).remarks).toEqual(["the arms had different judges: p/m and p/n"]);
  });
});

describe("two scorecards on a predicted counter", () => {
  const predicted = { metric: "cut_short", predicted: true, made_at: "2026-11-29T00:00:00Z" } as const;
  const cut = cardOf(() => ({ stats: stats({ stop_cause: "max_turns" }) }));
  it("take it from the outcome rows, with case passes as the second guardrail", async () => {
    const kept = await judged(
      cut,
      cardOf(() => ({ stats: stats({}) })),
      predicted,
    );
    expect(kept.judgement).toMatchObject({
      disposition: "Accept",
      currency: "cut_short",
      prediction: "kept",
    });
    expect(kept.judgement.passes?.selection.ties).toBe(15);
    const broken = await judged(
      cut,
      cardOf((_, i) => ({ stats: stats({}), passed: i > 12 })),
      predicted,
    );
    expect(broken.judgement).toMatchObject({ reason: "cases_lost_on_selection", prediction: "kept" });
  });

  it("refuse a counter that a card does not tell", async () => {
    expect(
      await problem(
        cut,
        cardOf(() => ({})),
        predicted,
      ),
    ).toBe("b.json: it does not tell the cut_short of case-0, so that cannot be judged");
    const errors = { metric: "tool_error_rate", predicted: true } as const;
    expect(
      await problem(
        cardOf(() => ({})),
        cardOf(() => ({})),
        errors,
      ),
    ).toContain("tool_error_rate");
  });

  it("read turns from cards without outcome rows too", async () => {
    const document = await judged(
      cardOf(() => ({ turns: 9 })),
      cardOf(() => ({ turns: 4 })),
      { metric: "turns" },
    );
    expect(document.judgement).toMatchObject({ disposition: "Accept", prediction: null });
  });
});

describe("two files of episode lines", () => {
  const lines = (parts: Partial<Outcome>) =>
    ids.map((episode) => JSON.stringify({ episode, stats: { tool_calls: 4, ...parts } })).join("\n");
  const metric = "tool_error_rate" as const;

  it("are judged on the counter that is named", async () => {
    const document = await judged(lines({ tool_errors: 2 }), `\uFEFF${lines({ tool_errors: 1 })}\n\n`, {
      metric,
    });
    expect(document.judgement).toMatchObject({ disposition: "Accept", currency: metric, passes: null });
    expect(document.arms.baseline.cases).toBeNull();
    expect(verifyDocument(documentText(document)).ok).toBe(true);
  });

  it("a run without calls is neutral, so attempting nothing wins nothing", async () => {
    const document = await judged(lines({ tool_errors: 2 }), lines({ tool_calls: 0 }), { metric });
    expect(document.judgement.selection).toEqual({ wins: 0, losses: 0, ties: 15 });
    expect(document.judgement.reason).toBe("work_fell");
  });

  it("several lines of an episode are its runs, an error line one that did not finish", async () => {
    const repeated = `${lines({ turns: 3 })}\n${lines({ turns: 5 })}`;
    const errors = ids.map((episode) => JSON.stringify({ episode, error: "503" })).join("\n");
    const document = await judged(repeated, `${lines({ turns: 3 })}\n${errors}`, { metric: "turns" });
    expect(document.episodes[0]).toMatchObject({
      baseline: { runs: 2, errored: 0, values: [3, 5], cost: 4, work: 8 },
      candidate: { runs: 2, errored: 1, values: [3], cost: 3, work: 4 },
    });
    // Half the calls over half the runs is no less work.
    expect(document.judgement).toMatchObject({
      reason: "runs_errored",
      work_baseline: 192,
      work_candidate: 192,
    });
  });

  it("an error counts beside counters too: a run that died early does not win by them", async () => {
    const beside = (error: unknown) =>
      ids.map((episode) => JSON.stringify({ episode, stats: stats({ turns: 1 }), error })).join("\n");
    const died = await judged(lines({ turns: 9 }), beside("503"), { metric: "turns" });
    expect(died.judgement.reason).toBe("runs_errored");
    expect(died.episodes[0]).toMatchObject({ candidate: { errored: 1 }, outcome: null, left_out: "errored" });
    const unharmed = await judged(lines({ turns: 9 }), beside(null), { metric: "turns" });
    expect(unharmed.judgement.reason).toBe("measured");
  });

  it("an empty file is called so, and a scorecard of the wrong shape by its field", async () => {
    expect(await problem(" \n\n", lines({}), { metric: "turns" })).toBe("a.json: the file is empty");
    const odd = JSON.stringify({ scorecard: { model: "m", provider: "p", total: 1, passed: 1 }, cases: {} });
    expect(await problem(odd, odd)).toContain("a.json: cases: ");
  });

  it.each([
    ['{"episode":"a","stats":{"turns":-1}}', "b.json, line 1: stats.turns: "],
    ['{"episode":"a","stats":{"stop_cause":"end_turn"}}', "b.json, line 1: stats.stop_cause: "],
    ['{"episode":"a","stats":{}}\n{"episode":', "b.json, line 2: it is cut off"],
    ['{"episode":"","stats":{}}', "b.json, line 1: episode: "],
    ['{"episode":"\\ud800","stats":{}}', "b.json, line 1: episode: "],
    ["", "b.json: "],
    ["{", "b.json: it is cut off in the middle"],
    ["[1]", "b.json is JSON, but not a scorecard"],
    ['{"ab_config":[],"cases":[]}', "b.json is the result of a config A/B"],
  ])("%s is refused with its place", async (text, expected) => {
    expect(await problem(lines({}), text, { metric: "turns" })).toContain(expected);
  });

  it("need a metric, and not a scorecard on the other side", async () => {
    expect(await problem(lines({}), lines({}))).toContain("say with --metric");
    expect(
      await problem(
        lines({}),
        cardOf(() => ({})),
        { metric: "turns" },
      ),
    ).toContain("both have to be the same");
  });
});

describe("files that cannot be read", () => {
  it("are named with the reason", async () => {
    const a = put(
      "a.json",
      cardOf(() => ({})),
    );
    const gone = { place: path.join(folder, "gone.json"), name: "gone.json", label: "b" };
    expect(await judgeFiles(a, gone, options)).toEqual({
      ok: false,
      problem: "gone.json: there is no such file",
    });
    expect(await judgeFiles(a, { ...gone, place: folder }, options)).toMatchObject({
      problem: "gone.json: it is not a regular file",
    });
    expect(await judgeFiles(a, a, { ...options, holdout_in: 1 })).toMatchObject({ ok: false });
  });
});

describe.skipIf(!sharedDir)(`the shared A/B pairs${sharedDir ? "" : ` (${sharedMissing})`}`, () => {
  const load = (name: string) => {
    const text = readFileSync(path.join(sharedDir ?? "", `data/repeated-runs/tau2-ab-${name}.json`), "utf8");
    const result = importRows(text, { model: name, provider: null, pass_at: 1, created_at: null });
    if (!result.ok) throw new Error(result.problem);
    return writeReport(result.value.report);
  };

  it.each([
    ["airline", "measured", { wins: 4, losses: 1, ties: 7 }, { wins: 2, losses: 2, ties: 4 }, 148, 147],
    [
      "retail",
      "not_better_on_selection",
      { wins: 4, losses: 5, ties: 16 },
      { wins: 2, losses: 1, ties: 12 },
      299,
      292,
    ],
    [
      "telecom_default",
      "measured",
      { wins: 10, losses: 0, ties: 20 },
      { wins: 2, losses: 0, ties: 8 },
      207,
      656,
    ],
  ])(
    "%s: imported, judged, and made into a page",
    async (name, reason, selection, holdout, before, after) => {
      const parts = { change: "fine-tuned", change_class: "prose" } as const;
      const document = await judged(load(`${name}-base`), load(`${name}-sft`), parts);
      expect(document.judgement).toMatchObject({
        reason,
        selection,
        holdout,
        work_baseline: before,
        work_candidate: after,
      });
      expect(viewOf(document).left_out).toEqual([]);
      expect(verifyDocument(documentText(document)).ok).toBe(true);
      expect(verdictHtml(viewOf(document))).toContain("fine-tuned");
    },
  );
});
