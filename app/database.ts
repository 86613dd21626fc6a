import "server-only";
import { existsSync } from "node:fs";
import path from "node:path";
import { type Db, withSharedDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { readSettings } from "#lib/settings.io.ts";

/**
 * What `use` makes of the database, brought up to date; null where nothing was ever stored: looking at a page makes no
 * files. Throws a UserError for one that cannot be used.
 */
export function fromDatabase<T>(use: (db: Db) => T): T | null {
  const file = path.join(readSettings().dataDir, DB_FILE);
  return existsSync(/* turbopackIgnore: true */ file) ? withSharedDb(file, use) : null;
}

/** What `use` makes of the database, made where it is not there yet: something is to be stored. */
export function intoDatabase<T>(use: (db: Db) => T): T {
  return withSharedDb(path.join(readSettings().dataDir, DB_FILE), use);
}
