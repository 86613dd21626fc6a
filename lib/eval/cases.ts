import type { CaseRun } from "./scorecard.ts";

/** All runs of one case. */
export type CaseResult = {
  id: string;
  /** Tags of any of its runs, in first-seen order. */
  tags: string[];
  /** By run number. */
  runs: CaseRun[];
  /** How many of the runs passed. */
  passes: number;
};

/** Groups runs into cases, in the order in which the cases first appear. */
export function casesOf(runs: readonly CaseRun[]): CaseResult[] {
  const cases = new Map<string, CaseResult>();
  for (const run of runs) {
    const known = cases.get(run.id);
    const one = known ?? { id: run.id, tags: [], runs: [], passes: 0 };
    if (!known) cases.set(run.id, one);
    one.runs.push(run);
    if (run.passed) one.passes += 1;
    for (const tag of run.tags) if (!one.tags.includes(tag)) one.tags.push(tag);
  }
  for (const one of cases.values()) one.runs.sort((a, b) => a.run - b.run);
  return [...cases.values()];
}

/** Passed every run: one failure in five is a failure. */
export function passedAll(one: CaseResult): boolean {
  return one.passes === one.runs.length;
}

/** Cases that passed all their runs, of all that ran. */
export function scoreOf(runs: readonly CaseRun[]): { passed: number; total: number } {
  const cases = casesOf(runs);
  return { passed: cases.filter(passedAll).length, total: cases.length };
}

/** Some but not all runs passed. */
export function isFlaky(one: CaseResult): boolean {
  return one.passes > 0 && one.passes < one.runs.length;
}
