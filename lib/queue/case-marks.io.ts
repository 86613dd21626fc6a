import { and, asc, eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { caseResults, jobs } from "#db/schema.ts";

/** One case run: waits, is at work, passed, failed its checks, or ended in an error. */
export type RunMark = "waiting" | "running" | "passed" | "failed" | "errored";

/** A case in both arms, its runs in their order. */
export type CaseMarks = { caseId: string; a: RunMark[]; b: RunMark[] };

/**
 * How far each case of an experiment has come, in the order in which the cases are run: the first `limit` of `of` cases.
 * Where the jobs are gone after their time, the results alone tell, in the order of the ids.
 */
export function caseMarks(db: Db, experimentId: string, limit: number): { cases: CaseMarks[]; of: number } {
  const cases = new Map<string, CaseMarks>();
  const mark = (arm: string, caseId: string, run: number, what: RunMark): void => {
    const one = cases.get(caseId) ?? { caseId, a: [], b: [] };
    cases.set(caseId, one);
    // Runs are counted from 1.
    one[arm === "b" ? "b" : "a"][Math.max(0, run - 1)] = what;
  };
  for (const { arm, caseId, run, state } of jobRows(db, experimentId))
    mark(arm, caseId, run, state === "running" ? "running" : "waiting");
  for (const { arm, caseId, run, passed, errored } of resultRows(db, experimentId))
    mark(arm, caseId, run, errored ? "errored" : passed ? "passed" : "failed");
  const all = [...cases.values()];
  return { cases: all.slice(0, limit).map(withoutHoles), of: all.length };
}

function jobRows(db: Db, experimentId: string) {
  return db
    .select({ arm: jobs.arm, caseId: jobs.caseId, run: jobs.run, state: jobs.state })
    .from(jobs)
    .where(and(eq(jobs.experimentId, experimentId), eq(jobs.kind, "case_run")))
    .orderBy(asc(jobs.id))
    .all();
}

function resultRows(db: Db, experimentId: string) {
  const { arm, caseId, run, passed, errored } = caseResults;
  return db
    .select({ arm, caseId, run, passed, errored })
    .from(caseResults)
    .where(eq(caseResults.experimentId, experimentId))
    .orderBy(asc(caseId), asc(run))
    .all();
}

function withoutHoles({ caseId, a, b }: CaseMarks): CaseMarks {
  return { caseId, a: Array.from(a, (one) => one ?? "waiting"), b: Array.from(b, (one) => one ?? "waiting") };
}
