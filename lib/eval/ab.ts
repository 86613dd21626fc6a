import type { Parsed } from "#lib/errors.ts";
import { assemble } from "#lib/verdict/assemble.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { armOfCard } from "./card-arm.ts";
import { casesOf, passedAll } from "./cases.ts";
import { type GateOptions, pairArms } from "./gate-arms.ts";
import { type CaseRun, callsOf, type Report } from "./scorecard.ts";

/** A case in both arms: did it pass all its runs, and how many calls did its runs attempt? */
export type AbCase = { id: string; was: boolean; now: boolean; work_a: number; work_b: number };

export type AbResult = {
  /** As they were given: `max_turns=40`. */
  overrides: string[];
  arm_a: { passed: number; total: number };
  arm_b: { passed: number; total: number };
  /** The cases that ran in both arms, in the order of the file. */
  cases: AbCase[];
  document: VerdictDocument;
};

/** Judges two arms of one pass. The arms are reports in memory: neither is a scorecard that could stand for its model. */
export function judgeArms(
  arms: { a: ArmReport; b: ArmReport },
  overrides: readonly string[],
  options: GateOptions,
): Parsed<AbResult> {
  const a = armOf(arms.a, options);
  if (!a.ok) return a;
  const b = armOf(arms.b, options);
  if (!b.ok) return b;
  const raw = pairArms(a.value, b.value, options);
  if (!raw.ok) return raw;
  const cases = abCases(arms.a.report.runs, arms.b.report.runs);
  return {
    ok: true,
    value: {
      overrides: [...overrides],
      arm_a: scoreOf(arms.a.report.runs),
      arm_b: scoreOf(arms.b.report.runs),
      cases,
      document: assemble(raw.value),
    },
  };
}

export type ArmReport = { label: string; report: Report };

function armOf({ label, report }: ArmReport, { metric }: GateOptions) {
  return armOfCard({ name: label, report }, metric, { label, sha256: null });
}

function scoreOf(runs: readonly CaseRun[]): { passed: number; total: number } {
  const cases = casesOf(runs);
  return { passed: cases.filter(passedAll).length, total: cases.length };
}

function abCases(a: readonly CaseRun[], b: readonly CaseRun[]): AbCase[] {
  const later = new Map(casesOf(b).map((one) => [one.id, one]));
  return casesOf(a).flatMap((one) => {
    const other = later.get(one.id);
    if (other === undefined) return [];
    return [
      {
        id: one.id,
        was: passedAll(one),
        now: passedAll(other),
        work_a: workOf(one.runs),
        work_b: workOf(other.runs),
      },
    ];
  });
}

function workOf(runs: readonly CaseRun[]): number {
  return runs.reduce((sum, run) => sum + (callsOf(run) ?? 0), 0);
}

/** The file that `--out` writes for two arms: a shape that no reader of scorecards can take for one. Keys by the alphabet. */
export function abJson({ overrides, arm_a, arm_b, cases, document }: AbResult): object {
  const { disposition, holdout, selection, work_baseline, work_candidate } = document.judgement;
  return {
    ab_config: overrides,
    arm_a,
    arm_b,
    cases,
    currency: document.currency,
    holdout_in: document.split.holdout_in,
    judgement: { disposition, holdout, selection, work_baseline, work_candidate },
    verdict: document.id,
  };
}
