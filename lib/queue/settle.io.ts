import { and, eq, inArray, sql } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { caseResults, experiments, jobs } from "#db/schema.ts";
import { dispositionOf } from "#lib/gate/judge.ts";
import { parseJsonText } from "#lib/json-text.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { saveVerdict } from "#lib/verdict/store.io.ts";
import type { JobRow } from "./claim.io.ts";
import { erroredRun } from "./errored-run.ts";
import { addLog } from "./log.io.ts";
import { perHandle } from "./per-handle.io.ts";
import type { JobResult, NewJob } from "./queue.ts";

/** Everything here is called inside a transaction: a job's end and what follows from it are one. */

export const OPEN = ["queued", "running"] as const;

/** Inserts the jobs that are not there yet. Gives how many are new. */
export function insertJobs(db: Db, list: readonly NewJob[], now: number): number {
  let fresh = 0;
  for (const { payload, ...job } of list)
    fresh += db
      .insert(jobs)
      .values({
        ...job,
        payload: JSON.stringify(payload ?? null),
        state: "queued",
        attempts: 0,
        runAfter: now,
        createdAt: now,
      })
      .onConflictDoNothing()
      .run().changes;
  return fresh;
}

/** Stores what a job gave, and what follows from its end. */
export function store(db: Db, row: JobRow, result: JobResult, now: number): void {
  endJob(db, row.id, "done", null, now);
  switch (result.kind) {
    case "none":
      return;
    case "case_run":
      storeRun(db, row, result, now);
      return;
    case "plan":
      storePlan(db, row, result, now);
      return;
    case "verdict":
      storeVerdict(db, row.experimentId, result.document, now);
      return;
    case "experiment_failed":
      endJob(db, row.id, "failed", result.problem, now);
      failExperiment(db, row.experimentId, result.problem, now);
      return;
    default:
      result satisfies never;
  }
}

/** Null where somebody has damaged it: one row must not keep the rest from being served. */
export function payloadOf({ payload }: JobRow): unknown {
  const parsed = parseJsonText(payload);
  return parsed.ok ? parsed.value : null;
}

/** No attempts are left: a case run becomes an errored one, so that its experiment ends all the same. */
export function giveUp(db: Db, row: JobRow, problem: string, now: number): void {
  endJob(db, row.id, "failed", problem, now);
  switch (row.kind) {
    case "case_run": {
      const run = erroredRun({ ...row, arm: row.arm as NewJob["arm"], payload: payloadOf(row) }, problem);
      const line = `ERROR  arm ${row.arm.toUpperCase()}  ${row.caseId} (run ${row.run}): ${problem}`;
      storeRun(db, row, { passed: false, errored: true, result: JSON.stringify(run), line }, now);
      return;
    }
    case "prepare":
    case "judge":
      failExperiment(db, row.experimentId, problem, now);
      return;
    case "diagnose":
      return;
    default:
      row.kind satisfies never;
  }
}

function failExperiment(db: Db, id: string | null, problem: string, now: number): void {
  if (id === null) return;
  db.update(experiments)
    .set({ state: "failed", problem, finishedAt: now })
    .where(eq(experiments.id, id))
    .run();
  cancelJobs(db, id, now);
  addLog(db, id, `failed: ${problem}`, now);
}

/** Takes back whatever waits or runs: who runs it is told at the next word, and what it brings is not stored. */
export function cancelJobs(db: Db, experimentId: string, now: number): void {
  db.update(jobs)
    .set({ state: "cancelled", leaseToken: null, leaseUntil: null, finishedAt: now })
    .where(and(eq(jobs.experimentId, experimentId), inArray(jobs.state, [...OPEN])))
    .run();
}

/** When the last case run has ended, the verdict is due. Asking twice changes nothing: an experiment has one such job. */
export function judgeWhenAllEnded(db: Db, experimentId: string, now: number): void {
  for (const state of OPEN) if (openJob(db).get({ state, experimentId }) !== undefined) return;
  const judge: NewJob = {
    kind: "judge",
    experimentId,
    arm: "",
    caseId: "",
    run: 0,
    payload: null,
    attemptsMax: 5,
  };
  insertJobs(db, [judge], now);
}

const openJob = perHandle((db: Db) =>
  db
    .select({ id: jobs.id })
    .from(jobs)
    .where(
      and(
        eq(jobs.state, sql.placeholder("state")),
        // As where jobs are claimed: not by the index in which the finished ones stand as well.
        sql`+${jobs.experimentId} = ${sql.placeholder("experimentId")}`,
      ),
    )
    .limit(1)
    .prepare(),
);

function endJob(db: Db, id: number, state: "done" | "failed", problem: string | null, now: number): void {
  db.update(jobs)
    .set({ state, problem, finishedAt: now, leaseToken: null, leaseUntil: null })
    .where(eq(jobs.id, id))
    .run();
}

function storeRun(
  db: Db,
  { experimentId, arm, caseId, run }: JobRow,
  { passed, errored, result, line }: { passed: boolean; errored: boolean; result: string; line: string },
  now: number,
): void {
  if (experimentId === null) return;
  db.insert(caseResults)
    .values({ experimentId, arm, caseId, run, passed, errored, result, finishedAt: now })
    .onConflictDoNothing()
    .run();
  addLog(db, experimentId, line, now);
  judgeWhenAllEnded(db, experimentId, now);
}

function storeVerdict(db: Db, id: string | null, document: VerdictDocument, now: number): void {
  saveVerdict(db, document, now);
  if (id === null) return;
  db.update(experiments)
    .set({ state: "done", verdictId: document.id, finishedAt: now, problem: null })
    .where(eq(experiments.id, id))
    .run();
  addLog(db, id, `judged: ${dispositionOf(document.judgement.disposition)}`, now);
}

function storePlan(
  db: Db,
  row: JobRow,
  { planSha256, plan, jobs: list }: Extract<JobResult, { kind: "plan" }>,
  now: number,
): void {
  const id = row.experimentId;
  const experiment =
    id === null ? undefined : db.select().from(experiments).where(eq(experiments.id, id)).get();
  if (id === null || experiment === undefined) return;
  const known = experiment.planSha256;
  if (known !== null && known !== planSha256) {
    failExperiment(db, id, "what is measured has changed since it was first prepared", now);
    return;
  }
  db.update(jobs)
    .set({ payload: JSON.stringify({ plan }) })
    .where(eq(jobs.id, row.id))
    .run();
  db.update(experiments)
    .set({ planSha256, state: "running", startedAt: experiment.startedAt ?? now, jobs: list.length })
    .where(eq(experiments.id, id))
    .run();
  insertJobs(db, list, now);
  judgeWhenAllEnded(db, id, now);
}
