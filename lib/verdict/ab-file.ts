import { z } from "zod";
import type { Parsed } from "#lib/errors.ts";
import { dispositionOf, type Judgement, judge } from "#lib/gate/judge.ts";
import { reasonText } from "#lib/gate/reason-text.ts";
import { WORK_FLOOR } from "#lib/gate/rules.ts";
import { sliceOf } from "#lib/gate/split.ts";
import { knownJudgement, placed } from "./parse-document.ts";
import { type Disagreement, differences } from "./verify.ts";
import { type ArmView, slicesOf, textIn, type VerdictView } from "./view.ts";

const count = z.int().min(0);
const score = z.object({ passed: count, total: count });

/** `mecha eval --ab-config … -o FILE`. */
const configFile = z.object({
  ab_config: z.array(z.string()),
  arm_a: score,
  arm_b: score,
  cases: z.array(
    z.object({ id: z.string().min(1), was: z.boolean(), now: z.boolean(), work_a: count, work_b: count }),
  ),
  holdout_in: z.int().min(2),
  judgement: knownJudgement,
});
export type AbConfigFile = z.infer<typeof configFile>;

const arm = z.object({
  scorecard: z.object({ model: z.string(), provider: z.string(), passed: count, total: count }),
  cases: z.array(z.object({ id: z.string().min(1), passed: z.boolean() })),
});

/** `mecha eval --ab-rules -o FILE`. */
const rulesFile = z.object({
  ab_rules: z.literal(true),
  without_rules: arm,
  with_rules: arm,
  flips: z.array(z.object({ id: z.string(), without_rules: z.boolean(), with_rules: z.boolean() })),
});
export type AbRulesFile = z.infer<typeof rulesFile>;

export type AbFile = { kind: "ab_config"; file: AbConfigFile } | { kind: "ab_rules"; file: AbRulesFile };

/** Reads an A/B result of either shape. The problem names the place in the file. */
export function parseAbFile(value: unknown): Parsed<AbFile> {
  const isRules = typeof value === "object" && value !== null && "ab_rules" in value;
  if (isRules) {
    const parsed = rulesFile.safeParse(value);
    if (!parsed.success) return { ok: false, problem: placed(parsed.error) };
    return { ok: true, value: { kind: "ab_rules", file: parsed.data } };
  }
  const parsed = configFile.safeParse(value);
  if (!parsed.success) return { ok: false, problem: placed(parsed.error) };
  const doubled = firstDoubled(parsed.data.cases.map((one) => one.id));
  if (doubled !== null) return { ok: false, problem: `cases: ${JSON.stringify(doubled)} stands twice` };
  return { ok: true, value: { kind: "ab_config", file: parsed.data } };
}

/** An A/B result as a verdict's page shows it. What such files do not hold is unknown, and said. */
export function viewOfAbFile({ kind, file }: AbFile, name: string): VerdictView {
  return kind === "ab_config" ? configView(file, name) : rulesView(file, name);
}

/** What a config A/B states and its own cases do not give; empty when all of it follows. */
export function checkAbConfig(file: AbConfigFile): Disagreement[] {
  const again = judgementOf(file);
  const { disposition, ...numbers } = file.judgement;
  const recomputed = {
    outcome: dispositionOf(again.disposition),
    selection: again.selection,
    holdout: again.holdout,
    work_baseline: again.work_baseline,
    work_candidate: again.work_candidate,
  };
  return [
    // The sentence is each program's own; the word is not.
    ...differences({ outcome: dispositionOf(disposition), ...numbers }, recomputed, "judgement"),
    ...differences(file.arm_a, scoreOf(file, "was"), "arm_a"),
    ...differences(file.arm_b, scoreOf(file, "now"), "arm_b"),
  ];
}

function judgementOf({ cases, holdout_in }: AbConfigFile): Judgement {
  // Such a file does not tell which runs errored: all count as finished, and the page says that it is unknown.
  const runs = { scored: cases.length, errored: 0, not_scored: 0 };
  const cost = (passed: boolean) => (passed ? 0 : 1);
  return judge({
    change_class: "config",
    holdout_in,
    currency: "case_passes",
    baseline: {
      episodes: cases.map((one) => ({ episode: one.id, cost: cost(one.was), work: one.work_a })),
      runs,
    },
    candidate: {
      episodes: cases.map((one) => ({ episode: one.id, cost: cost(one.now), work: one.work_b })),
      runs,
    },
    passes: null,
    predicted: false,
  });
}

