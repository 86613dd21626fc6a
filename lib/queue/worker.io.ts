import { setTimeout as sleep } from "node:timers/promises";
import { messageOf } from "#lib/errors.ts";
import type { Handlers } from "./handler.ts";
import type { Claim, Queue } from "./queue.ts";

export type WorkerOptions = {
  queue: Queue;
  handlers: Handlers;
  /** Jobs at once. */
  slots: number;
  leaseMs: number;
  /** How long it waits before it looks again where there was nothing to do. */
  pollMs: number;
  /** `once`: one job at most; `empty`: until no job waits or runs anywhere. */
  until: "stopped" | "once" | "empty";
  /** Aborts: breaks off what is in flight, gives it back, and ends. */
  signal: AbortSignal;
  say(line: string): void;
  /** Called now and then while it runs. */
  sweep?(): void;
};

/** A cancelled job is noticed within this. */
const HEARTBEAT_MS = 5_000;
const SWEEP_MS = 60_000;
/** So often in a row may the queue itself fail before the worker ends with what it said. */
const TROUBLE_MAX = 10;

/**
 * Takes jobs and does them until it is told to stop. A job that throws has failed once and nothing else; one that is
 * given back, or whose worker dies, is done by another. Gives how many jobs it ended.
 */
export async function runWorker(options: WorkerOptions): Promise<number> {
  const { pollMs, until, signal } = options;
  const flying = new Set<Promise<void>>();
  const tidy = nowAndThen(options);
  let ended = 0;
  let trouble = 0;
  while (!signal.aborted) {
    tidy();
    const next = await look(options, flying.size);
    trouble = next.kind === "trouble" ? trouble + 1 : 0;
    if (next.kind === "trouble" && trouble >= TROUBLE_MAX) {
      await Promise.all(flying);
      throw next.error;
    }
    if (next.kind === "claim") {
      const one: Promise<void> = work(options, next.claim).then((done) => {
        flying.delete(one);
        if (done) ended += 1;
      });
      flying.add(one);
    }
    if (until === "once" || next.kind === "empty") break;
    // The longer the trouble, the longer the pause: a full disk is not emptied in a moment.
    if (next.kind !== "claim") await nextChance(flying, pollMs * 2 ** trouble, signal);
  }
  await Promise.all(flying);
  return ended;
}

type Next =
  | { kind: "claim"; claim: Claim }
  | { kind: "nothing" }
  /** Nothing waits or runs anywhere, and that is what was waited for. */
  | { kind: "empty" }
  | { kind: "trouble"; error: unknown };

async function look({ queue, slots, leaseMs, until, say }: WorkerOptions, flying: number): Promise<Next> {
  try {
    if (flying >= slots) return { kind: "nothing" };
    const claim = await queue.claim(Date.now(), leaseMs);
    if (claim !== null) return { kind: "claim", claim };
    const empty = until === "empty" && flying === 0 && (await queue.open()) === 0;
    return { kind: empty ? "empty" : "nothing" };
  } catch (error) {
    say(`the queue: ${messageOf(error)}`);
    return { kind: "trouble", error };
  }
}

/** Housekeeping at the start and once a minute. What goes wrong in it is said, and tried again. */
function nowAndThen(options: WorkerOptions): () => void {
  let last = Number.NEGATIVE_INFINITY;
  return () => {
    // Not the wall clock, which may be set back by a year.
    if (options.sweep === undefined || performance.now() - last < SWEEP_MS) return;
    last = performance.now();
    attempt(options, options.sweep);
  };
}

function attempt({ say }: WorkerOptions, sweep: () => void): void {
  try {
    sweep();
  } catch (error) {
    say(`the queue: ${messageOf(error)}`);
  }
}

/** A slot that comes free, a while, or the end: whichever is first. */
async function nextChance(
  flying: ReadonlySet<Promise<void>>,
  pollMs: number,
  signal: AbortSignal,
): Promise<void> {
  const waiting = new AbortController();
  const pause = sleep(pollMs, undefined, { signal: AbortSignal.any([signal, waiting.signal]) }).catch(
    () => undefined,
  );
  await Promise.race([pause, ...flying]);
  waiting.abort();
}

/** One job from its claim to its end. Never throws: whatever goes wrong, the lease runs out and the job comes back. */
async function work(options: WorkerOptions, claim: Claim): Promise<boolean> {
  const { queue, say, signal } = options;
  const lost = new AbortController();
  const beat = keepLease(options, claim, () => lost.abort());
  try {
    const result = await given(options, claim, AbortSignal.any([signal, lost.signal]));
    if (lost.signal.aborted || signal.aborted) return false;
    if ("problem" in result) {
      say(`${nameOf(claim)}: ${result.problem}`);
      return await queue.fail(claim, result.problem, Date.now());
    }
    const stored = await queue.finish(claim, result.done, Date.now());
    say(`${nameOf(claim)}: ${stored ? "done" : "too late, somebody else has it"}`);
    return stored;
  } catch (error) {
    say(`${nameOf(claim)}: ${messageOf(error)}`);
    return false;
  } finally {
    beat.end();
  }
}

type Given = { done: Awaited<ReturnType<Handlers["prepare"]>> } | { problem: string };

async function given({ handlers }: WorkerOptions, { job }: Claim, signal: AbortSignal): Promise<Given> {
  try {
    return { done: await handlers[job.kind](job, signal) };
  } catch (error) {
    return { problem: messageOf(error) };
  }
}

/**
 * Prolongs the lease until the job ends. When the worker is told to stop, the job is given back at once and not when its
 * run has wound down: whoever stops it may not wait that long.
 */
function keepLease(
  { queue, leaseMs, signal, say }: WorkerOptions,
  claim: Claim,
  onLost: () => void,
): { end(): void } {
  const beat = async (): Promise<void> => {
    try {
      if (!(await queue.heartbeat(claim, Date.now(), leaseMs))) onLost();
    } catch (error) {
      // A busy moment of the database; the next beat comes before the lease ends.
      say(`${nameOf(claim)}: ${messageOf(error)}`);
    }
  };
  const timer = setInterval(() => void beat(), Math.min(HEARTBEAT_MS, leaseMs / 3));
  const giveBack = (): void => {
    queue.release(claim, Date.now()).catch((error: unknown) => say(`${nameOf(claim)}: ${messageOf(error)}`));
  };
  if (signal.aborted) giveBack();
  else signal.addEventListener("abort", giveBack, { once: true });
  return {
    end() {
      clearInterval(timer);
      signal.removeEventListener("abort", giveBack);
    },
  };
}

function nameOf({ job }: Claim): string {
  const id = job.experimentId === null ? "" : ` ${job.experimentId.slice(0, 8)}`;
  return job.kind === "case_run"
    ? `${id.trim()} arm ${job.arm} ${job.caseId} run ${job.run}`
    : `${job.kind}${id}`;
}
