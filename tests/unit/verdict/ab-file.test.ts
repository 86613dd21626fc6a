import { describe, expect, it } from "vitest";
import { checkAbConfig, parseAbFile } from "#lib/verdict/ab-file.ts";
import { viewOfAbFile } from "#lib/verdict/ab-view.ts";
import { verdictHtml } from "#lib/verdict/html.ts";
import { verdictMarkdown } from "#lib/verdict/markdown.ts";
import { verdictText } from "#lib/verdict/text.ts";
import { idsOn } from "./raw.ts";

const ids = idsOn(8, 4);
const configFile = (parts: object = {}) => ({
  ab_config: ["max_turns=40"],
  arm_a: { passed: 11, total: 12 },
  arm_b: { passed: 12, total: 12 },
  cases: ids.map((id) => ({ id, was: id !== "case-1", now: true, work_a: 2, work_b: 3 })),
  holdout_in: 3,
  judgement: {
    disposition: "Accept",
    holdout: { losses: 0, ties: 4, wins: 0 },
    selection: { losses: 0, ties: 7, wins: 1 },
    work_baseline: 24,
    work_candidate: 36,
  },
  ...parts,
});
const card = (passed: Record<string, boolean>) => ({
  scorecard: { model: "m", provider: "p", passed: Object.values(passed).filter(Boolean).length, total: 3 },
  cases: Object.entries(passed).map(([id, ok]) => ({ id, passed: ok })),
});
const rulesFile = {
  ab_rules: true,
  without_rules: card({ a: true, b: false, c: true }),
  with_rules: card({ a: true, b: true, d: false }),
  flips: [
    { id: "b", without_rules: false, with_rules: true },
    { id: "a", without_rules: true, with_rules: true },
  ],
};
const read = (value: unknown) => {
  const parsed = parseAbFile(value);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.value;
};
const viewed = (value: unknown) => viewOfAbFile(read(value), "results/ab.json");

describe("a config A/B of the eval rig", () => {
  it("is shown like a verdict, and what it lacks as unknown", () => {
    const view = viewed(configFile());
    expect(view).toMatchObject({
      id: null,
      outcome: "accept",
      rule: { name: "measured" },
      prediction: { change: "max_turns=40", kept: null },
      changed: [{ id: "case-1", change: "improved", slice: "selection" }],
      work: { baseline: 24, candidate: 36 },
      left_out: null,
      remarks: [],
    });
    expect(view.arms.baseline).toMatchObject({
      cases: { passed: 11, total: 12 },
      coverage: null,
      source: null,
    });
    expect(view.unknown).toContain("which runs errored or were not made");
    const out = verdictText(view);
    expect(out).toContain(
      "── config A/B ──\narm A (as configured): 11/12 cases\narm B (max_turns=40): 12/12 cases",
    );
    expect(out).toContain("unknown in this file");
    expect(out).not.toContain("re-check");
  });

  it("follows from its own cases, or the difference is named", () => {
    const good = read(configFile());
    expect(good.kind === "ab_config" && checkAbConfig(good.file)).toEqual([]);
    const forged = configFile({ arm_b: { passed: 10, total: 12 } });
    forged.judgement.selection.wins = 2;
    expect(viewed(forged).remarks).toEqual([
      "judgement.selection.wins is 2 in the file, its own cases give 1",
      "arm_b.passed is 10 in the file, its own cases give 12",
    ]);
  });

  it("that judged a counter of the runs is not judged again over its case passes; its scores still follow", () => {
    const judgement = { ...configFile().judgement, selection: { losses: 1, ties: 2, wins: 5 } };
    const view = viewed(configFile({ currency: "turns", judgement, arm_b: { passed: 10, total: 12 } }));
    expect(view).toMatchObject({ currency: "turns", outcome: "accept", rule: null, flips: null });
    expect(view.remarks).toEqual(["arm_b.passed is 10 in the file, its own cases give 12"]);
  });

  it("keeps the outcome it states, also where ours would be another", () => {
    const judgement = { ...configFile().judgement, disposition: { Reject: "their words" } };
    const view = viewed(configFile({ judgement }));
    expect(view).toMatchObject({ outcome: "reject", reason: "their words", rule: null, flips: null });
    expect(view.remarks).toEqual(['judgement.outcome is "reject" in the file, its own cases give "accept"']);
  });

  it("of the smallest known sample is read", () => {
    const sample =
      '{"ab_config":["max_turns=40"],"arm_a":{"passed":30,"total":36},"arm_b":{"passed":33,"total":36},"cases":[{"id":"config-port","now":true,"was":false,"work_a":2,"work_b":2}],"holdout_in":3,"judgement":{"disposition":"Accept","holdout":{"losses":0,"ties":10,"wins":1},"selection":{"losses":0,"ties":23,"wins":2},"work_baseline":310,"work_candidate":318}}';
    expect(viewed(JSON.parse(sample)).slices?.[0]?.tally).toEqual({ wins: 2, losses: 0, ties: 23 });
  });
});

describe("a rules A/B of the eval rig", () => {
  it("was never judged, and says so; its flips and lone cases are shown", () => {
    const view = viewed(rulesFile);
    expect(view).toMatchObject({
      kind: "ab_rules",
      outcome: null,
      slices: null,
      work: null,
      paired: 2,
      changed: [{ id: "b", change: "improved", slice: null }],
      left_out: [
        { id: "c", why: "baseline_only" },
        { id: "d", why: "candidate_only" },
      ],
    });
    expect(verdictText(view)).toContain("— NOT JUDGED   with learned rules against without learned rules");
    expect(verdictText(view)).toContain("selection and holdout: unknown");
    expect(verdictHtml(view)).toContain("Nobody judged it");
    expect(verdictMarkdown(view)).toContain("Not judged.");
  });
});

describe("a file that is wrong somewhere is refused with its place", () => {
  it.each([
    ["null", null, "the file"],
    [
      "a negative amount of work",
      configFile({ cases: [{ id: "a", was: true, now: true, work_a: -1, work_b: 0 }] }),
      "cases[0].work_a",
    ],
    ["a holdout of everything", configFile({ holdout_in: 1 }), "holdout_in"],
    [
      "a case twice",
      configFile({ cases: [...configFile().cases, ...configFile().cases] }),
      '"case-0" stands twice',
    ],
    [
      "an unknown disposition",
      configFile({ judgement: { ...configFile().judgement, disposition: "accept" } }),
      "judgement.disposition",
    ],
    ["an arm without cases", { ...rulesFile, with_rules: {} }, "with_rules"],
  ])("%s", (_, value, place) => {
    const parsed = parseAbFile(value);
    expect(parsed.ok ? "" : parsed.problem).toContain(place);
  });
});
