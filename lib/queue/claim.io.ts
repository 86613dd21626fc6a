import { and, asc, eq, gt, inArray, lte, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experiments, jobs } from "#db/schema.ts";
import { perHandle } from "./per-handle.io.ts";

export type JobRow = typeof jobs.$inferSelect;

/** An experiment, or the jobs that belong to none: who is served next is decided between these. */
type Group = { id: string | null; running: number; limit: number; served: number };

const LAPSED_MAX = 200;

/** A job whose worker was lost so often may be what takes workers down. */
const UNSUSPECTED_LOSSES = 2;

/** One where the request is damaged: that experiment fails by itself, and the queue is there for the others. */
const LIMIT = sql<number>`coalesce(
  case when json_valid(${experiments.request}) then json_extract(${experiments.request}, '$.concurrency') end, 1)`;

const statements = perHandle((db: Db) => ({
  active: db
    .select({ id: experiments.id, limit: LIMIT })
    .from(experiments)
    .where(inArray(experiments.state, ["queued", "running"]))
    .orderBy(asc(experiments.createdAt), asc(experiments.id))
    .prepare(),
  running: db
    .select({ id: jobs.experimentId, n: sql<number>`count(*)` })
    .from(jobs)
    .where(
      and(eq(jobs.state, "running"), eq(jobs.kind, "case_run"), gt(jobs.leaseUntil, sql.placeholder("now"))),
    )
    .groupBy(jobs.experimentId)
    .prepare(),
  suspect: db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.state, "running"),
        gt(jobs.leaseUntil, sql.placeholder("now")),
        gt(jobs.attempts, UNSUSPECTED_LOSSES),
      ),
    )
    .limit(1)
    .prepare(),
  lapsed: db
    .select()
    .from(jobs)
    .where(and(eq(jobs.state, "running"), lte(jobs.leaseUntil, sql.placeholder("now"))))
    .orderBy(asc(jobs.id))
    .limit(LAPSED_MAX)
    .prepare(),
  waiting: db
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.state, "queued"),
        lte(jobs.runAfter, sql.placeholder("now")),
        // The `+` keeps SQLite from the index by experiment, in which every finished job would be looked at as well.
        sql`+${jobs.experimentId} is ${sql.placeholder("experiment")}`,
        sql`${jobs.kind} <> ${sql.placeholder("butNot")}`,
      ),
    )
    .orderBy(asc(jobs.runAfter), asc(jobs.id))
    .limit(1)
    .prepare(),
}));

/** Jobs whose worker is gone: their leases ran out. */
export function lapsedJobs(db: Db, now: number): JobRow[] {
  return statements(db).lapsed.all({ now });
}

/**
 * The next job that may run: one of the `lapsed`, or one that waits. Between experiments the one with the fewest runs in
 * flight goes first, then the one whose turn (`served`) is longest ago; within one the jobs come in their order. An
 * experiment never has more case runs in flight than it was asked for, over all workers. Of the lapsed ones that may be
 * what took their workers down, one at a time is tried: beside it the others would use up their attempts as well.
 */
export function nextJob(
  db: Db,
  now: number,
  lapsed: readonly JobRow[],
  served: ReadonlyMap<string | null, number>,
): JobRow | null {
  const one = lapsed.some(isSuspect) && statements(db).suspect.get({ now }) !== undefined;
  const free = one ? lapsed.filter((row) => !isSuspect(row)) : lapsed;
  for (const group of groupsOf(db, now, served)) {
    const butNot = group.running >= group.limit ? "case_run" : "";
    const found =
      free.find(({ experimentId, kind }) => experimentId === group.id && kind !== butNot) ??
      statements(db).waiting.get({ now, experiment: group.id, butNot });
    if (found !== undefined) return found;
  }
  return null;
}

function isSuspect({ attempts }: JobRow): boolean {
  return attempts >= UNSUSPECTED_LOSSES;
}

function groupsOf(db: Db, now: number, served: ReadonlyMap<string | null, number>): Group[] {
  const { active, running } = statements(db);
  const counts = new Map(running.all({ now }).map(({ id, n }) => [id, n]));
  return [{ id: null, limit: Number.MAX_SAFE_INTEGER }, ...active.all()]
    .map((one) => ({ ...one, running: counts.get(one.id) ?? 0, served: served.get(one.id) ?? 0 }))
    .sort((a, b) => a.running - b.running || a.served - b.served);
}
