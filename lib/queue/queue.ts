import type { VerdictDocument } from "#lib/verdict/document.ts";

/** What can be worked on. */
export type JobKind = "prepare" | "case_run" | "judge" | "diagnose";

export type NewJob = {
  kind: JobKind;
  experimentId: string | null;
  /** Which case run; empty and 0 for other kinds. */
  arm: "" | "a" | "b";
  caseId: string;
  run: number;
  /** JSON-serialisable. */
  payload: unknown;
  attemptsMax: number;
};

export type Job = NewJob & { id: number; attempts: number };

/** A job for as long as its lease holds. The token is what every later word about the job is checked against. */
export type Claim = { job: Job; leaseToken: string; leaseUntil: number };

/**
 * Where jobs wait. Everything above it is written against this, so that an engine on another database can take its
 * place. Times are ms since the epoch and come from the caller.
 *
 * Whoever holds the newest lease may finish the job; a finish with an older one is refused (`false`), and what came with
 * it is not stored.
 */
export type Queue = {
  /** A job that is there already (experiment, kind, arm, case, run) is left as it is. Gives how many are new. */
  enqueue(jobs: readonly NewJob[], now: number): Promise<number>;
  /** The next job that may run: queued, or running with a lease that ran out. Counts an attempt. */
  claim(now: number, leaseMs: number): Promise<Claim | null>;
  /** Prolongs the lease; false: it is lost, or the job was cancelled. */
  heartbeat(claim: Claim, now: number, leaseMs: number): Promise<boolean>;
  /** Done, together with what it gave, or not at all. */
  finish(claim: Claim, result: JobResult, now: number): Promise<boolean>;
  /** Back to the queue after a pause that grows with the attempts; `failed` when there are none left. */
  fail(claim: Claim, problem: string, now: number): Promise<boolean>;
  /** Gives the job back without counting an attempt: the worker is asked to end. */
  release(claim: Claim, now: number): Promise<boolean>;
  /** Jobs that wait or are being worked on, by whomever. */
  open(): Promise<number>;
};

/** What a finished job leaves behind, stored in the same transaction. */
export type JobResult =
  | { kind: "none" }
  /** JSON of the graded run, and how it ended in a line for the log. */
  | { kind: "case_run"; passed: boolean; errored: boolean; result: string; line: string }
  /** An experiment is prepared: what identifies what is measured, and its case runs. Another plan than the stored one fails the experiment. */
  | { kind: "plan"; planSha256: string; plan: unknown; jobs: readonly NewJob[] }
  /** The experiment is decided. */
  | { kind: "verdict"; document: VerdictDocument }
  /** The experiment cannot go on, however often it were tried. */
  | { kind: "experiment_failed"; problem: string };
