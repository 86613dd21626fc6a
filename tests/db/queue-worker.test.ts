import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Db, openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { caseResults, jobs } from "#db/schema.ts";
import { cancelExperiment, enqueueExperiment, retryErrored } from "#lib/queue/experiments.io.ts";
import type { Handlers } from "#lib/queue/handler.ts";
import { logLines } from "#lib/queue/log.io.ts";
import { sqliteQueue } from "#lib/queue/sqlite-queue.io.ts";
import { experimentView } from "#lib/queue/view.io.ts";
import { runWorker, type WorkerOptions } from "#lib/queue/worker.io.ts";
import { findVerdict } from "#lib/verdict/store.io.ts";
import { runCli, tempHome } from "#tests/support/cli.ts";
import { anExperiment, type QueueHome, queueHome } from "#tests/support/queue-home.ts";

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");
let made: QueueHome;
let db: Db;
let clear: () => void;

beforeEach(() => {
  const temp = tempHome();
  made = queueHome(temp.home, { cases: 12 });
  const opened = openDb(path.join(made.dataDir, DB_FILE));
  db = opened.db;
  clear = () => {
    opened.close();
    temp.remove();
  };
});
afterEach(() => clear());

const enqueue = (parts = {}) => enqueueExperiment(db, anExperiment(made.casesFile, parts), null, Date.now());
const work = (...flags: string[]) => runCli(["worker", ...flags], { home: made.home });
const linesOf = (id: string) => logLines(db, id, { limit: 200 }).map(({ line }) => line);

function start(): ChildProcess {
  const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, HOME: made.home, TZ: "UTC" };
  const stdio = ["ignore", "ignore", "inherit"] as const;
  return spawn(process.execPath, [bin, "worker"], { cwd: made.home, env, stdio: [...stdio] });
}

describe("mecha worker", () => {
  test("takes an experiment from its queue to its verdict", async () => {
    queueHome(made.home, { cases: 24 });
    const id = enqueue();
    const ran = await work("--until-empty");
    expect(ran).toMatchObject({ code: 0, err: "" });
    const view = experimentView(db, id);
    expect(view).toMatchObject({
      state: "done",
      arms: { a: { total: 24, done: 24, failing: 14 }, b: { total: 24, done: 24, failing: 0 } },
    });
    const { prediction, judgement } = findVerdict(db, view?.verdictId ?? "");
    expect(prediction).toMatchObject({ metric: "cut_short", change: "max_turns=9", change_class: "config" });
    expect(prediction.made_at).toBe(new Date(view?.createdAt ?? 0).toISOString().replace(".000Z", "Z"));
    expect(judgement.prediction).toBe("kept");
    expect(linesOf(id).at(-1)).toBe("judged: accept");
    expect(linesOf(id)).toContain('FAILED  arm A  case-2 (run 1): says "answer 2"');
  });

  test("keeps transcripts beside the experiment, and never among the sessions", async () => {
    const id = enqueue();
    await work("--until-empty");
    const folder = path.join(made.dataDir, "experiments", id);
    expect(readdirSync(folder)).toHaveLength(24);
    const [first] = db.select().from(caseResults).where(eq(caseResults.experimentId, id)).all();
    const { transcript } = JSON.parse(first?.result ?? "{}");
    expect(existsSync(path.join(folder, transcript))).toBe(true);
    expect(path.isAbsolute(transcript)).toBe(false);
    expect(existsSync(made.settings.sessionDir)).toBe(false);
  });

  test("--once does one job", async () => {
    const id = enqueue();
    await work("--once");
    expect(experimentView(db, id)).toMatchObject({ state: "running", arms: { a: { total: 12, done: 0 } } });
    await work("--once");
    expect(db.select().from(caseResults).all()).toHaveLength(1);
    expect((await work("--once", "--until-empty")).code).toBe(2);
  });

  test("what cannot be prepared fails with its reason, and runs once that is put right", async () => {
    const missing = path.join(made.home, "set", "none.jsonl");
    const id = enqueueExperiment(db, anExperiment(missing), null, Date.now());
    await work("--until-empty");
    expect(experimentView(db, id)).toMatchObject({
      state: "failed",
      problem: expect.stringContaining(missing),
    });
    writeFileSync(missing, readFileSync(made.casesFile));
    expect(retryErrored(db, id, Date.now())).toBe(1);
    await work("--until-empty");
    expect(experimentView(db, id)).toMatchObject({ state: "done", problem: null });
  });

  test("cases that changed after they were prepared are not measured into the same verdict", async () => {
    const id = enqueue();
    await work("--once");
    writeFileSync(made.casesFile, readFileSync(made.casesFile, "utf8").replace("answer 3", "another 3"));
    await work("--until-empty");
    expect(experimentView(db, id)).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("has changed since it was prepared"),
      verdictId: null,
    });
  });

  test("nor judged where they changed after the last of them was run", async () => {
    queueHome(made.home, { cases: 1 });
    const id = enqueue();
    for (const _job of ["prepare", "arm a", "arm b"]) await work("--once");
    expect(experimentView(db, id)).toMatchObject({
      state: "running",
      arms: { a: { done: 1 }, b: { done: 1 } },
    });
    writeFileSync(made.casesFile, readFileSync(made.casesFile, "utf8").replace("answer 0", "another 0"));
    await work("--until-empty");
    expect(experimentView(db, id)).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("has changed since it was prepared"),
      verdictId: null,
    });
  });

  test("arms that lost more than one run in ten to errors are judged, and the gate only proposes", async () => {
    const script = path.join(made.home, ".mecha", "script.json");
    const good = readFileSync(script, "utf8");
    const bad = JSON.parse(good);
    const rule = bad.rules[4];
    for (const one of [rule, bad.rules[3], bad.rules[8]])
      one.steps = [{ fail: { problem: "the server is down" } }];
    const id = enqueue();
    writeFileSync(script, JSON.stringify(bad));
    await work("--until-empty");
    const view = experimentView(db, id);
    expect(view).toMatchObject({ state: "done", problem: null, arms: { a: { done: 12, errored: 3 } } });
    const { judgement } = findVerdict(db, view?.verdictId ?? "");
    expect(judgement.reason).toBe("runs_errored");
    // What stands is not measured anew.
    expect(retryErrored(db, id, Date.now())).toBe(0);
  });

  test("what is put right while a worker runs is what the next try sees", async () => {
    const script = path.join(made.home, ".mecha", "script.json");
    const good = readFileSync(script, "utf8");
    writeFileSync(
      script,
      JSON.stringify({ name: "s", otherwise: { fail: { problem: "the key is wrong" } } }),
    );
    const child = start();
    const id = enqueue();
    while (experimentView(db, id)?.finishedAt == null) await wait(20);
    expect(experimentView(db, id)).toMatchObject({
      state: "failed",
      problem: expect.stringContaining("the key is wrong"),
    });
    writeFileSync(script, good);
    expect(retryErrored(db, id, Date.now())).toBe(24);
    while (experimentView(db, id)?.finishedAt == null) await wait(20);
    expect(experimentView(db, id)).toMatchObject({ state: "done", problem: null });
    child.kill("SIGTERM");
    await once(child, "close");
  });

  test("settings that cannot be used are said", async () => {
    const ran = await runCli(["worker", "--once"], { home: made.home, env: { MECHA_LEASE_MS: "soon" } });
    expect(ran).toMatchObject({ code: 1, err: expect.stringContaining("MECHA_LEASE_MS") });
  });
});

