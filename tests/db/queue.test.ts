import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openDb } from "#db/client.ts";
import { caseResults, experimentLog, experiments, jobs } from "#db/schema.ts";
import { cancelExperiment, enqueueExperiment, retryErrored } from "#lib/queue/experiments.io.ts";
import { addLog, logLines } from "#lib/queue/log.io.ts";
import type { Claim, JobResult, NewJob, Queue } from "#lib/queue/queue.ts";
import { sqliteQueue } from "#lib/queue/sqlite-queue.io.ts";
import { sweep, sweepTranscripts } from "#lib/queue/sweep.io.ts";
import { experimentView, listExperiments } from "#lib/queue/view.io.ts";
import { anExperiment } from "#tests/support/queue-home.ts";
import { aDocument } from "#tests/unit/verdict/raw.ts";

const LEASE = 1_000;
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

const enqueue = (parts = {}, now = 0) => enqueueExperiment(db, anExperiment("/c.jsonl", parts), null, now, 3);
const runs = (experimentId: string, cases: number): NewJob[] =>
  Array.from({ length: cases }, (_, n) =>
    (["a", "b"] as const).map(
      (arm): NewJob => ({
        kind: "case_run",
        experimentId,
        arm,
        caseId: `case-${n}`,
        run: 1,
        payload: { tags: ["t"] },
        attemptsMax: 3,
      }),
    ),
  ).flat();
const done = (errored = false): JobResult => ({
  kind: "case_run",
  passed: !errored,
  errored,
  result: JSON.stringify({ error: errored ? "503" : null }),
  line: "a line",
});

async function claim(now: number): Promise<Claim> {
  const claimed = await queue.claim(now, LEASE);
  if (claimed === null) throw new Error("nothing to claim");
  return claimed;
}

/** An experiment whose case runs wait. */
async function prepared(cases = 2, parts = {}, now = 0): Promise<string> {
  const id = enqueue(parts, now);
  const result: JobResult = { kind: "plan", planSha256: "p", plan: {}, jobs: runs(id, cases) };
  let one = await claim(now);
  while (one.job.experimentId !== id) one = await claim(now);
  expect(await queue.finish(one, result, now)).toBe(true);
  return id;
}

const rowOf = (id: string) => db.select().from(experiments).where(eq(experiments.id, id)).get();
const resultsOf = (id: string) => db.select().from(caseResults).where(eq(caseResults.experimentId, id)).all();
const statesOf = (id: string) =>
  db
    .select()
    .from(jobs)
    .where(eq(jobs.experimentId, id))
    .all()
    .map(({ kind, state }) => `${kind} ${state}`);

