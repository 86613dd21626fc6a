import { setTimeout as sleep } from "node:timers/promises";
import type { Db } from "#db/client.ts";
import { hasCode } from "#lib/errors.ts";

/**
 * Runs `work` in one transaction that has the write lock from its start: whoever reads first and writes later would be
 * refused when somebody else has written in between. `work` must not await: a transaction of this database ends with it.
 */
export function immediate<T>(db: Db, work: () => T): T {
  // One connection: what `work` does on the same handle is part of the transaction.
  return db.transaction(() => work(), { behavior: "immediate" });
}

const BUSY_TRIES = 6;

/**
 * Runs `work`, and again when the database was busy all the time that a connection waits: who waits is not served in
 * turn, so on a machine with too much to do one of several can miss the lock for long.
 */
export async function patiently<T>(work: () => T): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return work();
    } catch (error) {
      if (tries >= BUSY_TRIES || !hasCode(error, "SQLITE_BUSY")) throw error;
      await sleep(20 * tries);
    }
  }
}
