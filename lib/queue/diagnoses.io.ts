import { and, desc, eq, inArray } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { jobs } from "#db/schema.ts";
import { type DiagnosePayload, parseDiagnosePayload } from "#lib/diagnose/job-payload.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { immediate } from "./immediate.io.ts";
import { insertJobs } from "./settle.io.ts";

const ATTEMPTS = 3;

/** A diagnosis that was asked for and is not stored yet, or never will be. Times are ms since the epoch. */
export type WaitingDiagnosis = {
  payload: DiagnosePayload;
  state: "queued" | "running" | "failed";
  createdAt: number;
  /** Why its last attempt gave nothing. */
  problem: string | null;
};

/** Asks for a diagnosis; it is stored under `payload.id`, once, however often it is tried. */
export function enqueueDiagnosis(db: Db, payload: DiagnosePayload, now: number): void {
  const job = { kind: "diagnose", experimentId: null, arm: "", caseId: payload.id, run: 0 } as const;
  immediate(db, () => insertJobs(db, [{ ...job, payload, attemptsMax: ATTEMPTS }], now));
}

/** Diagnoses that wait, run, or failed for good, newest first. */
export function waitingDiagnoses(db: Db, limit: number): WaitingDiagnosis[] {
  return db
    .select()
    .from(jobs)
    .where(and(eq(jobs.kind, "diagnose"), inArray(jobs.state, ["queued", "running", "failed"])))
    .orderBy(desc(jobs.id))
    .limit(limit)
    .all()
    .flatMap(({ payload, state, createdAt, problem }) => {
      const text = parseJsonText(payload);
      const parsed = text.ok ? parseDiagnosePayload(text.value) : text;
      if (!parsed.ok || state === "done" || state === "cancelled") return [];
      return [{ payload: parsed.value, state, createdAt, problem }];
    });
}
