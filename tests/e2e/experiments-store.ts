import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { caseResults, experiments, jobs as jobTable } from "#db/schema.ts";
import type { ExperimentRequest, ExperimentState } from "#lib/queue/experiment.ts";
import { enqueueExperiment } from "#lib/queue/experiments.io.ts";
import { addLog } from "#lib/queue/log.io.ts";
import { insertJobs } from "#lib/queue/settle.io.ts";
import { anExperiment } from "#tests/support/queue-home.ts";

export function aRequest(parts: Partial<ExperimentRequest> = {}): ExperimentRequest {
  return anExperiment("/home/u/proj/eval/cases.jsonl", {
    overrides: ["max_turns=60"],
    rationale: "15 of 24 runs ended on max_turns",
    ...parts,
  });
}

export type MadeCase = {
  id: string /** `p`, `f`, `e`, and `.` for a run that waits. */;
  a: string;
  b: string;
};

/** An experiment as a worker leaves it: prepared, some runs ended, in the state that is wanted. */
export function saveExperiment(
  db: Db,
  {
    request,
    state,
    cases,
    problem = null,
    log = [],
    verdictId = null,
  }: {
    request: ExperimentRequest;
    state: ExperimentState;
    cases: readonly MadeCase[];
    problem?: string | null;
    log?: readonly string[];
    verdictId?: string | null;
  },
): string {
  const now = Date.now() - 60_000;
  const id = enqueueExperiment(db, request, null, now);
  const runs = cases.flatMap(({ id: caseId, a, b }) =>
    (["a", "b"] as const).flatMap((arm) =>
      [...(arm === "a" ? a : b)].map((mark, at) => ({ arm, caseId, run: at + 1, mark })),
    ),
  );
  db.update(jobTable).set({ state: "done", finishedAt: now }).where(eq(jobTable.experimentId, id)).run();
  insertJobs(
    db,
    runs.map(({ arm, caseId, run }) => ({
      kind: "case_run",
      experimentId: id,
      arm,
      caseId,
      run,
      payload: { tags: [] },
      attemptsMax: 5,
    })),
    now,
  );
  for (const { arm, caseId, run, mark } of runs.filter(({ mark }) => mark !== ".")) {
    const result = JSON.stringify({ error: mark === "e" ? "the provider said 503" : null });
    db.insert(caseResults)
      .values({
        experimentId: id,
        arm,
        caseId,
        run,
        passed: mark === "p",
        errored: mark === "e",
        result,
        finishedAt: now,
      })
      .run();
  }
  db.update(jobTable)
    .set({ state: state === "running" ? "queued" : "done", runAfter: now + 3_600_000 })
    .where(eq(jobTable.experimentId, id))
    .run();
  for (const line of log) addLog(db, id, line, now);
  db.update(experiments)
    .set({
      state,
      problem,
      verdictId,
      jobs: runs.length,
      planSha256: "0".repeat(64),
      startedAt: now,
      finishedAt: state === "running" ? null : now + 30_000,
    })
    .where(eq(experiments.id, id))
    .run();
  return id;
}
