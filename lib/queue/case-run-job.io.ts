import path from "node:path";
import type { Db } from "#db/client.ts";
import { runItem } from "#lib/eval/run-item.io.ts";
import { judgeRun } from "#lib/eval/run-pass.io.ts";
import type { CaseRun } from "#lib/eval/scorecard.ts";
import { clipped } from "#lib/utf8.ts";
import { changedSince, type PreparedCache, type Ready } from "./prepared.io.ts";
import type { Job, JobResult } from "./queue.ts";

/** Runs and grades one case run of one arm. */
export async function caseRunJob(
  open: () => Db,
  cache: PreparedCache,
  job: Job,
  signal: AbortSignal,
): Promise<JobResult> {
  const { experimentId } = job;
  if (experimentId === null) throw new Error("a case run belongs to an experiment");
  return cache.using(experimentId, async (ready): Promise<JobResult> => {
    const changed = changedSince(open(), ready);
    if (changed !== null) return changed;
    const run = await graded(ready, job, signal);
    if (run.transcript !== null) run.transcript = path.relative(ready.transcriptsDir, run.transcript);
    return {
      kind: "case_run",
      passed: run.passed,
      errored: run.error !== null,
      result: JSON.stringify(run),
      line: lineOf(job, run),
    };
  });
}

async function graded(
  { prepared, staging, judgeNext }: Ready,
  job: Job,
  signal: AbortSignal,
): Promise<CaseRun> {
  const { setup, items, judge } = prepared;
  const arm = setup.arms.find((one) => one.key === job.arm);
  const item = items.find((one) => one.case.id === job.caseId && one.run === job.run);
  if (arm === undefined || item === undefined)
    throw new Error(notHere(prepared.notScored, job) ?? `${job.caseId} is not among the cases`);
  const ran = await runItem(setup, arm, item, staging, signal);
  await judgeRun(item, ran, judge, judgeNext, signal);
  return ran.run;
}

function notHere(notScored: Ready["prepared"]["notScored"], { caseId }: Job): string | null {
  const reason = notScored.find((one) => one.id === caseId)?.reason;
  return reason === undefined ? null : `it cannot be run by this worker: ${reason}`;
}

function lineOf({ arm, caseId, run: nth }: Job, run: CaseRun): string {
  const word = run.passed ? "passed" : run.error === null ? "FAILED" : "ERROR";
  const failed = run.checks.filter((check) => !check.passed).map((check) => check.name);
  const why = run.passed ? "" : `: ${clipped(run.error ?? failed.join(", "), 200)}`;
  return `${word}  arm ${arm.toUpperCase()}  ${caseId} (run ${nth})${why}`;
}
