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
  /** `once`: one job at most; `until_empty`: until no job waits or runs anywhere. */
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
  const { queue, slots, leaseMs, pollMs, until, signal } = options;
  const flying = new Set<Promise<void>>();
  let ended = 0;
  let trouble = 0;
  let swept = 0;
  while (!signal.aborted) {
    if (options.sweep !== undefined && Date.now() - swept >= SWEEP_MS) {
      swept = Date.now();
      attempt(options, options.sweep);
    }
    let claim: Claim | null = null;
    try {
      claim = flying.size < slots ? await queue.claim(Date.now(), leaseMs) : null;
      trouble = 0;
      if (claim === null && flying.size === 0 && until === "empty" && (await queue.open()) === 0) break;
    } catch (error) {
      trouble += 1;
      options.say(`the queue: ${messageOf(error)}`);
      if (trouble >= TROUBLE_MAX) {
        await Promise.all(flying);
        throw error;
      }
    }
    if (claim !== null) {
      const one: Promise<void> = work(options, claim).then((done) => {
        flying.delete(one);
        if (done) ended += 1;
      });
      flying.add(one);
      if (until !== "once") continue;
    }
    if (until === "once") break;
    await nextChance(flying, pollMs, signal);
  }
  await Promise.all(flying);
  return ended;
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
  signal.addEventListener("abort", giveBack, { once: true });
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