function scoreOf({ cases }: AbConfigFile, key: "was" | "now") {
  return { passed: cases.filter((one) => one[key]).length, total: cases.length };
}

function configView(file: AbConfigFile, name: string): VerdictView {
  const { judgement } = file;
  const again = judgementOf(file);
  const change = file.ab_config.join(" ");
  const outcome = dispositionOf(judgement.disposition);
  // A rule is named only where ours come to the same end: the file itself names none.
  const agreed = dispositionOf(again.disposition) === outcome ? again : null;
  const numbers = agreed?.rule.numbers ?? {};
  return {
    ...unknownView(armView("as configured", name, file.arm_a), armView(change, name, file.arm_b)),
    kind: "ab_config",
    outcome,
    reason: textIn(judgement.disposition) ?? (agreed && reasonText({ reason: agreed.reason, numbers })),
    rule: agreed && { name: agreed.reason, position: agreed.rule.position, of: agreed.rule.of },
    holdout_in: file.holdout_in,
    prediction: {
      change_class: "config",
      change,
      metric: null,
      rationale: null,
      made_at: null,
      kept: null,
    },
    slices: slicesOf(judgement),
    work: { baseline: judgement.work_baseline, candidate: judgement.work_candidate, floor: WORK_FLOOR },
    changed: file.cases.flatMap(({ id, was, now }) =>
      was === now ? [] : [{ id, change: changeOf(now), slice: sliceOf(id, file.holdout_in) }],
    ),
    paired: file.cases.length,
    flips: agreed?.flips ?? null,
    remarks: checkAbConfig(file).map(
      ({ where, stored, recomputed }) =>
        `${where} is ${stored} in the file, its own cases give ${recomputed}`,
    ),
    unknown: [
      "when it was measured and by what",
      "models and providers",
      "which runs errored or were not made",
      "cases that ran in one arm only",
      "whether anything was predicted",
    ],
  };
}

function rulesView(file: AbRulesFile, name: string): VerdictView {
  const { without_rules: a, with_rules: b } = file;
  const [before, after] = [a, b].map((one) => new Set(one.cases.map(({ id }) => id))) as [
    Set<string>,
    Set<string>,
  ];
  const only = (own: Set<string>, other: Set<string>, why: "baseline_only" | "candidate_only") =>
    [...own].filter((id) => !other.has(id)).map((id) => ({ id, why }));
  return {
    ...unknownView(
      armView("without learned rules", name, a.scorecard),
      armView("with learned rules", name, b.scorecard),
    ),
    kind: "ab_rules",
    changed: file.flips.flatMap(({ id, without_rules, with_rules }) =>
      without_rules === with_rules ? [] : [{ id, change: changeOf(with_rules), slice: null }],
    ),
    left_out: [...only(before, after, "baseline_only"), ...only(after, before, "candidate_only")],
    paired: [...before].filter((id) => after.has(id)).length,
    unknown: [
      "a judgement: this kind of A/B shows the flips and leaves the decision to its reader",
      "which cases were held out",
      "when it was measured and by what",
      "whether anything was predicted",
    ],
  };
}

function changeOf(now: boolean): "improved" | "regressed" {
  return now ? "improved" : "regressed";
}

function armView(label: string, name: string, { passed, total }: { passed: number; total: number }): ArmView {
  return { label, name, cases: { passed, total }, coverage: null, source: null };
}

/** A view with nothing known but its arms. */
function unknownView(baseline: ArmView, candidate: ArmView): VerdictView {
  return {
    id: null,
    kind: "verdict",
    outcome: null,
    reason: null,
    rule: null,
    created_at: null,
    made_by: null,
    currency: "case_passes",
    holdout_in: null,
    prediction: null,
    arms: { baseline, candidate },
    slices: null,
    passes: null,
    work: null,
    changed: [],
    left_out: null,
    paired: null,
    flips: null,
    remarks: [],
    unknown: [],
  };
}

function firstDoubled(ids: readonly string[]): string | null {
  const seen = new Set<string>();
  for (const id of ids) {
    if (seen.has(id)) return id;
    seen.add(id);
  }
  return null;
}