describe("a job", () => {
  test("is enqueued once, whoever asks again", async () => {
    const id = enqueue();
    expect(await queue.enqueue(runs(id, 2), 0)).toBe(4);
    expect(await queue.enqueue(runs(id, 3), 0)).toBe(2);
  });

  test("belongs to one worker while its lease holds, and to the next one after it", async () => {
    const id = await prepared(1);
    const first = await claim(0);
    await claim(0);
    expect(await queue.claim(LEASE - 1, LEASE)).toBeNull();
    const again = await claim(LEASE);
    expect(again.job).toMatchObject({ id: first.job.id, attempts: 2, experimentId: id });
    expect(again.leaseToken).not.toBe(first.leaseToken);
  });

  test("that was taken over is not ended by its first worker, and what that one brings is not stored", async () => {
    const id = await prepared(1);
    const late = await claim(0);
    await claim(0);
    const next = await claim(LEASE);
    expect(await queue.finish(late, done(), LEASE)).toBe(false);
    expect(await queue.heartbeat(late, LEASE, LEASE)).toBe(false);
    expect(await queue.fail(late, "late", LEASE)).toBe(false);
    expect(await queue.release(late, LEASE)).toBe(false);
    expect(resultsOf(id)).toEqual([]);
    expect(await queue.finish(next, done(), LEASE)).toBe(true);
    expect(await queue.finish(next, done(), LEASE)).toBe(false);
    expect(resultsOf(id)).toHaveLength(1);
  });

  test("whose lease ran out unnoticed is still ended by the worker that had it", async () => {
    const id = await prepared(1);
    const one = await claim(0);
    expect(await queue.finish(one, done(), 10 * LEASE)).toBe(true);
    expect(resultsOf(id)).toHaveLength(1);
  });

  test("is kept by its heartbeats", async () => {
    await prepared(1);
    const one = await claim(0);
    await claim(0);
    expect(await queue.heartbeat(one, LEASE - 1, LEASE)).toBe(true);
    const other = await claim(LEASE + 1);
    expect(other.job.id).not.toBe(one.job.id);
    expect(await queue.claim(LEASE + 1, LEASE)).toBeNull();
  });

  test("that is given back costs no attempt and is there at once", async () => {
    await prepared(1);
    const one = await claim(0);
    expect(await queue.release(one, 5)).toBe(true);
    const other = await claim(5);
    const again = await claim(5);
    expect([other, again].find(({ job }) => job.id === one.job.id)?.job.attempts).toBe(1);
  });

  test("that fails waits longer each time, and becomes an errored run when no attempt is left", async () => {
    const id = await prepared(1, { concurrency: 1 });
    let now = 0;
    const first = await claim(now);
    expect(await queue.fail(first, "no server", now)).toBe(true);
    expect((await claim(now)).job.id).not.toBe(first.job.id);
    for (const pause of [1_000, 2_000]) {
      now += pause + LEASE;
      let one = await claim(now);
      while (one.job.id !== first.job.id) {
        await queue.finish(one, done(), now);
        one = await claim(now);
      }
      await queue.fail(one, "no server", now);
    }
    expect(resultsOf(id).filter(({ errored }) => errored)).toHaveLength(1);
    const run = JSON.parse(resultsOf(id).find(({ errored }) => errored)?.result ?? "{}");
    expect(run).toMatchObject({ id: "case-0", run: 1, passed: false, error: "no server", tags: ["t"] });
  });

  test("that takes its worker down every time becomes an errored run, and the experiment goes on to its verdict", async () => {
    const id = await prepared(1);
    const survivor = await claim(0);
    const poison = await claim(0);
    await queue.finish(survivor, done(), 0);
    for (const time of [1, 2]) expect((await claim(time * LEASE)).job.id).toBe(poison.job.id);
    const next = await claim(3 * LEASE);
    expect(next.job.kind).toBe("judge");
    const run = JSON.parse(resultsOf(id).find(({ errored }) => errored)?.result ?? "{}");
    expect(run.error).toBe("the worker died 3 times while it ran");
    expect(rowOf(id)?.state).toBe("running");
  });
});

