import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openDb } from "#db/client.ts";
import type { DiagnosePayload } from "#lib/diagnose/job-payload.ts";
import { caseMarks } from "#lib/queue/case-marks.io.ts";
import { enqueueDiagnosis, openDiagnoses } from "#lib/queue/diagnosis-jobs.io.ts";
import { enqueueExperiment } from "#lib/queue/experiments.io.ts";
import type { Claim, NewJob, Queue } from "#lib/queue/queue.ts";
import { sqliteQueue } from "#lib/queue/sqlite-queue.io.ts";
import { anExperiment } from "#tests/support/queue-home.ts";

const LEASE = 1_000;
let folder: string;
let db: Db;
let close: () => void;
let queue: Queue;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "pages-"));
  ({ db, close } = openDb(path.join(folder, "mecha.db")));
  queue = sqliteQueue(() => db);
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true });
});

async function claimed(now: number): Promise<Claim> {
  const claim = await queue.claim(now, LEASE);
  if (claim === null) throw new Error("nothing to claim");
  return claim;
}

describe("the marks of an experiment's cases", () => {
  const jobs = (experimentId: string): NewJob[] =>
    ["zeta", "alpha"].flatMap((caseId) =>
      [1, 2].flatMap((run) =>
        (["a", "b"] as const).map(
          (arm): NewJob => ({
            kind: "case_run",
            experimentId,
            arm,
            caseId,
            run,
            payload: {},
            attemptsMax: 3,
          }),
        ),
      ),
    );

  test("each run is what it is, in the order in which the cases are run", async () => {
    const id = enqueueExperiment(db, anExperiment("/c.jsonl"), null, 0, 3);
    expect(caseMarks(db, id, 10)).toEqual({ cases: [], of: 0 });
    const plan = { kind: "plan", planSha256: "0", plan: {}, jobs: jobs(id) } as const;
    await queue.finish(await claimed(0), plan, 0);
    const ends = [
      { passed: true, errored: false },
      { passed: false, errored: false },
      { passed: false, errored: true },
    ];
    for (const end of ends)
      await queue.finish(await claimed(1), { kind: "case_run", ...end, result: "{}", line: "x" }, 1);
    await claimed(1);
    expect(caseMarks(db, id, 10)).toEqual({
      of: 2,
      cases: [
        { caseId: "zeta", a: ["passed", "errored"], b: ["failed", "running"] },
        { caseId: "alpha", a: ["waiting", "waiting"], b: ["waiting", "waiting"] },
      ],
    });
    expect(caseMarks(db, id, 1)).toMatchObject({ of: 2, cases: [{ caseId: "zeta" }] });
  });
});

describe("diagnoses in the queue", () => {
  const payload = (n: number): DiagnosePayload => ({
    id: `00000000-0000-4000-8000-00000000000${n}`,
    subject: null,
    days: 7,
    limit: 200,
    web: false,
    provider: "s",
    model: null,
  });

  test("they wait, are at work, and leave the list when they are done", async () => {
    enqueueDiagnosis(db, payload(1), 10);
    enqueueDiagnosis(db, payload(2), 20);
    expect(openDiagnoses(db, 30).map((job) => [job.payload.id.at(-1), job.state])).toEqual([
      ["2", "queued"],
      ["1", "queued"],
    ]);
    const first = await claimed(30);
    expect(first.job).toMatchObject({ kind: "diagnose", experimentId: null, payload: payload(1) });
    expect(openDiagnoses(db, 30).map(({ state }) => state)).toEqual(["queued", "running"]);
    await queue.finish(first, { kind: "none" }, 40);
    expect(openDiagnoses(db, 40).map(({ payload: { id } }) => id)).toEqual([payload(2).id]);
  });

  test("one that failed is shown for an hour, with why", async () => {
    enqueueDiagnosis(db, payload(1), 0);
    let now = 0;
    for (let tries = 0; tries < 2; tries++) {
      now += 3_600_000;
      await queue.fail(await claimed(now), "the disk is full", now);
    }
    expect(openDiagnoses(db, now)).toMatchObject([{ state: "failed", problem: "the disk is full" }]);
    expect(openDiagnoses(db, now + 3_600_001)).toEqual([]);
  });
});
