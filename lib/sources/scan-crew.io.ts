import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import path from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import { adapterOf } from "./adapters.ts";
import { codeOf, FileReader } from "./scan-file.io.ts";
import { type PackedReads, unpackReads } from "./scan-pack.ts";
import type { FileRead, Want } from "./scan-read.ts";
import { startWorker } from "./scan-worker-file.io.ts";
import type { Source } from "./source.ts";

/** Files to be read in one way. Plain data: it is handed to threads. */
export type Job = { source: Source; files: string[]; want: Want };

/** What a thread of a crew is started with. `queue` is shared: next file, files done, stop. */
export type CrewData = { role: "crew"; job: Job; queue: Int32Array };

/** What it posts, time and again: reads, and the place in the job of each. */
export type CrewMessage = { places: number[]; packed: PackedReads; last: boolean };

export type CrewOptions = {
  signal?: AbortSignal | undefined;
  /** Called now and then while files are read. */
  onProgress?: ((done: number, total: number) => void) | undefined;
  /** Threads that read at once, this one included; default: as many as there are cores, at most four. */
  threads?: number | undefined;
};

const NEXT = 0;
const DONE = 1;
const STOP = 2;
/** A thread takes 20 ms to start: below this many bytes it is not worth it. */
const THREAD_BYTES = 64 * 1024 * 1024;
const THREAD_FILES = 4_000;
const SAMPLE = 16;
/** How long this thread works before others get their turn. */
const SLICE_MS = 8;
const THREADS_MAX = 4;

/** Reads all files of a job, on several threads when there is much to read; the reads come in the order of the files. */
export async function readFiles(job: Job, options: CrewOptions = {}): Promise<FileRead[]> {
  const queue = new Int32Array(new SharedArrayBuffer(3 * Int32Array.BYTES_PER_ELEMENT));
  const reads = new Array<FileRead | undefined>(job.files.length);
  const take: Take = (index, read) => {
    reads[index] = read;
  };
  const reader = new FileReader(job.source.place, adapterOf(job.source.kind));
  const helpers = startHelpers(job, queue, options.threads);
  const helped = helpers.map((worker) =>
    takeFrom(worker, (index, read) => take(index, reader.workOut(read, job.want))),
  );
  try {
    await workInSlices(jobReader(job, queue, reader), take, job, queue, options);
    await Promise.all(helped);
    // What no thread came back with is read now.
    return job.files.map((relative, index) => reads[index] ?? reader.read(relative, job.want));
  } finally {
    Atomics.store(queue, STOP, 1);
    for (const worker of helpers) worker.unref();
  }
}

export type Take = (index: number, read: FileRead) => void;

/** Takes files off a queue until none is left (true) or `pause` says so (false). */
export type JobReader = (take: Take, pause: () => boolean) => boolean;

export function jobReader(
  job: Job,
  queue: Int32Array,
  reader = new FileReader(job.source.place, adapterOf(job.source.kind)),
): JobReader {
  return (take, pause) => {
    while (Atomics.load(queue, STOP) === 0) {
      const index = Atomics.add(queue, NEXT, 1);
      const relative = job.files[index];
      if (relative === undefined) return true;
      take(index, reader.read(relative, job.want));
      Atomics.add(queue, DONE, 1);
      if (pause()) return false;
    }
    return true;
  };
}

/** This thread's share of the work, with a turn for everyone else in between. */
async function workInSlices(
  readOn: JobReader,
  take: Take,
  job: Job,
  queue: Int32Array,
  options: CrewOptions,
): Promise<void> {
  for (;;) {
    options.signal?.throwIfAborted();
    const until = performance.now() + SLICE_MS;
    const done = readOn(take, () => performance.now() > until);
    options.onProgress?.(Atomics.load(queue, DONE), job.files.length);
    if (done) return;
    await nextTurn();
  }
}

function startHelpers(job: Job, queue: Int32Array, threads: number | undefined): Worker[] {
  const wanted = Math.min(threads ?? Math.min(availableParallelism(), THREADS_MAX), job.files.length) - 1;
  if (wanted < 1 || (threads === undefined && !isLarge(job))) return [];
  const data: CrewData = { role: "crew", job: helpersJob(job), queue };
  const workers = Array.from({ length: wanted }, () => startWorker(data));
  return workers.filter((worker) => worker !== null);
}

/** Judged by a sample: asking for the size of each file would cost as much as a thread's start. */
function isLarge({ files, source }: Job): boolean {
  if (files.length >= THREAD_FILES) return true;
  const step = Math.max(1, Math.floor(files.length / SAMPLE));
  const sample = files.filter((_file, index) => index % step === 0);
  let bytes = 0;
  for (const file of sample) bytes += sizeOf(path.join(source.place, file));
  return (bytes / sample.length) * files.length >= THREAD_BYTES;
}

function sizeOf(file: string): number {
  try {
    return statSync(file).size;
  } catch (error) {
    codeOf(error);
    return 0;
  }
}

/** A helper leaves to this thread what is quicker done in one place. */
function helpersJob(job: Job): Job {
  const { want } = job;
  return want.kind === "runs" ? { ...job, want: { kind: "sieve", bounds: want.bounds } } : job;
}

/** Takes what a helper posts until it has posted all. When it fails instead, what is missing is read here later. */
function takeFrom(worker: Worker, take: Take): Promise<void> {
  return new Promise((resolve) => {
    worker.on("message", ({ places, packed, last }: CrewMessage) => {
      for (const [index, read] of unpackReads(packed).entries()) take(places[index] ?? -1, read);
      if (last) resolve();
    });
    worker.once("error", () => resolve());
    worker.once("exit", () => resolve());
  });
}
