import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect } from "vitest";
import { openDb } from "#db/client.ts";
import { caseResults, jobs } from "#db/schema.ts";
import { fillQueue } from "#scripts/bench/fill-queue.ts";
import { tempHome } from "./cli.ts";

const drain = path.resolve(import.meta.dirname, "../../dist/bench-queue.mjs");
const run = promisify(execFile);

/** Lets processes drain one queue against each other: every job is claimed by one of them, once, and has one result. */
export async function raceFor(count: number, workers: number): Promise<void> {
  const temp = tempHome();
  try {
    const file = path.join(temp.home, "mecha.db");
    await fillQueue(file, count);
    const claimed = await Promise.all(
      Array.from({ length: workers }, async () => {
        const { stdout } = await run(
          process.execPath,
          [drain, "--drain", file, "--workers", String(workers), "--work-ms", "1"],
          { maxBuffer: 1 << 24 },
        );
        return JSON.parse(stdout) as number[];
      }),
    );
    const all = claimed.flat();
    expect([all.length, new Set(all).size]).toEqual([count, count]);
    expect(claimed.filter((own) => own.length > 0).length).toBeGreaterThan(1);
    const { db, close } = openDb(file);
    expect(db.select().from(caseResults).all()).toHaveLength(count);
    expect(
      new Set(
        db
          .select()
          .from(jobs)
          .all()
          .map(({ state }) => state),
      ),
    ).toEqual(new Set(["done"]));
    close();
  } finally {
    temp.remove();
  }
}