describe("a worker that is told to end", () => {
  test("gives back what it is at, at once and without an attempt, and leaves", async () => {
    // Whoever waited for its runs would not leave before the test is over.
    queueHome(made.home, { cases: 12, delayMs: 60_000 });
    const id = enqueue();
    const child = start();
    const runningNow = () => db.select().from(jobs).where(eq(jobs.state, "running")).all();
    while (runningNow().filter(({ kind }) => kind === "case_run").length < 4) await wait(20);
    child.kill("SIGTERM");
    const [code] = await once(child, "close");
    expect(code).toBe(0);
    expect(runningNow()).toEqual([]);
    const waiting = db.select().from(jobs).where(eq(jobs.kind, "case_run")).all();
    expect(waiting.filter(({ state }) => state === "queued").every(({ attempts }) => attempts === 0)).toBe(
      true,
    );
    const counted = db.select().from(caseResults).where(eq(caseResults.experimentId, id)).all();
    expect(counted.filter(({ errored }) => errored)).toEqual([]);
    expect(experimentView(db, id)?.state).toBe("running");
  });

  test("leaves as well when its parent is gone", async () => {
    queueHome(made.home, { cases: 12, delayMs: 60_000 });
    enqueue();
    const env = { NODE_ENV: "test" as const, PATH: process.env.PATH, HOME: made.home, TZ: "UTC" };
    const beside = path.resolve(import.meta.dirname, "../../dist/worker.mjs");
    const child = fork(beside, { cwd: made.home, env, stdio: ["ignore", "ignore", "inherit", "ipc"] });
    while (db.select().from(jobs).where(eq(jobs.state, "running")).all().length < 4) await wait(20);
    child.disconnect();
    expect(await once(child, "exit")).toEqual([0, null]);
    expect(db.select().from(jobs).where(eq(jobs.state, "running")).all()).toEqual([]);
  });

  test("breaks off a run whose experiment is cancelled, and stores nothing of it", async () => {
    queueHome(made.home, { cases: 12, delayMs: 60_000 });
    const id = enqueue();
    const child = start();
    while (db.select().from(jobs).where(eq(jobs.state, "running")).all().length < 4) await wait(20);
    expect(cancelExperiment(db, id, Date.now())).toBe(true);
    await wait(300);
    child.kill("SIGTERM");
    await once(child, "close");
    expect(db.select().from(caseResults).all()).toEqual([]);
    expect(experimentView(db, id)?.state).toBe("cancelled");
    expect(
      new Set(
        db
          .select()
          .from(jobs)
          .all()
          .map(({ state }) => state),
      ),
    ).toEqual(new Set(["done", "cancelled"]));
  });
});

