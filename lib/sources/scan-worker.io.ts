import { parentPort, workerData } from "node:worker_threads";
import { type CrewData, type CrewResult, jobReader } from "./scan-crew.io.ts";
import type { FileRead } from "./scan-file.io.ts";
import { packReads } from "./scan-pack.ts";

// The entry of a reading thread; `scripts/build-cli.mjs` bundles it as `dist/scan-worker.cjs`.

const data = workerData as CrewData;
const places: number[] = [];
const reads: FileRead[] = [];
jobReader(
  data.job,
  data.queue,
)((index, read) => {
  places.push(index);
  reads.push(read);
});
const packed = packReads(reads);
const result: CrewResult = { places, packed };
parentPort?.postMessage(result, [packed.rows.numbers.buffer]);
