import { closeSync, openSync } from "node:fs";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { messageOf, UserError } from "#lib/errors.ts";
import { makeFolder } from "#lib/make-folder.io.ts";

export type Lock = { release(): void };

/** Between two tries: from the one to the other, twice as long each time. */
const PAUSE_MS = { first: 20, longest: 200 };

/**
 * Takes a lock that at most one process holds, waiting up to `waitMs` for it; null while another has it. It is the
 * kernel's lock on a small file, through SQLite, so that it is gone with the process that held it however that ended: no
 * stale lock has to be recognised, and none can be taken for one. The file is never removed; that would give two
 * processes a lock each.
 */
export async function tryLock(file: string, waitMs = 0): Promise<Lock | null> {
  const { default: Database } = await import("better-sqlite3");
  const attempt = (): Lock | null => {
    let connection: InstanceType<typeof Database> | null = null;
    try {
      makeFolder(path.dirname(file), 0o700);
      closeSync(openSync(file, "a", 0o600));
      // SQLite's own waiting would hold up everything else in this process, the holder maybe included.
      const held = new Database(file, { timeout: 0 });
      connection = held;
      held.exec("BEGIN EXCLUSIVE");
      return { release: () => held.close() };
    } catch (error) {
      connection?.close();
      if (error instanceof Database.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
      const told = `the lock ${file} cannot be used: ${messageOf(error)}`;
      throw new UserError("bad_input", told, { cause: error });
    }
  };
  const until = performance.now() + waitMs;
  let lock = attempt();
  for (let pause = PAUSE_MS.first; lock === null && performance.now() < until; pause *= 2) {
    await sleep(Math.min(pause, PAUSE_MS.longest));
    lock = attempt();
  }
  return lock;
}
