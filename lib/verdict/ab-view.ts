import { dispositionOf } from "#lib/gate/judge.ts";
import { reasonText } from "#lib/gate/reason-text.ts";
import { WORK_FLOOR } from "#lib/gate/rules.ts";
import { sliceOf } from "#lib/gate/split.ts";
import { type AbConfigFile, type AbFile, type AbRulesFile, checkAbConfig, judgementOf } from "./ab-file.ts";
import { type ArmView, slicesOf, textIn, type VerdictView } from "./view.ts";

/** An A/B result as a verdict's page shows it. What such files do not hold is unknown, and said. */
export function viewOfAbFile({ kind, file }: AbFile, name: string): VerdictView {
  return kind === "ab_config" ? configView(file, name) : rulesView(file, name);
}

function configView(file: AbConfigFile, name: string): VerdictView {
  const { judgement } = file;
  const again = file.currency === "case_passes" ? judgementOf(file) : null;
  const change = file.ab_config.join(" ");
  const outcome = dispositionOf(judgement.disposition);
  // A rule is named only where ours come to the same end: the file itself names none.
  const agreed = again !== null && dispositionOf(again.disposition) === outcome ? again : null;
  const numbers = agreed?.rule.numbers ?? {};
  return {
    ...unknownView(armView("as configured", name, file.arm_a), armView(change, name, file.arm_b)),
    kind: "ab_config",
    currency: file.currency,
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
