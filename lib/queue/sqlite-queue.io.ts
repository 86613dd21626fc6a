import { randomUUID } from "node:crypto";
import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { immediate } from "#db/immediate.ts";
import { jobs } from "#db/schema.ts";
import { backoffMs } from "./backoff.ts";
import { type JobRow, lapsedJobs, nextJob } from "./claim.io.ts";
import { addLog } from "./log.io.ts";
import { patiently } from "./patiently.io.ts";
import { perHandle } from "./per-handle.io.ts";
import type { Claim, Job, NewJob, Queue } from "./queue.ts";
import { giveUp, insertJobs, OPEN, payloadOf, store } from "./settle.io.ts";

/**
 * The queue in our own database. `open` gives the handle anew each time: a file that was replaced must not be worked on.
 * Every operation is one transaction that has the write lock from its start, so any number of processes may share it.
 */
export function sqliteQueue(open: () => Db): Queue {
  const served = new Map<string | null, number>();
  let turn = 0;
  const write = <T>(work: (db: Db) => T): Promise<T> =>
    patiently(() => {
      const db = open();
      return immediate(db, () => work(db));
    });
  const withLease = (claim: Claim, use: (db: Db, row: JobRow) => void): Promise<boolean> =>
    write((db) => {
      const row = leased(db, claim);
      if (row === undefined) return false;
      use(db, row);
      return true;
    });
  return {
    enqueue: (list, now) => write((db) => insertJobs(db, list, now)),
    claim: async (now, leaseMs) => {
      const claim = await write((db) => {
        const row = nextJob(db, now, withoutLost(db, now), served);
        return row === null ? null : lease(db, row, now + leaseMs);
      });
      turn += 1;
      if (claim !== null) served.set(claim.job.experimentId, turn);
      return claim;
    },
    heartbeat: (claim, now, leaseMs) =>
      withLease(claim, (db, row) => {
        db.update(jobs)
          .set({ leaseUntil: now + leaseMs })
          .where(eq(jobs.id, row.id))
          .run();
      }),
    finish: (claim, result, now) => withLease(claim, (db, row) => store(db, row, result, now)),
    fail: (claim, problem, now) => withLease(claim, (db, row) => failOnce(db, row, problem, now)),
    release: (claim, now) =>
      withLease(claim, (db, row) => requeue(db, row, { attempts: row.attempts - 1, runAfter: now })),
    open: async () => {
      const db = open();
      return db.$count(jobs, inArray(jobs.state, [...OPEN]));
    },
  };
}

/** The job, if nobody else has got it since and it was not cancelled. */
function leased(db: Db, { job, leaseToken }: Claim): JobRow | undefined {
  return leasedJob(db).get({ id: job.id, leaseToken });
}

const leasedJob = perHandle((db: Db) =>
  db
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.id, sql.placeholder("id")),
        eq(jobs.state, "running"),
        eq(jobs.leaseToken, sql.placeholder("leaseToken")),
      ),
    )
    .prepare(),
);

function lease(db: Db, row: JobRow, leaseUntil: number): Claim {
  const leaseToken = randomUUID();
  const attempts = row.attempts + 1;
  db.update(jobs)
    .set({ state: "running", attempts, leaseToken, leaseUntil })
    .where(eq(jobs.id, row.id))
    .run();
  return { job: { ...jobOf(row), attempts }, leaseToken, leaseUntil };
}

function jobOf(row: JobRow): Job {
  const { id, kind, experimentId, caseId, run, attempts, attemptsMax } = row;
  const arm = row.arm as NewJob["arm"];
  return {
    id,
    kind,
    experimentId,
    arm,
    caseId,
    run,
    attempts,
    attemptsMax,
    payload: payloadOf(row),
  };
}

/** Lapsed jobs that may be tried again. Those whose worker was lost in every attempt that they had are given up. */
function withoutLost(db: Db, now: number): JobRow[] {
  const lapsed = lapsedJobs(db, now);
  const lost = (row: JobRow) => row.attempts >= row.attemptsMax;
  const first = lapsed.find(lost);
  if (first === undefined) return lapsed;
  const times = first.attempts === 1 ? "once" : `${first.attempts} times`;
  giveUp(db, first, `the worker died ${times} while it ran`, now);
  // One at a time: its experiment may have failed over it, and taken the others back.
  return withoutLost(db, now);
}

function failOnce(db: Db, row: JobRow, problem: string, now: number): void {
  if (row.attempts >= row.attemptsMax) {
    giveUp(db, row, problem, now);
    return;
  }
  const pause = backoffMs(row.attempts);
  requeue(db, row, { attempts: row.attempts, runAfter: now + pause });
  db.update(jobs).set({ problem }).where(eq(jobs.id, row.id)).run();
  if (row.experimentId !== null)
    addLog(db, row.experimentId, `${nameOf(row)}: ${problem}; again in ${pause / 1000} s`, now);
}

function requeue(db: Db, row: JobRow, to: { attempts: number; runAfter: number }): void {
  db.update(jobs)
    .set({ ...to, state: "queued", leaseToken: null, leaseUntil: null })
    .where(eq(jobs.id, row.id))
    .run();
}

function nameOf({ kind, arm, caseId, run }: JobRow): string {
  return kind === "case_run" ? `arm ${arm.toUpperCase()}  ${caseId} (run ${run})` : kind;
}
