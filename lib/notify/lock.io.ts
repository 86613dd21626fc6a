import { closeSync, openSync } from "node:fs";
import Database from "better-sqlite3";
import { UserError } from "#lib/errors.ts";

export type LockWait = { waitMs: number; pollMs: number; sleep: (ms: number) => Promise<void> };

/**
 * Runs `work` while no other process does, waiting for one that is at it. The lock is an exclusive transaction on a
 * database of its own: it may be held over seconds of network without anybody waiting for the real one, and the system
 * takes it from a process that dies. Throws a UserError when the wait is over.
 */
export async function withLock<T>(file: string, wait: LockWait, work: () => Promise<T>): Promise<T> {
  closeSync(openSync(file, "a", 0o600));
  const lock = new Database(file, { timeout: 0 });
  try {
    for (let waited = 0; !tryLock(lock); waited += wait.pollMs) {
      if (waited >= wait.waitMs)
        throw new UserError("bad_input", "another mecha notify is still at work; nothing was sent");
      await wait.sleep(wait.pollMs);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function tryLock(lock: Database.Database): boolean {
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return true;
  } catch (error) {
    if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return false;
    throw error;
  }
}
