import { existsSync } from "node:fs";
import path from "node:path";
import type { Db } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { messageOf, UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import type { VerdictDocument } from "#lib/verdict/document.ts";
import type { CliIo } from "./io.ts";
import { settle } from "./store.ts";

/** The database's path, as the environment says it. */
export function verdictDb(io: CliIo): string {
  return path.join(settle(io, {}, { zoneUnread: true }).dataDir, DB_FILE);
}

/**
 * Hands the database to `read`. Null when there is none yet: a command that only reads makes no file. What opens it is
 * loaded here and nowhere earlier: the database's engine is a native addon.
 */
export async function fromDb<T>(io: CliIo, read: (db: Db) => T): Promise<T | null> {
  const file = verdictDb(io);
  if (!existsSync(file)) return null;
  return withDb(file, read);
}

/** Stores a verdict; says why where it cannot, and never throws for it: the verdict itself stands. */
export async function storeVerdict(io: CliIo, document: VerdictDocument): Promise<string | null> {
  try {
    const { saveVerdict } = await import("#lib/verdict/store.io.ts");
    await withDb(verdictDb(io), (db) => saveVerdict(db, document, io.now_ms));
    return null;
  } catch (error) {
    return visible(messageOf(error));
  }
}

/** Hands the database to `use`, made where there is none. Throws UserError where it cannot be used. */
export async function withDb<T>(file: string, use: (db: Db) => T): Promise<T> {
  const { openDb } = await import("#db/client.ts");
  const { db, close } = openDb(file);
  try {
    return use(db);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError("bad_input", `the database ${visible(file)} cannot be used: ${messageOf(error)}`, {
      cause: error,
    });
  } finally {
    close();
  }
}
