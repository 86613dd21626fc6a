import { randomUUID } from "node:crypto";
import { and, eq, inArray } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { immediate } from "#db/immediate.ts";
import { caseResults, experiments, jobs, proposals } from "#db/schema.ts";
import { UserError } from "#lib/errors.ts";
import { isObject, parseJsonText } from "#lib/json-text.ts";
import type { ExperimentRequest } from "./experiment.ts";
import { addLog } from "./log.io.ts";
import type { NewJob } from "./queue.ts";
import { cancelJobs, insertJobs, judgeWhenAllEnded } from "./settle.io.ts";

/** A case run that takes the worker down so often is what does it. */
const CASE_ATTEMPTS = 5;

/**
 * Puts an experiment into the queue; its prediction stands from here on and before anything is measured. `who`: name of
 * the access token. Throws a UserError when the proposal it names is not there. Gives the experiment's id.
 */
export function enqueueExperiment(
  db: Db,
  request: ExperimentRequest,
  who: string | null,
  now: number,
  attemptsMax: number = CASE_ATTEMPTS,
): string {
  const id = randomUUID();
  return immediate(db, () => {
    const { proposalId } = request;
    const named = db
      .select({ id: proposals.id })
      .from(proposals)
      .where(eq(proposals.id, proposalId ?? ""));
    if (proposalId !== null && named.get() === undefined)
      throw new UserError("not_found", `there is no proposal ${JSON.stringify(proposalId)}`);
    db.insert(experiments)
      .values({
        id,
        createdAt: now,
        createdBy: who,
        proposalId,
        change: request.overrides.join(" "),
        changeClass: request.changeClass,
        metric: request.metric,
        rationale: request.rationale,
        holdoutIn: request.holdoutIn,
        request: JSON.stringify(request),
        state: "queued",
      })
      .run();
    insertJobs(db, [prepareJob(id, attemptsMax)], now);
    addLog(db, id, "queued", now);
    return id;
  });
}

function prepareJob(experimentId: string, attemptsMax: number): NewJob {
  const payload = { caseAttempts: attemptsMax };
  return { kind: "prepare", experimentId, arm: "", caseId: "", run: 0, payload, attemptsMax };
}

/** Ends an experiment that waits or runs; what is in flight is broken off and not stored. False: it has ended already. */
export function cancelExperiment(db: Db, id: string, now: number): boolean {
  return immediate(db, () => {
    const ended = db
      .update(experiments)
      .set({ state: "cancelled", finishedAt: now })
      .where(and(eq(experiments.id, id), inArray(experiments.state, ["queued", "running"])))
      .run();
    if (ended.changes === 0) return false;
    cancelJobs(db, id, now);
    addLog(db, id, "cancelled", now);
    return true;
  });
}

/**
 * Runs again what errored, while the experiment runs or after it failed; a verdict that stands is never measured anew.
 * Each errored result is taken away and noted in the log before its run is queued once more, so it still counts once. A
 * failed experiment that was never prepared is prepared anew, and one whose runs have all ended is judged anew. Gives how
 * many jobs were queued.
 */
export function retryErrored(db: Db, id: string, now: number): number {
  return immediate(db, () => {
    const experiment = db.select().from(experiments).where(eq(experiments.id, id)).get();
    if (experiment === undefined || !["running", "failed"].includes(experiment.state)) return 0;
    const queued =
      experiment.jobs === null
        ? prepareAgain(db, id, now)
        : queueErrored(db, id, now) || (experiment.state === "failed" ? judgeAgain(db, id, now) : 0);
    if (queued === 0) return 0;
    if (experiment.state === "failed") {
      const state = experiment.jobs === null ? "queued" : "running";
      db.update(experiments)
        .set({ state, problem: null, finishedAt: null })
        .where(eq(experiments.id, id))
        .run();
    }
    return queued;
  });
}

function prepareAgain(db: Db, id: string, now: number): number {
  const reset = db
    .update(jobs)
    .set({ state: "queued", attempts: 0, runAfter: now, problem: null, finishedAt: null })
    .where(
      and(eq(jobs.experimentId, id), eq(jobs.kind, "prepare"), inArray(jobs.state, ["failed", "cancelled"])),
    )
    .run().changes;
  if (reset > 0) addLog(db, id, "prepared again", now);
  return reset;
}

/** Errored results, and the runs that a failed experiment never came to. */
function queueErrored(db: Db, id: string, now: number): number {
  const known = db.select({ id: jobs.id }).from(jobs).where(eq(jobs.experimentId, id)).limit(1).get();
  // So long ago that its jobs are gone: what it never came to can no longer be told.
  if (known === undefined) return 0;
  const errored = db
    .select()
    .from(caseResults)
    .where(and(eq(caseResults.experimentId, id), eq(caseResults.errored, true)))
    .all();
  for (const { arm, caseId, run, result } of errored) {
    addLog(
      db,
      id,
      `again: arm ${arm.toUpperCase()}  ${caseId} (run ${run}), which ended in: ${errorIn(result)}`,
      now,
    );
    const one = and(eq(jobs.experimentId, id), eq(jobs.arm, arm), eq(jobs.caseId, caseId), eq(jobs.run, run));
    db.update(jobs).set({ state: "cancelled" }).where(one).run();
  }
  db.delete(caseResults)
    .where(and(eq(caseResults.experimentId, id), eq(caseResults.errored, true)))
    .run();
  const queued = db
    .update(jobs)
    .set({ state: "queued", attempts: 0, runAfter: now, problem: null, finishedAt: null })
    .where(and(eq(jobs.experimentId, id), eq(jobs.kind, "case_run"), eq(jobs.state, "cancelled")))
    .run().changes;
  // A verdict that was due over what has just been taken away is not due any more.
  if (queued > 0) dropJudge(db, id);
  return queued;
}

/** Every run has ended, and what kept the verdict from being reached may have been put right. */
function judgeAgain(db: Db, id: string, now: number): number {
  const run = and(eq(jobs.experimentId, id), eq(jobs.kind, "case_run"));
  if (db.select({ id: jobs.id }).from(jobs).where(run).limit(1).get() === undefined) return 0;
  dropJudge(db, id);
  judgeWhenAllEnded(db, id, now);
  addLog(db, id, "to be judged again", now);
  return 1;
}

function dropJudge(db: Db, id: string): void {
  db.delete(jobs)
    .where(and(eq(jobs.experimentId, id), eq(jobs.kind, "judge")))
    .run();
}

function errorIn(result: string): string {
  const run = parseJsonText(result);
  const error = run.ok && isObject(run.value) && run.value.error;
  return typeof error === "string" ? error : "an error";
}
