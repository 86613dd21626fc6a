import { openDb } from "#db/client.ts";
import { experiments } from "#db/schema.ts";
import type { NewJob } from "#lib/queue/queue.ts";
import { sqliteQueue } from "#lib/queue/sqlite-queue.io.ts";

/** A database with as many tiny case runs, over two experiments, and an end that never comes for their verdicts. */
export async function fillQueue(file: string, jobs: number): Promise<void> {
  const { db, close } = openDb(file);
  for (const id of ["one", "two"])
    db.insert(experiments)
      .values({
        id,
        createdAt: 0,
        change: "max_turns=9",
        changeClass: "config",
        holdoutIn: 3,
        request: JSON.stringify({ concurrency: 64 }),
        state: "running",
      })
      .run();
  const list = Array.from(
    { length: jobs },
    (_, n): NewJob => ({
      kind: "case_run",
      experimentId: n % 2 === 0 ? "one" : "two",
      arm: "a",
      caseId: `case-${n}`,
      run: 1,
      payload: null,
      attemptsMax: 3,
    }),
  );
  await sqliteQueue(() => db).enqueue(list, 0);
  close();
}
