import type { Db } from "./client.ts";

/**
 * Runs `work` in one transaction that has the write lock from its start: whoever reads first and writes later would be
 * refused when somebody else has written in between. `work` must not await: a transaction of this database ends with it.
 */
export function immediate<T>(db: Db, work: () => T): T {
  // One connection: what `work` does on the same handle is part of the transaction.
  return db.transaction(() => work(), { behavior: "immediate" });
}