describe("who is served next", () => {
  test("two experiments take turns, each in its own order", async () => {
    const one = await prepared(3, {}, 0);
    const two = await prepared(3, {}, 1);
    const order: string[] = [];
    for (let n = 0; n < 6; n++) {
      const { job } = await claim(2);
      order.push(`${job.experimentId === one ? "one" : "two"} ${job.caseId} ${job.arm}`);
      expect([one, two]).toContain(job.experimentId);
    }
    const alone = (name: string) => order.filter((line) => line.startsWith(name));
    const expected = (name: string) => [`${name} case-0 a`, `${name} case-0 b`, `${name} case-1 a`];
    expect(alone("one")).toEqual(expected("one"));
    expect(alone("two")).toEqual(expected("two"));
  });

  test("also where each may have one run at a time", async () => {
    const ids = [await prepared(2, { concurrency: 1 }), await prepared(2, { concurrency: 1 }, 1)];
    const order: number[] = [];
    for (let n = 0; n < 6; n++) {
      const one = await claim(2);
      order.push(ids.indexOf(one.job.experimentId ?? ""));
      await queue.finish(one, done(), 2);
    }
    expect([...order].sort()).toEqual([0, 0, 0, 1, 1, 1]);
    expect(order.slice(0, 2).sort()).toEqual([0, 1]);
    expect(order.slice(2, 4).sort()).toEqual([0, 1]);
  });

  test("no experiment has more runs in flight than it was asked for, whoever claims", async () => {
    await prepared(4, { concurrency: 3 });
    const others = sqliteQueue(() => db);
    const first = await claim(0);
    expect(await others.claim(0, LEASE)).not.toBeNull();
    expect(await queue.claim(0, LEASE)).not.toBeNull();
    expect(await others.claim(0, LEASE)).toBeNull();
    expect(await queue.claim(0, LEASE)).toBeNull();
    await queue.finish(first, done(), 0);
    expect(await others.claim(0, LEASE)).not.toBeNull();
    expect(await queue.claim(0, LEASE)).toBeNull();
  });
});

