import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Db, openDb } from "#db/client.ts";
import { experiments, jobs } from "#db/schema.ts";
import { enqueueExperiment, retryErrored } from "#lib/queue/experiments.io.ts";
import type { NewJob, Queue } from "#lib/queue/queue.ts";
import { sqliteQueue } from "#lib/queue/sqlite-queue.io.ts";
import { sweep } from "#lib/queue/sweep.io.ts";
import { experimentView, listExperiments } from "#lib/queue/view.io.ts";
import { anExperiment } from "#tests/support/queue-home.ts";

const LEASE = 1_000;
const YEAR = 365 * 86_400_000;
let folder: string;
let db: Db;
let close: () => void;
let queue: Queue;

beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "queue-"));
  ({ db, close } = openDb(path.join(folder, "mecha.db")));
  queue = sqliteQueue(() => db);
});
afterEach(() => {
  close();
  rmSync(folder, { recursive: true });
});

const enqueue = (now = 0) => enqueueExperiment(db, anExperiment("/c.jsonl"), null, now, 3);

test.each(["", "{", "null", "[]", '"x"', "{}", '{"overrides":[1]}'])(
  "an experiment whose request became %j hides and holds up no other",
  async (request) => {
    const bad = enqueue();
    const good = enqueue(1);
    db.update(experiments).set({ request }).where(eq(experiments.id, bad)).run();

    const listed = listExperiments(db, { limit: 10 });
    expect(listed.map(({ id }) => id)).toEqual([good, bad]);
    expect(listed[0]?.problem).toBeNull();
    expect(experimentView(db, bad)).toMatchObject({
      problem: "what was asked for is damaged in the database",
      request: { overrides: ["max_turns=9"], metric: "cut_short", casesFile: "" },
    });
    const claimed = [await queue.claim(2, LEASE), await queue.claim(2, LEASE)];
    expect(claimed.map((claim) => claim?.job.experimentId).sort()).toEqual([bad, good].sort());
  },
);

test("a job whose payload is damaged is served, and given up, without holding up the queue", async () => {
  enqueue();
  db.update(jobs).set({ payload: "{", attemptsMax: 1 }).run();
  const claim = await queue.claim(1, LEASE);
  expect(claim?.job).toMatchObject({ kind: "prepare", payload: null });
  // Its worker died over it.
  expect(await queue.claim(2 + LEASE, LEASE)).toBeNull();
  expect(listExperiments(db, { limit: 1 })[0]).toMatchObject({ state: "failed" });
});

test("a case run whose payload is damaged ends as an errored one", async () => {
  const id = enqueue();
  const one: NewJob = {
    kind: "case_run",
    experimentId: id,
    arm: "a",
    caseId: "c",
    run: 1,
    payload: { tags: ["t"] },
    attemptsMax: 1,
  };
  const prepare = await queue.claim(1, LEASE);
  if (prepare === null) throw new Error("nothing to claim");
  await queue.finish(prepare, { kind: "plan", planSha256: "x", plan: {}, jobs: [one] }, 2);
  db.update(jobs).set({ payload: "nonsense" }).where(eq(jobs.kind, "case_run")).run();
  const claim = await queue.claim(3, LEASE);
  if (claim === null) throw new Error("nothing to claim");
  expect(await queue.fail(claim, "503", 4)).toBe(true);
  expect(experimentView(db, id)?.arms?.a).toMatchObject({ done: 1, errored: 1 });
});

test("a clock that was set back leaves no job waiting for a time that is far away", async () => {
  enqueue(YEAR);
  expect(await queue.claim(1_000, LEASE)).toBeNull();
  sweep(db, 1_000);
  expect((await queue.claim(1_001, LEASE))?.job.kind).toBe("prepare");

  // The worker that has it is gone, and its lease seems to last for a year.
  db.update(jobs).set({ leaseUntil: YEAR }).run();
  expect(await queue.claim(2_000, LEASE)).toBeNull();
  sweep(db, 2_000);
  expect((await queue.claim(2_001, LEASE))?.job.attempts).toBe(2);
});

test("a pause that can be is not cut short", async () => {
  enqueue();
  const claim = await queue.claim(1, LEASE);
  if (claim === null) throw new Error("nothing to claim");
  await queue.fail(claim, "no", 2);
  sweep(db, 3);
  expect(await queue.claim(4, LEASE)).toBeNull();
  expect(await queue.claim(3_600_000, LEASE)).not.toBeNull();
});

test("an experiment whose verdict alone failed is judged again when that is asked for", async () => {
  const id = enqueue();
  const runs = (["a", "b"] as const).map(
    (arm): NewJob => ({
      kind: "case_run",
      experimentId: id,
      arm,
      caseId: "c",
      run: 1,
      payload: null,
      attemptsMax: 3,
    }),
  );
  const next = async (now: number) => {
    const claim = await queue.claim(now, LEASE);
    if (claim === null) throw new Error("nothing to claim");
    return claim;
  };
  await queue.finish(await next(1), { kind: "plan", planSha256: "x", plan: {}, jobs: runs }, 1);
  for (const now of [2, 3])
    await queue.finish(
      await next(now),
      { kind: "case_run", passed: true, errored: false, result: "{}", line: "" },
      now,
    );
  const problem = "c.jsonl: there is no such file";
  await queue.finish(await next(4), { kind: "experiment_failed", problem }, 4);
  expect(experimentView(db, id)).toMatchObject({ state: "failed", problem });
  expect(await queue.open()).toBe(0);

  expect(retryErrored(db, id, 5)).toBe(1);
  expect(experimentView(db, id)).toMatchObject({ state: "running", problem: null, arms: { a: { done: 1 } } });
  expect((await next(6)).job.kind).toBe("judge");
});

test("a case run that takes its worker down each time takes no other run with it", async () => {
  const id = enqueue();
  const prepare = await queue.claim(1, LEASE);
  if (prepare === null) throw new Error("nothing to claim");
  const list = Array.from(
    { length: 40 },
    (_, n): NewJob => ({
      kind: "case_run",
      experimentId: id,
      arm: n % 2 === 0 ? "a" : "b",
      caseId: `case-${n}`,
      run: 1,
      payload: null,
      attemptsMax: 5,
    }),
  );
  await queue.finish(prepare, { kind: "plan", planSha256: "x", plan: {}, jobs: list }, 1);
  const passed = { kind: "case_run", passed: true, errored: false, result: "{}", line: "" } as const;
  for (let now = 10; now < 200 * LEASE; now += 2 * LEASE) {
    // A worker of four slots: when the bad one is among them, all four are lost.
    const slots = [];
    for (let slot = 0; slot < 4; slot += 1) {
      const claim = await queue.claim(now, LEASE);
      if (claim !== null && claim.job.kind === "case_run") slots.push(claim);
    }
    if (slots.some(({ job }) => job.caseId === "case-5")) continue;
    for (const claim of slots) await queue.finish(claim, passed, now + 1);
  }
  expect(experimentView(db, id)?.arms).toMatchObject({
    a: { done: 20, errored: 0 },
    b: { done: 20, errored: 1 },
  });
});
