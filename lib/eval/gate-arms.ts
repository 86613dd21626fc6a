import type { Parsed } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import type { CostMetric } from "#lib/gate/metrics.ts";
import type { ChangeClass } from "#lib/gate/rules.ts";
import { mended } from "#lib/utf8.ts";
import type { RawVerdict } from "#lib/verdict/document.ts";
import type { ArmInput } from "./card-arm.ts";

export type GateOptions = {
  change_class: ChangeClass;
  /** What was changed, where somebody says so. */
  change: string | null;
  /** The counter that is judged; null judges case passes. */
  metric: CostMetric | null;
  /** Whether a lower `metric` was predicted before measuring; then case passes stand guard beside it. */
  predicted: boolean;
  rationale: string | null;
  /** RFC 3339: when the prediction was made. */
  made_at: string | null;
  holdout_in: number;
  /** RFC 3339: now. */
  created_at: string;
  /** Program and version. */
  made_by: string;
};

/** Two arms as what a verdict is worked out of; or, in one line, why they cannot be judged against each other. */
export function pairArms(baseline: ArmInput, candidate: ArmInput, options: GateOptions): Parsed<RawVerdict> {
  const { metric, holdout_in } = options;
  if (!Number.isSafeInteger(holdout_in) || holdout_in < 2) {
    return {
      ok: false,
      problem: `one in ${holdout_in} cannot be held out: write a whole number of 2 or more`,
    };
  }
  const problem = unlike(baseline, candidate, metric);
  if (problem !== null) return { ok: false, problem };
  const ids = [...new Set([...baseline.cells.keys(), ...candidate.cells.keys()])];
  return {
    ok: true,
    value: {
      created_at: options.created_at,
      made_by: options.made_by,
      currency: metric ?? "case_passes",
      holdout_in,
      prediction: {
        change_class: options.change_class,
        change: options.change && mended(options.change),
        metric: options.predicted ? metric : null,
        rationale: options.rationale && mended(options.rationale),
        made_at: options.made_at,
      },
      arms: { baseline: baseline.source, candidate: candidate.source },
      episodes: ids.map((episode) => ({
        episode,
        baseline: baseline.cells.get(episode) ?? null,
        candidate: candidate.cells.get(episode) ?? null,
      })),
    },
  };
}

function unlike(baseline: ArmInput, candidate: ArmInput, metric: CostMetric | null): string | null {
  const [a, b] = [baseline, candidate].map(({ source }) => visible(source.name ?? source.label));
  if (![...baseline.cells.keys()].some((id) => candidate.cells.has(id))) {
    return `${a} and ${b} have no episode in common`;
  }
  const [ka, kb] = [baseline.source.runs_per_case, candidate.source.runs_per_case];
  if (metric === null && ka !== kb) {
    return `${a} ran its cases ${ka} time(s) and ${b} ${kb}: passing all of them is not the same in both`;
  }
  return null;
}
