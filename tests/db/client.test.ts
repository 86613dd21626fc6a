import { execFile } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import Database from "better-sqlite3";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDb, sharedDb, withSharedDb } from "#db/client.ts";
import { UserError } from "#lib/errors.ts";
import { listVerdicts } from "#lib/verdict/store.io.ts";

const run = promisify(execFile);
let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "db-"));
  file = path.join(folder, "new", "data", "mecha.db");
});
afterEach(() => rmSync(folder, { recursive: true }));

const mode = (place: string) => (statSync(place).mode & 0o777).toString(8);

describe("opening the database", () => {
  it("makes it and its folder for its owner alone", () => {
    const { db, close } = openDb(file);
    expect(listVerdicts(db, { limit: 10 })).toEqual([]);
    expect(mode(path.dirname(file))).toBe("700");
    for (const own of [file, `${file}.lock`, `${file}-wal`]) expect(mode(own), own).toBe("600");
    close();
  });

  it("tightens its own files, but not a folder that was there before", () => {
    const shared = path.join(folder, "shared");
    mkdirSync(shared);
    chmodSync(shared, 0o755);
    const place = path.join(shared, "mecha.db");
    writeFileSync(place, "", { mode: 0o644 });
    openDb(place).close();
    expect([mode(shared), mode(place)]).toEqual(["755", "600"]);
  });

  it("keeps a write-ahead log, foreign keys and a time to wait", () => {
    openDb(file).close();
    const { db, close } = openDb(file);
    const told = (pragma: string) => db.$client.pragma(pragma, { simple: true });
    expect([told("journal_mode"), told("foreign_keys"), told("busy_timeout")]).toEqual(["wal", 1, 10_000]);
    close();
  });

  it("refuses what is no database, a folder, and a database from the future, in words", () => {
    const broken = path.join(folder, "broken.db");
    writeFileSync(broken, "this is a diary, not a database, and it is longer than a header".repeat(40));
    expect(() => openDb(broken)).toThrow(UserError);
    expect(() => openDb(folder)).toThrow(/cannot be used/);
    openDb(file).close();
    const raw = new Database(file);
    raw.exec("insert into __drizzle_migrations (hash, created_at) values ('from the future', 9999999999999)");
    raw.close();
    expect(() => openDb(file)).toThrow(/newer mecha/);
  });

  it("gives one handle to a process, however often it is asked", () => {
    expect(sharedDb(file)).toBe(sharedDb(file));
    sharedDb(file).$client.close();
  });

  it("says in words what goes wrong with it later, and leaves our own faults what they are", () => {
    const use = () => withSharedDb(file, (db) => listVerdicts(db, { limit: 1 }));
    expect(use()).toEqual([]);
    withSharedDb(file, (db) => db.$client.exec("drop table share_tokens; drop table verdicts"));
    expect(use).toThrow(UserError);
    expect(use).toThrow(/cannot be used: no such table/);
    const ours = () =>
      withSharedDb(file, () => {
        throw new TypeError("ours");
      });
    expect(ours).toThrow(TypeError);
    sharedDb(file).$client.close();
  });

  it("does not keep on with a file that was put aside: what is written there would be lost", () => {
    const old = sharedDb(file);
    for (const own of [file, `${file}-wal`, `${file}-shm`]) rmSync(own, { force: true });
    openDb(file).close();
    const current = sharedDb(file);
    expect([current === old, old.$client.open, current.$client.open]).toEqual([false, false, true]);
    current.$client.close();
  });

  it("is safe for several processes that start at once on nothing", async () => {
    for (let round = 0; round < 2; round++) {
      const place = path.join(folder, `round-${round}`, "mecha.db");
      const processes = Array.from({ length: 4 }, (_, i) =>
        run(process.execPath, ["--import", "tsx", "tests/db/open-and-save.ts", place, `process ${i}`]),
      );
      const told = (await Promise.all(processes)).map(
        ({ stdout }) => JSON.parse(stdout) as Record<string, boolean>,
      );
      expect(told.every((one) => one.fresh)).toBe(true);
      expect(told.filter((one) => one.again)).toHaveLength(1);
      const { db, close } = openDb(place);
      expect(listVerdicts(db, { limit: 10 })).toHaveLength(5);
      close();
    }
  }, 120_000);
});
