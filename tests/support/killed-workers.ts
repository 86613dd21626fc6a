import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { eq } from "drizzle-orm";
import { expect } from "vitest";
import { type Db, openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { caseResults, experiments, jobs } from "#db/schema.ts";
import { enqueueExperiment } from "#lib/queue/experiments.io.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import { findVerdict, listVerdicts } from "#lib/verdict/store.io.ts";
import { runCli, tempHome } from "./cli.ts";
import { Prng } from "./prng.ts";
import { anExperiment, type QueueHome, queueHome } from "./queue-home.ts";

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");
const LEASE_MS = 400;
const CASES = 12;

/** `delayMs`: how long the model takes for a turn. The longer, the more kills hit a run. */
type KillPlan = { kills: number; experiments: number; seed: number; delayMs: number };

export type KilledWorkers = {
  kills: number;
  /** Kills that took a job from a worker which was at it. */
  interrupted: number;
  experiments: number;
  caseRuns: number;
  attempts: number;
};

/**
 * Kills workers at random moments until `kills` of them are dead, two at a time, over some experiments that are put into
 * the queue while it goes on; lets one worker finish; and looks at what all of them left behind.
 */
export async function killWorkers(plan: KillPlan): Promise<KilledWorkers> {
  const temp = tempHome();
  const made = queueHome(temp.home, { cases: CASES, delayMs: plan.delayMs });
  const { db, close } = openDb(path.join(made.dataDir, DB_FILE));
  try {
    const foreground = await inForeground(made, db);
    const random = new Prng(plan.seed);
    const ids: string[] = [];
    let interrupted = 0;
    const kill = async (share: number): Promise<void> => {
      for (let n = 0; n < share; n++) {
        while (ids.length * plan.kills < plan.experiments * (n + 1) * 2 && ids.length < plan.experiments)
          ids.push(enqueue(db, made));
        const child = startWorker(made, []);
        // Most moments fall where it works; a few before it has looked at the queue.
        if (random.next() > 0.1) await Promise.race([ready(child), once(child, "close")]);
        await Promise.race([wait(random.next() * 800), once(child, "close")]);
        const before = busy(db);
        child.kill("SIGKILL");
        await once(child, "close");
        if (before > 0) interrupted += 1;
      }
    };
    await Promise.all([kill(Math.ceil(plan.kills / 2)), kill(Math.floor(plan.kills / 2))]);
    while (ids.length < plan.experiments) ids.push(enqueue(db, made));
    const last = startWorker(made, ["--until-empty"]);
    const [code] = await once(last, "close");
    expect(code).toBe(0);
    for (const id of ids) look(db, id, foreground);
    const attempts = db
      .select()
      .from(jobs)
      .all()
      .reduce((sum, job) => sum + job.attempts, 0);
    const caseRuns = db.select().from(caseResults).all().length;
    return { kills: plan.kills, interrupted, experiments: ids.length, caseRuns, attempts };
  } finally {
    close();
    temp.remove();
  }
}

/** No kill may turn a run into an errored one, so that every verdict can be compared: attempts enough for all of them. */
function enqueue(db: Db, { casesFile }: QueueHome): string {
  return enqueueExperiment(db, anExperiment(casesFile), null, Date.now(), 10_000);
}

function busy(db: Db): number {
  return db
    .select()
    .from(jobs)
    .where(eq(jobs.state, "running"))
    .all()
    .filter(({ leaseUntil }) => (leaseUntil ?? 0) > Date.now()).length;
}

/** Whatever it says first. */
async function ready({ stdout }: ChildProcess): Promise<void> {
  if (stdout === null) throw new Error("its output is not read");
  await once(stdout, "data");
}

function startWorker({ home }: QueueHome, flags: string[]): ChildProcess {
  const env = {
    NODE_ENV: "test" as const,
    PATH: process.env.PATH,
    HOME: home,
    TZ: "UTC",
    MECHA_LEASE_MS: String(LEASE_MS),
  };
  return spawn(process.execPath, [bin, "worker", "--slots", "4", ...flags], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  }).on("spawn", function drain(this: ChildProcess) {
    this.stdout?.resume();
  });
}

/** The same change, measured by the command line in one go. */
async function inForeground({ home, casesFile }: QueueHome, db: Db): Promise<VerdictDocument> {
  const { overrides, metric, rationale } = anExperiment(casesFile);
  const change = overrides.flatMap((one) => ["--ab-config", one]);
  const predicted = ["--predicts", metric ?? "", "--because", rationale ?? "", "--class", "config"];
  const ran = await runCli(["eval", casesFile, "-p", "s", ...change, ...predicted, "--json"], { home });
  expect(ran).toMatchObject({ code: 0 });
  const [row] = listVerdicts(db, { limit: 1 });
  if (row === undefined) throw new Error(`no verdict was stored: ${ran.out}${ran.err}`);
  return findVerdict(db, row.id);
}

/** Ended; every case run there once; no job left; judged as in the foreground. */
function look(db: Db, id: string, foreground: VerdictDocument): void {
  const row = db.select().from(experiments).where(eq(experiments.id, id)).get();
  expect(row).toMatchObject({ state: "done", problem: null, jobs: CASES * 2 });
  const results = db.select().from(caseResults).where(eq(caseResults.experimentId, id)).all();
  const keys = new Set(results.map(({ arm, caseId, run }) => `${arm} ${caseId} ${run}`));
  expect([results.length, keys.size]).toEqual([CASES * 2, CASES * 2]);
  expect(results.filter(({ errored }) => errored)).toEqual([]);
  const left = db.select().from(jobs).where(eq(jobs.experimentId, id)).all();
  expect(left.map(({ state }) => state)).toEqual(left.map(() => "done"));
  expect(left).toHaveLength(CASES * 2 + 2);
  const verdict = findVerdict(db, row?.verdictId ?? "");
  expect(verdict.judgement).toEqual(foreground.judgement);
  expect(verdict.episodes).toEqual(foreground.episodes);
  expect({ ...verdict.prediction, made_at: "" }).toEqual({ ...foreground.prediction, made_at: "" });
  expect(verdict.prediction.made_at && Date.parse(verdict.prediction.made_at)).toBeLessThanOrEqual(
    row?.startedAt ?? 0,
  );
}
