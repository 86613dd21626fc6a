/**
 * Runs every job with at most `width` in flight, in their order. After `stopped()` turns true no further job starts and
 * those in flight are waited for. A job that throws ends the pool: the rest in flight is waited for, then it rejects.
 */
export async function runPool<Job>(
  jobs: readonly Job[],
  width: number,
  run: (job: Job) => Promise<void>,
  stopped: () => boolean,
): Promise<void> {
  let next = 0;
  let failed = false;
  const lane = async (): Promise<void> => {
    while (next < jobs.length && !failed && !stopped()) {
      const job = jobs[next] as Job;
      next += 1;
      try {
        await run(job);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const lanes = Array.from({ length: Math.min(width, jobs.length) }, lane);
  const ends = await Promise.allSettled(lanes);
  const bad = ends.find((end) => end.status === "rejected");
  if (bad !== undefined) throw bad.reason;
}
