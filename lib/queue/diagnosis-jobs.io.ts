import { and, desc, eq, gt, inArray, or } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { immediate } from "#db/immediate.ts";
import { jobs } from "#db/schema.ts";
import { type DiagnosePayload, parseDiagnosePayload } from "#lib/diagnose/job-payload.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { insertJobs } from "./settle.io.ts";

/** A diagnosis asks a model and costs money: one more try where a worker died over it, and no more. */
const DIAGNOSE_ATTEMPTS = 2;
const HOUR_MS = 3_600_000;
const LISTED_MAX = 20;

/** A diagnosis in the queue. Once it is done it is found among the stored ones, under `payload.id`. */
export type DiagnosisJob = {
  payload: DiagnosePayload;
  state: "queued" | "running" | "failed";
  createdAt: number;
  /** Of one that failed, and of one that will be tried again. */
  problem: string | null;
};

/** Puts a diagnosis into the queue. `now` in ms. */
export function enqueueDiagnosis(db: Db, payload: DiagnosePayload, now: number): void {
  immediate(db, () =>
    insertJobs(
      db,
      [
        {
          kind: "diagnose",
          experimentId: null,
          arm: "",
          caseId: "",
          run: 0,
          payload,
          attemptsMax: DIAGNOSE_ATTEMPTS,
        },
      ],
      now,
    ),
  );
}

/** Diagnoses that wait or are at work, and those that failed within the hour; newest first. */
export function openDiagnoses(db: Db, now: number): DiagnosisJob[] {
  const rows = db
    .select()
    .from(jobs)
    .where(
      and(
        eq(jobs.kind, "diagnose"),
        or(
          inArray(jobs.state, ["queued", "running"]),
          and(eq(jobs.state, "failed"), gt(jobs.finishedAt, now - HOUR_MS)),
        ),
      ),
    )
    .orderBy(desc(jobs.id))
    .limit(LISTED_MAX)
    .all();
  return rows.flatMap(({ payload: text, state, createdAt, problem }): DiagnosisJob[] => {
    const json = parseJsonText(text);
    const payload = json.ok ? parseDiagnosePayload(json.value) : json;
    if (!payload.ok || (state !== "queued" && state !== "running" && state !== "failed")) return [];
    return [{ payload: payload.value, state, createdAt, problem }];
  });
}
