import type { Parsed } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import type { CostMetric } from "#lib/gate/metrics.ts";
import { mended } from "#lib/utf8.ts";
import type { ArmSource, RawCell } from "#lib/verdict/document.ts";
import { type CaseResult, casesOf } from "./cases.ts";
import { coverageOf } from "./head.ts";
import { doubtsOf } from "./head-check.ts";
import { runCost } from "./run-cost.ts";
import { type Card, type CaseRun, callsOf } from "./scorecard.ts";

/** One arm of a comparison, ready to be judged. */
export type ArmInput = { source: ArmSource; cells: Map<string, RawCell> };

/**
 * A scorecard as an arm: of case passes, or with a metric of that counter of its runs. A card that contradicts its own
 * grades is refused: whichever of the two were believed, the rank could be the wrong one.
 */
export function armOfCard(
  card: Card,
  metric: CostMetric | null,
  { label, sha256 }: { label: string; sha256: string | null },
): Parsed<ArmInput> {
  const name = visible(card.name);
  const { contradictions } = doubtsOf(card.report);
  if (contradictions.length > 0) {
    const first = visible(contradictions[0] ?? "");
    return { ok: false, problem: `${name}: ${first} is graded against its own checks or error` };
  }
  const cells = new Map<string, RawCell>();
  for (const one of casesOf(card.report.runs)) {
    const cell = metric === null ? passCell(one) : counterCell(one, metric);
    if (cell === null) {
      return {
        ok: false,
        problem: `${name}: it does not tell the ${metric} of ${visible(one.id)}, so that cannot be judged`,
      };
    }
    cells.set(one.id, cell);
  }
  if (cells.size === 0) return { ok: false, problem: `${name}: it has no cases` };
  return { ok: true, value: { source: sourceOf(card, label, sha256), cells } };
}

function passCell({ runs, passes }: CaseResult): RawCell {
  return { runs: runs.length, errored: erroredIn(runs), passed: passes, values: null, work: workOf(runs) };
}

function counterCell({ runs, passes }: CaseResult, metric: CostMetric): RawCell | null {
  const finished = runs.filter((run) => run.error === null);
  const values: (number | null)[] = [];
  for (const run of finished) {
    const cost = runCost(run, metric);
    if (!cost.known) return null;
    values.push(cost.cost);
  }
  return { runs: runs.length, errored: erroredIn(runs), passed: passes, values, work: workOf(finished) };
}

function erroredIn(runs: readonly CaseRun[]): number {
  return runs.filter((run) => run.error !== null).length;
}

/** Attempted calls over the runs; null when one of them does not tell. An errored run that tells nothing made none. */
function workOf(runs: readonly CaseRun[]): number | null {
  let work = 0;
  for (const run of runs) {
    const calls = callsOf(run);
    if (calls === null && run.error === null) return null;
    work += calls ?? 0;
  }
  return work;
}

function sourceOf({ name, report }: Card, label: string, sha256: string | null): ArmSource {
  const { meta } = report;
  return {
    label: mended(label),
    name: mended(name),
    sha256,
    model: mended(report.model),
    provider: mended(report.provider),
    runs_per_case: casesOf(report.runs).reduce((most, one) => Math.max(most, one.runs.length), 1),
    case_set_sha256: meta.case_set_sha256 && mended(meta.case_set_sha256),
    fixture_sha256: meta.fixture_sha256 && mended(meta.fixture_sha256),
    judge: meta.judge && { provider: mended(meta.judge.provider), model: mended(meta.judge.model) },
    grader_version: meta.grader_version && mended(meta.grader_version),
    sandbox: meta.sandbox && mended(meta.sandbox),
    seed: meta.seed,
    concurrency: meta.concurrency,
    created_at: meta.created_at && mended(meta.created_at),
    partial: meta.partial,
    not_scored: coverageOf(report).not_scored,
  };
}