describe("an experiment", () => {
  test("stands in the queue with its prediction before anything is measured", () => {
    const id = enqueueExperiment(db, anExperiment("/c.jsonl"), "anna", 77);
    expect(rowOf(id)).toMatchObject({
      createdAt: 77,
      createdBy: "anna",
      change: "max_turns=9",
      metric: "cut_short",
      state: "queued",
      jobs: null,
    });
    expect(experimentView(db, id)).toMatchObject({ arms: null, msLeft: null, state: "queued" });
    expect(statesOf(id)).toEqual(["prepare queued"]);
    expect(experimentView(db, "none")).toBeNull();
  });

  test("of a proposal that is not there is refused, and nothing is left of it", () => {
    expect(() => enqueue({ proposalId: "gone" })).toThrow(/no proposal/);
    expect(listExperiments(db, { limit: 9 })).toEqual([]);
  });

  test("has one verdict to come when its last run ends, and is done with it", async () => {
    const id = await prepared(1);
    for (let n = 0; n < 2; n++) await queue.finish(await claim(0), done(), 5);
    expect(experimentView(db, id)?.arms).toEqual({
      a: { total: 1, done: 1, failing: 0, errored: 0 },
      b: { total: 1, done: 1, failing: 0, errored: 0 },
    });
    const one = await claim(6);
    expect(one.job.kind).toBe("judge");
    const document = aDocument("++++++++", "====");
    expect(await queue.finish(one, { kind: "verdict", document }, 7)).toBe(true);
    expect(rowOf(id)).toMatchObject({ state: "done", verdictId: document.id, finishedAt: 7 });
    expect(await queue.claim(8, LEASE)).toBeNull();
    expect(await queue.open()).toBe(0);
    expect(retryErrored(db, id, 9)).toBe(0);
    expect(cancelExperiment(db, id, 9)).toBe(false);
  });

  test("that another plan is brought for fails, with what is open taken back", async () => {
    const id = enqueue();
    db.update(experiments).set({ planSha256: "first" }).where(eq(experiments.id, id)).run();
    await queue.finish(
      await claim(0),
      { kind: "plan", planSha256: "second", plan: {}, jobs: runs(id, 1) },
      1,
    );
    expect(rowOf(id)).toMatchObject({
      state: "failed",
      problem: expect.stringMatching(/changed/),
    });
    expect(resultsOf(id)).toEqual([]);
    expect(await queue.claim(2, LEASE)).toBeNull();
  });

  test("that is prepared once more by the same plan began when it first did", async () => {
    const id = enqueue();
    db.update(experiments).set({ planSha256: "p", startedAt: 5 }).where(eq(experiments.id, id)).run();
    await queue.finish(await claim(7), { kind: "plan", planSha256: "p", plan: {}, jobs: runs(id, 1) }, 9);
    expect(rowOf(id)).toMatchObject({ state: "running", startedAt: 5 });
  });

  test("that is cancelled while it runs takes nothing more: the worker's next words are refused", async () => {
    const id = await prepared(2);
    const one = await claim(0);
    expect(cancelExperiment(db, id, 3)).toBe(true);
    expect(await queue.heartbeat(one, 4, LEASE)).toBe(false);
    expect(await queue.finish(one, done(), 4)).toBe(false);
    expect(resultsOf(id)).toEqual([]);
    expect(rowOf(id)).toMatchObject({ state: "cancelled", finishedAt: 3 });
    expect(await queue.claim(10 * LEASE, LEASE)).toBeNull();
    expect(cancelExperiment(db, id, 5)).toBe(false);
  });

  test("whose runs errored runs those again, each counted once, and says so in its log", async () => {
    const id = await prepared(2);
    for (let n = 0; n < 4; n++) await queue.finish(await claim(0), done(n < 2), 1);
    const verdict = await claim(2);
    expect(retryErrored(db, id, 3)).toBe(2);
    expect(await queue.finish(verdict, { kind: "none" }, 3)).toBe(false);
    expect(resultsOf(id)).toHaveLength(2);
    expect(experimentView(db, id)?.arms?.a).toEqual({ total: 2, done: 1, failing: 0, errored: 0 });
    for (let n = 0; n < 2; n++) await queue.finish(await claim(4), done(), 5);
    expect(resultsOf(id)).toHaveLength(4);
    expect((await claim(6)).job.kind).toBe("judge");
    const lines = logLines(db, id, { limit: 50 }).map(({ line }) => line);
    expect(lines).toContain("again: arm A  case-0 (run 1), which ended in: 503");
  });

  test("that failed over too many errors goes on when they are tried again", async () => {
    const id = await prepared(1);
    for (let n = 0; n < 2; n++) await queue.finish(await claim(0), done(true), 1);
    await queue.finish(await claim(2), { kind: "experiment_failed", problem: "all errored" }, 2);
    expect(rowOf(id)).toMatchObject({ state: "failed", problem: "all errored", finishedAt: 2 });
    expect(retryErrored(db, id, 3)).toBe(2);
    expect(rowOf(id)).toMatchObject({ state: "running", problem: null, finishedAt: null });
    expect((await claim(4)).job.kind).toBe("case_run");
  });

  test("that could not be prepared is prepared again", async () => {
    const id = enqueue();
    await queue.finish(await claim(0), { kind: "experiment_failed", problem: "no such file" }, 1);
    expect(rowOf(id)?.state).toBe("failed");
    expect(retryErrored(db, id, 2)).toBe(1);
    expect(rowOf(id)?.state).toBe("queued");
    expect((await claim(3)).job).toMatchObject({ kind: "prepare", attempts: 1 });
  });

  test("is listed newest first, page by page", () => {
    const ids = [1, 2, 3].map((now) => enqueue({}, now)).reverse();
    const first = listExperiments(db, { limit: 2 });
    expect(first.map(({ id }) => id)).toEqual(ids.slice(0, 2));
    const last = first[1];
    if (last === undefined) throw new Error("two were asked for");
    expect(listExperiments(db, { limit: 2, before: last }).map(({ id }) => id)).toEqual(ids.slice(2));
  });
});

