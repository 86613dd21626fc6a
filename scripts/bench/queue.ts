import { openDb } from "#db/client.ts";
import { sqliteQueue } from "#lib/queue/sqlite-queue.io.ts";

const LEASE_MS = 60_000;

/** Claims and ends jobs until none is left. Gives the ids of those that it claimed. */
export async function drain(file: string): Promise<number[]> {
  const { db, close } = openDb(file);
  db.$client.pragma("synchronous = NORMAL");
  const queue = sqliteQueue(() => db);
  const claimed: number[] = [];
  for (;;) {
    const claim = await queue.claim(Date.now(), LEASE_MS);
    if (claim === null) break;
    if (claim.job.kind !== "case_run") {
      // The verdict of an experiment whose runs have all ended: not what is timed.
      await queue.finish(claim, { kind: "none" }, Date.now());
      continue;
    }
    claimed.push(claim.job.id);
    const result = { kind: "case_run", passed: true, errored: false, result: "{}", line: "passed" } as const;
    if (!(await queue.finish(claim, result, Date.now())))
      throw new Error(`job ${claim.job.id} was taken away`);
  }
  close();
  return claimed;
}
