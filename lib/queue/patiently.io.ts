import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "#lib/errors.ts";

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
