import { and, desc, eq, lt, or, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { caseResults, experiments, jobs } from "#db/schema.ts";
import { COST_METRICS } from "#lib/gate/metrics.ts";
import type { ArmProgress, ExperimentRequest, ExperimentView } from "./experiment.ts";
import { storedRequest } from "./stored-request.ts";
import { LATEST, msLeft } from "./time-left.ts";

type Row = typeof experiments.$inferSelect;

/** One experiment; null when there is none of that id. */
export function experimentView(db: Db, id: string): ExperimentView | null {
  const row = db.select().from(experiments).where(eq(experiments.id, id)).get();
  return row === undefined ? null : viewOf(db, row);
}

/** Experiments, newest first. `before`: the last one of the page before. */
export function listExperiments(
  db: Db,
  { limit, before }: { limit: number; before?: { createdAt: number; id: string } },
): ExperimentView[] {
  return db
    .select()
    .from(experiments)
    .where(
      before &&
        or(
          lt(experiments.createdAt, before.createdAt),
          and(eq(experiments.createdAt, before.createdAt), lt(experiments.id, before.id)),
        ),
    )
    .orderBy(desc(experiments.createdAt), desc(experiments.id))
    .limit(limit)
    .all()
    .map((row) => viewOf(db, row));
}

function viewOf(db: Db, row: Row): ExperimentView {
  const arms = row.jobs === null ? null : armsOf(db, row.id, row.jobs / 2);
  const request = storedRequest(row.request);
  return {
    id: row.id,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    startedAt: row.startedAt,
    finishedAt: row.finishedAt,
    state: row.state,
    request: request ?? whatIsLeft(row),
    arms,
    msLeft: arms === null || row.state !== "running" ? null : leftOf(db, row, arms),
    problem: row.problem ?? (request === null ? "what was asked for is damaged in the database" : null),
    swept: row.finishedAt !== null && isSwept(db, row.id),
    verdictId: row.verdictId,
  };
}

/** Jobs stand from the moment an experiment is asked for until housekeeping takes them. */
function isSwept(db: Db, id: string): boolean {
  return db.select({ id: jobs.id }).from(jobs).where(eq(jobs.experimentId, id)).limit(1).get() === undefined;
}

/** Of a damaged request, what stands in columns of its own: one bad row must not hide the others. */
function whatIsLeft(row: Row): ExperimentRequest {
  return {
    overrides: row.change.split(" ").filter((one) => one !== ""),
    changeClass: row.changeClass,
    metric: COST_METRICS.find((one) => one === row.metric) ?? null,
    rationale: row.rationale,
    holdoutIn: row.holdoutIn,
    proposalId: row.proposalId,
    provider: null,
    model: null,
    casesFile: "",
    tags: [],
    runsPerCase: 1,
    concurrency: 1,
    judge: { provider: null, model: null },
    mcpFile: null,
  };
}

function armsOf(db: Db, id: string, total: number): { a: ArmProgress; b: ArmProgress } {
  const rows = db
    .select({
      arm: caseResults.arm,
      done: sql<number>`count(*)`,
      failing: sql<number>`sum(not ${caseResults.passed} and not ${caseResults.errored})`,
      errored: sql<number>`sum(${caseResults.errored})`,
    })
    .from(caseResults)
    .where(eq(caseResults.experimentId, id))
    .groupBy(caseResults.arm)
    .all();
  const of = (key: string): ArmProgress => {
    const { done = 0, failing = 0, errored = 0 } = rows.find((row) => row.arm === key) ?? {};
    return { total, done, failing, errored };
  };
  return { a: of("a"), b: of("b") };
}

function leftOf(db: Db, row: Row, { a, b }: { a: ArmProgress; b: ArmProgress }): number | null {
  const ends = db
    .select({ at: caseResults.finishedAt })
    .from(caseResults)
    .where(eq(caseResults.experimentId, row.id))
    .orderBy(desc(caseResults.finishedAt))
    .limit(LATEST)
    .all()
    .map(({ at }) => at);
  return msLeft(a.total + b.total - a.done - b.done, { startedAt: row.startedAt, ends });
}
