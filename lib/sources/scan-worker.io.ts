import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { Shard } from "./memo-shard.io.ts";
import type { LookAnswer, LookAsk, TeamData } from "./memo-team.io.ts";
import { type CrewData, type CrewMessage, jobReader } from "./scan-crew.io.ts";
import { packReads } from "./scan-pack.ts";
import type { FileRead } from "./scan-read.ts";

// The entry of a reading thread; `scripts/build-cli.mjs` bundles it as `dist/scan-worker.cjs`.

/** Small enough that taking in a portion holds up the other side for no more than a few milliseconds. */
const PART_ROWS = 2_000;
const PART_READS = 500;
const PART_SIEVED = 64;

const data = workerData as CrewData | TeamData;
if (data.role === "crew") readCrew(data);
else serveTeam();

/** Reads files off the queue until none is left, posting what it has now and then, and ends. */
function readCrew({ job, queue }: CrewData): void {
  const most = job.want.kind === "sieve" ? PART_SIEVED : PART_READS;
  const readOn = jobReader(job, queue);
  for (let last = false; !last; ) {
    const places: number[] = [];
    const reads: FileRead[] = [];
    last = readOn(
      (index, read) => {
        places.push(index);
        reads.push(read);
      },
      () => reads.length >= most,
    );
    const packed = packReads(reads);
    const message: CrewMessage = { places, packed, last };
    // Copied, not handed over: that would undo all machine code made here for typed arrays.
    parentPort?.postMessage(message);
  }
}

/** Keeps a shard for each source it is asked about, and looks when asked. */
function serveTeam(): void {
  const shards = new Map<string, Shard>();
  parentPort?.on("message", ({ shard: of, port }: LookAsk) => {
    const name = JSON.stringify(of);
    const shard = shards.get(name) ?? new Shard(of);
    shards.set(name, shard);
    answer(shard, port);
  });
}

function answer(shard: Shard, port: MessagePort): void {
  const look = shard.look();
  let part: FileRead[] = [];
  let rows = 0;
  for (;;) {
    const step = look.next();
    if (step.done === true) {
      post(port, part);
      const end: LookAnswer = { end: step.value };
      port.postMessage(end);
      return;
    }
    if (step.value === null) continue;
    part.push(step.value);
    rows += step.value.fold?.runs.length ?? 0;
    if (rows < PART_ROWS && part.length < PART_READS) continue;
    post(port, part);
    part = [];
    rows = 0;
  }
}

function post(port: MessagePort, reads: FileRead[]): void {
  if (reads.length === 0) return;
  const message: LookAnswer = { part: packReads(reads) };
  port.postMessage(message);
}
