import { and, asc, eq, gt, inArray, lt, lte, type SQL, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experiments, jobs } from "#db/schema.ts";

export type JobRow = typeof jobs.$inferSelect;

/** An experiment, or the jobs that belong to none: who is served next is decided between these. */
type Group = { id: string | null; running: number; limit: number; served: number };

/**
 * The next job that may run. Between experiments the one with the fewest runs in flight goes first, then the one whose
 * turn (`served`) is longest ago; within one the jobs come in their order. An experiment never has more case runs in
 * flight than it was asked for, over all workers.
 */
export function nextJob(db: Db, now: number, served: ReadonlyMap<string | null, number>): JobRow | null {
  for (const group of groupsOf(db, now, served)) {
    const full = group.running >= group.limit;
    const found = lapsedJob(db, group.id, now, full) ?? waitingJob(db, group.id, now, full);
    if (found !== undefined) return found;
  }
  return null;
}

function groupsOf(db: Db, now: number, served: ReadonlyMap<string | null, number>): Group[] {
  const active = db
    .select({ id: experiments.id, limit: sql<number>`json_extract(${experiments.request}, '$.concurrency')` })
    .from(experiments)
    .where(inArray(experiments.state, ["queued", "running"]))
    .orderBy(asc(experiments.createdAt), asc(experiments.id))
    .all();
  const running = new Map(
    db
      .select({ id: jobs.experimentId, n: sql<number>`count(*)` })
      .from(jobs)
      .where(and(eq(jobs.state, "running"), eq(jobs.kind, "case_run"), gt(jobs.leaseUntil, now)))
      .groupBy(jobs.experimentId)
      .all()
      .map(({ id, n }) => [id, n]),
  );
  return [{ id: null, limit: Number.MAX_SAFE_INTEGER }, ...active]
    .map((one) => ({ ...one, running: running.get(one.id) ?? 0, served: served.get(one.id) ?? 0 }))
    .sort((a, b) => a.running - b.running || a.served - b.served);
}

/** One whose worker is gone: its lease ran out. */
function lapsedJob(db: Db, experimentId: string | null, now: number, full: boolean): JobRow | undefined {
  return db
    .select()
    .from(jobs)
    .where(
      and(
        of(experimentId),
        eq(jobs.state, "running"),
        lte(jobs.leaseUntil, now),
        lt(jobs.attempts, jobs.attemptsMax),
        kinds(full),
      ),
    )
    .orderBy(asc(jobs.id))
    .limit(1)
    .get();
}

function waitingJob(db: Db, experimentId: string | null, now: number, full: boolean): JobRow | undefined {
  return db
    .select()
    .from(jobs)
    .where(and(of(experimentId), eq(jobs.state, "queued"), lte(jobs.runAfter, now), kinds(full)))
    .orderBy(asc(jobs.runAfter), asc(jobs.id))
    .limit(1)
    .get();
}

/** The `+` keeps SQLite from the index by experiment, in which every finished job would be looked at as well. */
function of(experimentId: string | null): SQL {
  return sql`+${jobs.experimentId} is ${experimentId}`;
}

function kinds(full: boolean): SQL | undefined {
  return full ? sql`${jobs.kind} <> 'case_run'` : undefined;
}
