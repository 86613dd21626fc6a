import type { Parsed } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { assemble } from "#lib/verdict/assemble.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { armOfCard } from "./card-arm.ts";
import { casesOf, passedAll, scoreOf } from "./cases.ts";
import { type GateOptions, pairArms } from "./gate-arms.ts";
import type { Prediction } from "./prediction.ts";
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

/** What two arms are judged by. */
export type AbTerms = Pick<GateOptions, "holdout_in" | "created_at" | "made_by"> & {
  /** What arm B has and arm A has not. */
  overrides: readonly string[];
  /** What was said before the first run; null: nothing was. */
  prediction: Omit<Prediction, "proposal"> | null;
};

/**
 * Judges two arms of one pass, whoever ran it. The arms are reports in memory: neither is a scorecard that could stand
 * for its model. A problem where an arm has nothing to judge, as when each of its runs ended in an error.
 */
export function judgeArms(arms: { a: ArmReport; b: ArmReport }, terms: AbTerms): Parsed<AbResult> {
  const problem = nothingMeasured(arms.a) ?? nothingMeasured(arms.b);
  if (problem !== null) return { ok: false, problem };
  const options = optionsOf(terms);
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
      overrides: [...terms.overrides],
      arm_a: scoreOf(arms.a.report.runs),
      arm_b: scoreOf(arms.b.report.runs),
      cases,
      document: assemble(raw.value),
    },
  };
}

export type ArmReport = { label: string; report: Report };

function nothingMeasured({ label, report: { runs } }: ArmReport): string | null {
  const first = runs[0]?.error ?? null;
  if (first === null || runs.some((run) => run.error === null)) return null;
  return `every run of the arm "${label}" ended in an error: nothing was measured; the first: ${visible(first)}`;
}

function optionsOf({ overrides, prediction, holdout_in, created_at, made_by }: AbTerms): GateOptions {
  const metric = prediction?.metric ?? null;
  return {
    change_class: prediction?.class ?? "config",
    change: overrides.join(" "),
    metric,
    predicted: metric !== null,
    rationale: prediction?.because ?? null,
    made_at: prediction?.made_at ?? null,
    holdout_in,
    created_at,
    made_by,
  };
}

function armOf({ label, report }: ArmReport, { metric }: GateOptions) {
  return armOfCard({ name: label, report }, metric, { label, sha256: null });
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
