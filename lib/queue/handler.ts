import type { Job, JobKind, JobResult } from "./queue.ts";

/**
 * Does one job. `signal` aborts when its result is not wanted any more: what comes back then is thrown away. What it throws
 * counts as a failed attempt.
 */
export type Handler = (job: Job, signal: AbortSignal) => Promise<JobResult>;

export type Handlers = Record<JobKind, Handler>;