describe("runWorker", () => {
  const options = (handlers: Partial<Handlers>, parts: Partial<WorkerOptions> = {}): WorkerOptions => {
    const refuse = async () => {
      throw new Error("not expected");
    };
    return {
      queue: sqliteQueue(() => db),
      handlers: { prepare: refuse, case_run: refuse, judge: refuse, diagnose: refuse, ...handlers },
      slots: 2,
      leaseMs: 300,
      pollMs: 10,
      until: "empty",
      signal: new AbortController().signal,
      say: () => undefined,
      ...parts,
    };
  };
  const diagnosis = (n: number, attemptsMax = 1) => ({
    kind: "diagnose" as const,
    experimentId: null,
    arm: "" as const,
    caseId: "",
    run: n,
    payload: { n },
    attemptsMax,
  });

  test("goes on after a job that throws, and says what it threw", async () => {
    const said: string[] = [];
    const queue = sqliteQueue(() => db);
    await queue.enqueue(
      [1, 2, 3].map((n) => diagnosis(n)),
      0,
    );
    const handler: Handlers["diagnose"] = async ({ payload }) => {
      if ((payload as { n: number }).n === 2) throw new Error("no model");
      return { kind: "none" };
    };
    expect(await runWorker(options({ diagnose: handler }, { say: (line) => said.push(line) }))).toBe(3);
    expect(said).toContain("diagnose: no model");
    const states = db
      .select()
      .from(jobs)
      .all()
      .map(({ state, problem }) => [state, problem]);
    expect(states).toEqual([
      ["done", null],
      ["failed", "no model"],
      ["done", null],
    ]);
  });

  test("keeps a job that takes longer than its lease, and never has more than its slots", async () => {
    await sqliteQueue(() => db).enqueue(
      [1, 2, 3, 4].map((n) => diagnosis(n)),
      0,
    );
    let flying = 0;
    let most = 0;
    let calls = 0;
    const handler: Handlers["diagnose"] = async () => {
      calls += 1;
      flying += 1;
      most = Math.max(most, flying);
      await wait(700);
      flying -= 1;
      return { kind: "none" };
    };
    const working = runWorker(options({ diagnose: handler }));
    await wait(500);
    const rival = await sqliteQueue(() => db).claim(Date.now(), 300);
    expect(rival?.job.attempts).toBe(1);
    if (rival !== null) await sqliteQueue(() => db).finish(rival, { kind: "none" }, Date.now());
    expect(await working).toBe(3);
    expect([calls, most]).toEqual([3, 2]);
    const ended = db.select({ state: jobs.state }).from(jobs).all();
    expect(ended).toEqual([1, 2, 3, 4].map(() => ({ state: "done" })));
  });

  test("aborts a job that another worker has taken over, and does not store what it brings", async () => {
    await sqliteQueue(() => db).enqueue([diagnosis(1, 5)], 0);
    let aborted = false;
    const handler: Handlers["diagnose"] = async (_, signal) => {
      db.update(jobs).set({ leaseToken: "somebody else's" }).run();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted = true;
      return { kind: "none" };
    };
    await runWorker(options({ diagnose: handler }, { until: "once" }));
    expect(aborted).toBe(true);
    expect(db.select().from(jobs).get()).toMatchObject({ state: "running", leaseToken: "somebody else's" });
  });

  test("gives back what it was handed in the moment in which it was told to end", async () => {
    const stop = new AbortController();
    const queue = sqliteQueue(() => db);
    await queue.enqueue([diagnosis(1)], 0);
    const late: WorkerOptions["queue"] = {
      ...queue,
      claim: async (now, leaseMs) => {
        const claim = await queue.claim(now, leaseMs);
        stop.abort();
        return claim;
      },
    };
    const handler: Handlers["diagnose"] = async () => ({ kind: "none" });
    expect(await runWorker(options({ diagnose: handler }, { queue: late, signal: stop.signal }))).toBe(0);
    expect(db.select().from(jobs).get()).toMatchObject({ state: "queued", attempts: 0, leaseToken: null });
  });

  test("ends with what the queue says when that fails again and again", async () => {
    const queue = { ...sqliteQueue(() => db), claim: () => Promise.reject(new Error("the disk is full")) };
    const said: string[] = [];
    const ran = runWorker(
      options({}, { queue, say: (line) => said.push(line), until: "stopped", pollMs: 1 }),
    );
    await expect(ran).rejects.toThrow("the disk is full");
    expect(said).toHaveLength(10);
  });
});