describe("housekeeping", () => {
  test("drops jobs and log lines of what ended long ago, and keeps what was found", async () => {
    const DAY = 86_400_000;
    const old = await prepared(1);
    for (let n = 0; n < 2; n++) await queue.finish(await claim(0), done(), 5);
    await queue.finish(await claim(6), { kind: "verdict", document: aDocument("++++++++", "====") }, 7);
    const open = enqueue({}, 8);
    sweep(db, 29 * DAY);
    expect(statesOf(old)).toHaveLength(4);
    sweep(db, 31 * DAY);
    expect(statesOf(old)).toEqual([]);
    expect(logLines(db, old, { limit: 9 })).toEqual([]);
    expect(resultsOf(old)).toHaveLength(2);
    expect(rowOf(old)?.verdictId).not.toBeNull();
    expect(statesOf(open)).toEqual(["prepare queued"]);
    expect(retryErrored(db, old, 32 * DAY)).toBe(0);
  });

  test("leaves of what failed long ago the runs that errored, for nothing can run them again", async () => {
    const id = await prepared(1);
    for (let n = 0; n < 2; n++) await queue.finish(await claim(0), done(true), 5);
    await queue.finish(await claim(6), { kind: "experiment_failed", problem: "all errored" }, 7);
    expect(experimentView(db, id)).toMatchObject({ state: "failed", swept: false });
    sweep(db, 31 * 86_400_000);
    expect(experimentView(db, id)).toMatchObject({ state: "failed", swept: true });
    expect(retryErrored(db, id, 32 * 86_400_000)).toBe(0);
    expect(resultsOf(id)).toHaveLength(2);
    expect(rowOf(id)?.state).toBe("failed");
  });

  test("drops the transcripts of what ended long ago, and no other folder", () => {
    const DAY = 86_400_000;
    sweepTranscripts(db, folder, 31 * DAY);
    expect(existsSync(path.join(folder, "experiments"))).toBe(false);
    const [old, open, late] = [enqueue(), enqueue({}, 1), enqueue({}, 2)];
    cancelExperiment(db, old, 5);
    cancelExperiment(db, late, 2 * DAY);
    const kept = [open, late, "a person's own"];
    for (const name of [old, ...kept]) {
      mkdirSync(path.join(folder, "experiments", name), { recursive: true });
      writeFileSync(path.join(folder, "experiments", name, "run.jsonl"), "{}\n");
    }
    sweepTranscripts(db, folder, 29 * DAY);
    expect(readdirSync(path.join(folder, "experiments"))).toHaveLength(4);
    sweepTranscripts(db, folder, 31 * DAY);
    expect(readdirSync(path.join(folder, "experiments")).sort()).toEqual(kept.sort());
  });

  test("drops a diagnosis that ended long ago, and none that waits", async () => {
    const DAY = 86_400_000;
    const diagnosis = (run: number): NewJob => ({
      kind: "diagnose",
      experimentId: null,
      arm: "",
      caseId: "",
      run,
      payload: {},
      attemptsMax: 1,
    });
    await queue.enqueue([diagnosis(1), diagnosis(2)], 0);
    await queue.finish(await claim(0), { kind: "none" }, 5);
    sweep(db, 31 * DAY);
    expect(db.select().from(jobs).all()).toMatchObject([{ run: 2, state: "queued" }]);
  });

  test("notices a verdict that is due, once", async () => {
    const id = await prepared(1);
    for (let n = 0; n < 2; n++) await queue.finish(await claim(0), done(), 5);
    db.delete(jobs).where(eq(jobs.kind, "judge")).run();
    sweep(db, 9);
    sweep(db, 9);
    expect(statesOf(id).filter((line) => line.startsWith("judge"))).toEqual(["judge queued"]);
  });

  test("a log keeps its newest lines, and is read on from any of them", () => {
    const id = enqueue();
    for (let n = 0; n < 2_300; n++) addLog(db, id, n === 2_299 ? "x".repeat(5_000) : `line ${n}`, n);
    const count = db.select().from(experimentLog).all().length;
    expect(count).toBeGreaterThanOrEqual(2_000);
    expect(count).toBeLessThanOrEqual(2_100);
    const [before, last] = logLines(db, id, { limit: 2 });
    expect(before?.line).toBe("line 2298");
    expect(last?.line).toHaveLength(2_001);
    expect(logLines(db, id, { after: before?.id ?? 0, limit: 5 })).toEqual([last]);
  });
});
