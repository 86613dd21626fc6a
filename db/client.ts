import { chmodSync, closeSync, openSync, statSync } from "node:fs";
import path from "node:path";
import Database from "better-sqlite3";
import { type BetterSQLite3Database, drizzle } from "drizzle-orm/better-sqlite3";
import { migrate } from "drizzle-orm/better-sqlite3/migrator";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { messageOf, UserError } from "#lib/errors.ts";
import { makeFolder } from "#lib/make-folder.io.ts";
import { migrationsFolder } from "./migrations-folder.ts";
import * as schema from "./schema.ts";

export type Db = BetterSQLite3Database<typeof schema> & { $client: Database.Database };
export type OpenDb = { db: Db; close: () => void };

/** How long a writer waits for another: longer than any transaction of ours may take. */
const BUSY_MS = 10_000;
/** How long a process waits for another to migrate. */
const MIGRATION_MS = 60_000;

/**
 * Opens the database, makes it when it is not there, and brings it up to date. Only its owner may read it. Any number
 * of processes may do this at the same time. Throws a UserError for a file that cannot be used.
 */
export function openDb(file: string): OpenDb {
  try {
    makePrivate(file);
    const connection = locked(`${file}.lock`, () => connected(file));
    return { db: drizzle(connection, { schema }), close: () => connection.close() };
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unusable(file, error);
  }
}

function unusable(file: string, error: unknown): UserError {
  return new UserError("bad_input", `the database ${file} cannot be used: ${messageOf(error)}`, {
    cause: error,
  });
}

/** Hands `use` the shared handle. Throws a UserError also where the file opens and turns out damaged, full or locked later. */
export function withSharedDb<T>(file: string, use: (db: Db) => T): T {
  const db = sharedDb(file);
  try {
    return use(db);
  } catch (error) {
    if (error instanceof Database.SqliteError) throw unusable(file, error);
    throw error;
  }
}

const HANDLES = Symbol.for("mecha.databases");
type Handles = { [HANDLES]?: Map<string, OpenDb & { identity: string | null }> };

/**
 * The one handle of this process to a database. A server's pages and routes may each have their own copy of this
 * module; the handle hangs where all of them find it. A file that was replaced is opened anew: what is written to the
 * one that is gone, nobody finds again.
 */
export function sharedDb(file: string): Db {
  const holder = globalThis as Handles;
  holder[HANDLES] ??= new Map();
  const known = holder[HANDLES].get(file);
  if (known?.db.$client.open && known.identity === identityOf(file)) return known.db;
  known?.close();
  holder[HANDLES].delete(file);
  const opened = openDb(file);
  holder[HANDLES].set(file, { ...opened, identity: identityOf(file) });
  return opened.db;
}

/** What tells a file from another of its name; null when it is gone. */
function identityOf(file: string): string | null {
  const found = statSync(/* turbopackIgnore: true */ file, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
}

function makePrivate(file: string): void {
  // Only a folder we make is tightened: one that is there may serve others too.
  makeFolder(path.dirname(file), 0o700);
  for (const own of [file, `${file}.lock`]) {
    closeSync(openSync(/* turbopackIgnore: true */ own, "a", 0o600));
    chmodSync(own, 0o600);
  }
}

/**
 * Runs `work` while no other process does. The lock is a database of its own: two processes that switch the same file
 * to a write-ahead log and migrate it at once disturb each other, whatever they wait.
 */
function locked<T>(file: string, work: () => T): T {
  const lock = new Database(file, { timeout: MIGRATION_MS });
  try {
    lock.exec("BEGIN EXCLUSIVE");
    return work();
  } finally {
    lock.close();
  }
}

function connected(file: string): Database.Database {
  const connection = new Database(file, { timeout: BUSY_MS });
  try {
    connection.pragma("journal_mode = WAL");
    connection.pragma("foreign_keys = ON");
    const folder = migrationsFolder();
    migrate(drizzle(connection), { migrationsFolder: folder });
    refuseNewer(connection, file, readMigrationFiles({ migrationsFolder: folder }).length);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  }
}

/** A newer mecha may mean something else by the same columns. */
function refuseNewer(connection: Database.Database, file: string, known: number): void {
  const row: unknown = connection.prepare("select count(*) as n from __drizzle_migrations").get();
  const applied = typeof row === "object" && row !== null && "n" in row ? Number(row.n) : 0;
  if (applied > known) {
    throw new UserError(
      "bad_input",
      `the database ${file} was made by a newer mecha: use that one, or another data folder`,
    );
  }
}
