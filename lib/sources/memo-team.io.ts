import { availableParallelism } from "node:os";
import { setImmediate as nextTurn } from "node:timers/promises";
import { MessageChannel, type MessagePort, type Worker } from "node:worker_threads";
import { Shard, type ShardOf } from "./memo-shard.io.ts";
import { type PackedReads, unpackReads } from "./scan-pack.ts";
import type { FileRead, LookEnd } from "./scan-read.ts";
import { startWorker } from "./scan-worker-file.io.ts";
import type { Source } from "./source.ts";

/** What a thread of a team is started with, asked, and answers. */
export type TeamData = { role: "team" };
export type LookAsk = { shard: ShardOf; port: MessagePort };
export type LookAnswer = { part: PackedReads } | { end: LookEnd };

export type Changes = (reads: FileRead[]) => void;

/** How long a look may hold up everyone else when it has no thread of its own. */
const SLICE_MS = 4;
const THREADS_MAX = 2;

/**
 * Threads that watch sources, so that looking at tens of thousands of files holds up nobody. Without threads the same
 * work is done here, in slices.
 */
export class Team {
  #workers: Worker[] | null = null;
  #here = new Map<string, Shard>();

  /** Looks at a source; `changed` is given what changed since the last look, in portions. */
  async look(source: Source, line_bytes_max: number, changed: Changes): Promise<LookEnd> {
    this.#workers ??= startTeam();
    const workers = this.#workers;
    const of = Math.max(1, workers.length);
    const shards = Array.from({ length: of }, (_none, index) => ({ source, index, of, line_bytes_max }));
    if (workers.length === 0) return this.#lookHere({ source, index: 0, of: 1, line_bytes_max }, changed);
    const ends = await Promise.all(shards.map((shard, index) => ask(workers[index], shard, changed)));
    return {
      removed: ends.flatMap(({ removed }) => removed),
      others: ends.reduce((sum, { others }) => sum + others, 0),
      unreadable: ends.reduce((sum, { unreadable }) => sum + unreadable, 0),
    };
  }

  /** Ends the threads, or forgets those that failed: from then on the work is done here. */
  async close(): Promise<void> {
    const workers = this.#workers ?? [];
    this.#workers = [];
    await Promise.all(workers.map((worker) => worker.terminate()));
  }

  /** Does this team have threads, that is, can it fail? */
  get threaded(): boolean {
    return this.#workers !== null && this.#workers.length > 0;
  }

  async #lookHere(of: ShardOf, changed: Changes): Promise<LookEnd> {
    const name = JSON.stringify(of);
    const shard = this.#here.get(name) ?? new Shard(of);
    this.#here.set(name, shard);
    const look = shard.look();
    let until = performance.now() + SLICE_MS;
    for (;;) {
      const step = look.next();
      if (step.done === true) return step.value;
      if (step.value !== null) changed([step.value]);
      if (performance.now() < until) continue;
      await nextTurn();
      until = performance.now() + SLICE_MS;
    }
  }
}

function startTeam(): Worker[] {
  const data: TeamData = { role: "team" };
  const threads = Math.min(availableParallelism(), THREADS_MAX);
  const workers = Array.from({ length: threads }, () => startWorker(data)).filter(
    (worker) => worker !== null,
  );
  for (const worker of workers) {
    // Watching is no reason for a process to stay.
    worker.unref();
    // An error is followed by `exit`, which is what a look in progress listens for.
    worker.on("error", () => worker.unref());
  }
  return workers;
}

/** One look by one thread, answered on a port of its own, so that looks at different sources do not mix. */
function ask(worker: Worker | undefined, shard: ShardOf, changed: Changes): Promise<LookEnd> {
  return new Promise((resolve, reject) => {
    if (worker === undefined) throw new Error("no thread for this shard");
    const { port1, port2 } = new MessageChannel();
    const fail = () => {
      port1.close();
      reject(new Error("the thread that watches the files has ended"));
    };
    worker.once("exit", fail);
    port1.on("message", (answer: LookAnswer) => {
      if ("part" in answer) return changed(unpackReads(answer.part));
      worker.off("exit", fail);
      port1.close();
      resolve(answer.end);
    });
    const message: LookAsk = { shard, port: port2 };
    worker.postMessage(message, [port2]);
  });
}
