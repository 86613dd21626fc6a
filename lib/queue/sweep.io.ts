import { and, eq, gt, inArray, isNull, lt, or } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experimentLog, experiments, jobs } from "#db/schema.ts";
import { DAY_MS } from "#lib/time.ts";
import { LONGEST_MS } from "./backoff.ts";
import { immediate } from "./immediate.io.ts";
import { LEASE_MOST_MS } from "./lease.ts";
import { judgeWhenAllEnded } from "./settle.io.ts";

/**
 * Housekeeping, safe to call at any time and from several processes: jobs and log lines of experiments that ended more
 * than `keepDays` ago go, as do ended jobs that belong to none; what experiments found stays. An experiment that runs
 * and has nothing left to run is due for its verdict. A wait that is longer than any can be was begun by a clock that has
 * been set back since, and ends.
 */
export function sweep(db: Db, now: number, keepDays = 30): void {
  const before = now - keepDays * DAY_MS;
  immediate(db, () => {
    const old = db
      .select({ id: experiments.id })
      .from(experiments)
      .where(
        and(inArray(experiments.state, ["done", "failed", "cancelled"]), lt(experiments.finishedAt, before)),
      );
    db.delete(jobs)
      .where(or(inArray(jobs.experimentId, old), and(isNull(jobs.experimentId), lt(jobs.finishedAt, before))))
      .run();
    db.delete(experimentLog).where(inArray(experimentLog.experimentId, old)).run();
    endImpossibleWaits(db, now);
    for (const { id } of db
      .select({ id: experiments.id })
      .from(experiments)
      .where(eq(experiments.state, "running"))
      .all())
      judgeWhenAllEnded(db, id, now);
  });
}

function endImpossibleWaits(db: Db, now: number): void {
  db.update(jobs)
    .set({ runAfter: now })
    .where(and(eq(jobs.state, "queued"), gt(jobs.runAfter, now + LONGEST_MS)))
    .run();
  db.update(jobs)
    .set({ leaseUntil: now })
    .where(and(eq(jobs.state, "running"), gt(jobs.leaseUntil, now + LEASE_MOST_MS)))
    .run();
}
