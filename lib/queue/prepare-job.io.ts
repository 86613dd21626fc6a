import type { Db } from "#db/client.ts";
import { UserError } from "#lib/errors.ts";
import { jobsOf } from "#lib/eval/items.ts";
import { isObject } from "#lib/json-text.ts";
import { addLog } from "./log.io.ts";
import type { PreparedCache, Ready } from "./prepared.io.ts";
import type { Job, JobResult, NewJob } from "./queue.ts";

/** Looks at everything that can be wrong before a model is asked, and lays out the case runs of both arms. */
export async function prepareJob(open: () => Db, cache: PreparedCache, job: Job): Promise<JobResult> {
  const { experimentId } = job;
  if (experimentId === null) throw new Error("a prepare job belongs to an experiment");
  try {
    return await cache.using(experimentId, async (ready) => {
      sayWhatIsKnown(open(), ready);
      const { items, notScored, plan, plan_sha256 } = ready.prepared;
      if (items.length === 0)
        return {
          kind: "experiment_failed",
          problem: `no case can be run here: ${notScored[0]?.reason ?? ""}`,
        };
      const jobs = jobsOf(items, ["a", "b"]).map(
        ({ arm, item }): NewJob => ({
          kind: "case_run",
          experimentId,
          arm,
          caseId: item.case.id,
          run: item.run,
          payload: { tags: item.case.tags },
          attemptsMax: caseAttempts(job),
        }),
      );
      return { kind: "plan", planSha256: plan_sha256, plan, jobs };
    });
  } catch (error) {
    // What a person has to put right is not put right by trying again.
    if (error instanceof UserError) return { kind: "experiment_failed", problem: error.message };
    throw error;
  }
}

function caseAttempts({ payload, attemptsMax }: Job): number {
  const told = isObject(payload) ? payload.caseAttempts : null;
  return typeof told === "number" ? told : attemptsMax;
}

function sayWhatIsKnown(db: Db, { row, prepared }: Ready): void {
  const now = Date.now();
  const { items, notScored, fixed, warnings, setup } = prepared;
  addLog(
    db,
    row.id,
    `${items.length} case runs in each arm; ${setup.arms.map((arm) => arm.label).join(" / ")}`,
    now,
  );
  for (const warning of warnings) addLog(db, row.id, warning, now);
  for (const { id, reason } of notScored) addLog(db, row.id, `${id} is not run: ${reason}`, now);
  if (fixed.length > 0)
    addLog(
      db,
      row.id,
      `${fixed.length} of ${setup.cases.length} cases cannot move: ${fixed[0]?.why ?? ""}`,
      now,
    );
}
