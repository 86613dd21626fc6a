import path from "node:path";
import { eq } from "drizzle-orm";
import type { Db } from "#db/client.ts";
import { experiments } from "#db/schema.ts";
import { UserError } from "#lib/errors.ts";
import { type Prepared, prepareEval } from "#lib/eval/prepare.io.ts";
import { oneByOne } from "#lib/eval/run-pass.io.ts";
import { prepareStaging, type Staging } from "#lib/eval/workspace.io.ts";
import type { Settings } from "#lib/settings.ts";
import { evalRequestOf } from "./eval-request.ts";
import type { ExperimentRequest } from "./experiment.ts";
import { experimentsDir } from "./experiments-dir.ts";
import type { JobResult } from "./queue.ts";
import { storedRequest } from "./stored-request.ts";

export type Around = {
  settings: Settings;
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
};

export type ExperimentRow = Omit<typeof experiments.$inferSelect, "request"> & { request: ExperimentRequest };

/** What one worker keeps of an experiment between its runs. */
export type Ready = {
  row: ExperimentRow;
  prepared: Prepared;
  /** Null: no case needs a workspace of its own. */
  staging: Staging | null;
  transcriptsDir: string;
  /** Judgments come one after the other, so that a judge on the same machine is not asked by all runs at once. */
  judgeNext: ReturnType<typeof oneByOne>;
};

export type PreparedCache = {
  /** Hands a prepared experiment to `work`; prepares it first where this worker has not. */
  using<T>(experimentId: string, work: (ready: Ready) => Promise<T>): Promise<T>;
  /** Its runs have ended: what is tried again later is prepared again, with what was put right until then. */
  forget(experimentId: string): Promise<void>;
  /** Removes every copy of a fixture. */
  clear(): Promise<void>;
};

const KEPT_MAX = 8;
/** Another worker may have ended the experiment meanwhile, and a person may have put something right. */
const IDLE_MS = 30_000;

type Kept = { ready: Promise<Ready>; users: number; usedAt: number };

/** Preparing takes a while and copies the fixture: once for each experiment and process. */
export function preparedCache(open: () => Db, around: Around): PreparedCache {
  const kept = new Map<string, Kept>();
  const drop = async (id: string): Promise<void> => {
    const one = kept.get(id);
    kept.delete(id);
    const ready = await one?.ready.catch(() => null);
    await ready?.staging?.clear();
  };
  // Looked at again each time: while one is dropped, another may have been taken up.
  const dropIdle = async (id: string): Promise<void> => {
    if (kept.get(id)?.users === 0) await drop(id);
  };
  return {
    async using(id, work) {
      const known = kept.get(id);
      if (known?.users === 0 && Date.now() - known.usedAt > IDLE_MS) await drop(id);
      const one = kept.get(id) ?? { ready: prepare(open(), id, around), users: 0, usedAt: 0 };
      // Moved to the end: the first are those that were not used for longest.
      kept.delete(id);
      kept.set(id, one);
      one.users += 1;
      try {
        return await work(await one.ready);
      } finally {
        one.users -= 1;
        one.usedAt = Date.now();
        const idle = [...kept].filter(([, { users }]) => users === 0).map(([key]) => key);
        for (const old of idle.slice(0, Math.max(0, kept.size - KEPT_MAX))) await dropIdle(old);
        if ((await failed(one.ready)) && kept.get(id) === one) kept.delete(id);
      }
    },
    forget: dropIdle,
    async clear() {
      for (const id of [...kept.keys()]) await drop(id);
    },
  };
}

async function failed(ready: Promise<Ready>): Promise<boolean> {
  return ready.then(
    () => false,
    () => true,
  );
}

/** The experiment as it was asked for. Throws when it is gone, a UserError when it is damaged. */
export function experimentRow(db: Db, id: string): ExperimentRow {
  const row = db.select().from(experiments).where(eq(experiments.id, id)).get();
  if (row === undefined) throw new Error(`there is no experiment ${id}`);
  const request = storedRequest(row.request);
  if (request === null) throw new UserError("bad_input", "what was asked for is damaged in the database");
  return { ...row, request };
}

/** The end of an experiment of which something else stands there now than was prepared first; null while it is the same. */
export function changedSince(db: Db, { row, prepared }: Ready): JobResult | null {
  if (experimentRow(db, row.id).planSha256 === prepared.plan_sha256) return null;
  // Two measurements in one verdict are a measurement of nothing.
  return {
    kind: "experiment_failed",
    problem: "what is measured has changed since it was prepared: cases, fixture, configuration or model",
  };
}

async function prepare(db: Db, id: string, { settings, env, cwd }: Around): Promise<Ready> {
  const row = experimentRow(db, id);
  const transcriptsDir = path.join(experimentsDir(settings.dataDir), id);
  const { learningDir } = settings;
  const request = evalRequestOf(row.request, { transcriptsDir, learningDir });
  const prepared = await prepareEval(request, { settings, env, cwd });
  const sandboxed = prepared.items.some((item) => item.case.sandbox);
  const staging = sandboxed ? await prepareStaging(prepared.setup.fixture) : null;
  return { row, prepared, staging, transcriptsDir, judgeNext: oneByOne() };
}
