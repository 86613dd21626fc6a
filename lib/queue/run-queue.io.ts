import path from "node:path";
import { type Db, sharedDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { UserError } from "#lib/errors.ts";
import { handlersFor } from "./handlers.io.ts";
import { leaseMsFrom } from "./lease.ts";
import type { Around } from "./prepared.io.ts";
import { sqliteQueue } from "./sqlite-queue.io.ts";
import { sweep, sweepTranscripts } from "./sweep.io.ts";
import { runWorker, type WorkerOptions } from "./worker.io.ts";

const POLL_MS = 250;
export const SLOTS = 8;

/** A lost machine may take the last moments with it, whole transactions each: their jobs are then done once more. */
const quick = (db: Db): Db => {
  db.$client.pragma("synchronous = NORMAL");
  return db;
};

/** A worker on the queue of the data folder. Throws a UserError for settings or a database that cannot be used. */
export async function workOnQueue(
  around: Around,
  how: Pick<WorkerOptions, "slots" | "until" | "signal" | "say">,
): Promise<number> {
  const leaseMs = leaseMsFrom(around.env);
  if (!leaseMs.ok) throw new UserError("bad_input", leaseMs.problem);
  const file = path.join(around.settings.dataDir, DB_FILE);
  const open = () => quick(sharedDb(file));
  open();
  how.say(`ready, ${how.slots} job${how.slots === 1 ? "" : "s"} at once`);
  const { handlers, clear } = handlersFor(open, around);
  try {
    return await runWorker({
      ...how,
      queue: sqliteQueue(open),
      handlers,
      leaseMs: leaseMs.value,
      pollMs: POLL_MS,
      sweep: () => {
        const now = Date.now();
        sweep(open(), now);
        sweepTranscripts(open(), around.settings.dataDir, now);
      },
    });
  } finally {
    await clear();
    open().$client.close();
  }
}
