import type { Db } from "#db/client.ts";
import { diagnoseJob } from "#lib/diagnose/job.io.ts";
import { caseRunJob } from "./case-run-job.io.ts";
import type { Handlers } from "./handler.ts";
import { judgeJob } from "./judge-job.io.ts";
import { prepareJob } from "./prepare-job.io.ts";
import { type Around, preparedCache } from "./prepared.io.ts";

/** What a worker does for each kind of job, and how it clears up behind itself. */
export function handlersFor(open: () => Db, around: Around): { handlers: Handlers; clear(): Promise<void> } {
  const cache = preparedCache(open, around);
  return {
    handlers: {
      prepare: (job) => prepareJob(open, cache, job),
      case_run: (job, signal) => caseRunJob(open, cache, job, signal),
      judge: (job) => judgeJob(open, cache, job),
      diagnose: async ({ payload }, signal) => {
        const { settings, env, cwd } = around;
        await diagnoseJob(payload, { db: open(), settings, env, cwd, now_ms: Date.now(), signal });
        return { kind: "none" };
      },
    },
    clear: cache.clear,
  };
}
