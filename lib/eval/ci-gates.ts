import { percent } from "#lib/format.ts";
import type { Rate } from "#lib/rate.ts";
import { casesOf, isFlaky, passedAll } from "./cases.ts";
import type { CaseRun, Report } from "./scorecard.ts";

/** What a pipeline asks of a report. `null`: not asked. */
export type CiGates = {
  /** How often every case was to be run. */
  runsPerCase: number;
  /** Share of the cases that have to pass all their runs, 0 to 1. */
  minPass: number | null;
  /** Most cases that may pass in some runs and fail in others. */
  maxFlaky: number | null;
  /** An earlier report: no case that passed there may fail here. */
  baseline: Report | null;
};

/**
 * What of it does not hold, one line each; empty when all does. A case that was not run, or whose runs are fewer than the
 * rest's, has not passed: it counts in the denominator, or a pass that measured less would look better.
 */
export function ciProblems(
  report: Pick<Report, "runs" | "meta">,
  { runsPerCase, minPass, maxFlaky, baseline }: CiGates,
): string[] {
  const cases = casesOf(report.runs);
  const passed = cases.filter((one) => one.runs.length >= runsPerCase && passedAll(one));
  const rate: Rate = { hits: passed.length, of: cases.length + report.meta.not_scored.length };
  const flaky = cases.filter(isFlaky).map((one) => one.id);
  const problems: string[] = [];
  if (minPass !== null && !atLeast(rate, minPass))
    problems.push(
      `${rate.hits} of ${rate.of} cases passed (${percent(rate, 1)}), below --min-pass ${minPass}`,
    );
  if (maxFlaky !== null && flaky.length > maxFlaky)
    problems.push(`${flaky.length} flaky case(s), more than --max-flaky ${maxFlaky}: ${named(flaky)}`);
  if (baseline !== null) {
    const { worse, unknown } = regressions(baseline.runs, report, runsPerCase);
    if (worse.length > 0)
      problems.push(`${worse.length} case(s) passed in the baseline and do not pass now: ${named(worse)}`);
    if (unknown.length > 0)
      problems.push(
        `${unknown.length} case(s) passed in the baseline and were not run now: ${named(unknown)}`,
      );
  }
  return problems;
}

function atLeast({ hits, of }: Rate, share: number): boolean {
  return of > 0 && hits >= share * of;
}

/**
 * Ids that passed all runs before and do not now. A case that could not be run, or not as often as the rest, may have
 * become worse for all anybody knows; one that the set no longer has is neither.
 */
function regressions(
  before: readonly CaseRun[],
  { runs, meta }: Pick<Report, "runs" | "meta">,
  runsPerCase: number,
): { worse: string[]; unknown: string[] } {
  const good = new Set(
    casesOf(before)
      .filter(passedAll)
      .map((one) => one.id),
  );
  const now = casesOf(runs).filter(({ id }) => good.has(id));
  const thin = now.filter((one) => passedAll(one) && one.runs.length < runsPerCase);
  const left = meta.not_scored.filter(({ id }) => good.has(id));
  return {
    worse: now.filter((one) => !passedAll(one)).map(({ id }) => id),
    unknown: [...left, ...thin].map(({ id }) => id),
  };
}

function named(ids: readonly string[]): string {
  const some = ids.slice(0, 10).join(", ");
  return ids.length > 10 ? `${some} and ${ids.length - 10} more` : some;
}
