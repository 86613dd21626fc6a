import { readdirSync, rmSync } from "node:fs";
import path from "node:path";
import { and, eq, gt, inArray, isNull, lt, or } from "drizzle-orm";
import { among } from "#db/among.ts";
import type { Db } from "#db/client.ts";
import { immediate } from "#db/immediate.ts";
import { experimentLog, experiments, jobs } from "#db/schema.ts";
import { hasCode } from "#lib/errors.ts";
import { DAY_MS } from "#lib/time.ts";
import { LONGEST_MS } from "./backoff.ts";
import { experimentsDir } from "./experiments-dir.ts";
import { LEASE_MOST_MS } from "./lease.ts";
import { judgeWhenAllEnded } from "./settle.io.ts";

const KEEP_DAYS = 30;

/**
 * Housekeeping, safe to call at any time and from several processes: jobs and log lines of experiments that ended more
 * than `keepDays` ago go, as do ended jobs that belong to none; what experiments found stays. An experiment that runs
 * and has nothing left to run is due for its verdict. A wait that is longer than any can be was begun by a clock that has
 * been set back since, and ends.
 */
export function sweep(db: Db, now: number, keepDays = KEEP_DAYS): void {
  const before = now - keepDays * DAY_MS;
  immediate(db, () => {
    const old = db.select({ id: experiments.id }).from(experiments).where(endedBefore(before));
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

/**
 * Removes the transcripts of experiments that ended more than `keepDays` ago: what was measured stands in their results
 * and verdicts. Nothing else in that folder is touched.
 */
export function sweepTranscripts(db: Db, dataDir: string, now: number, keepDays = KEEP_DAYS): void {
  const folder = experimentsDir(dataDir);
  const old = db
    .select({ id: experiments.id })
    .from(experiments)
    .where(and(among(experiments.id, namesIn(folder)), endedBefore(now - keepDays * DAY_MS)))
    .all();
  for (const { id } of old) rmSync(path.join(folder, id), { recursive: true, force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    // No experiment has run yet.
    if (hasCode(error, "ENOENT")) return [];
    throw error;
  }
}

function endedBefore(before: number) {
  return and(inArray(experiments.state, ["done", "failed", "cancelled"]), lt(experiments.finishedAt, before));
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
