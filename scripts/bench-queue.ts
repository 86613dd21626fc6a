import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { fillQueue } from "./bench/fill-queue.ts";
import { drain } from "./bench/queue.ts";

// `npm run bench:queue [-- --jobs 10000 --workers 4]`
// How many jobs a second several processes take from one queue and end, one by one, each with a stored result; and that
// no job was claimed twice.

const { values } = parseArgs({
  options: {
    jobs: { type: "string", default: "10000" },
    workers: { type: "string", default: "4" },
    "work-ms": { type: "string", default: "0" },
    drain: { type: "string" },
  },
});

if (values.drain !== undefined)
  process.stdout.write(
    JSON.stringify(await drain(values.drain, Number(values.workers), Number(values["work-ms"]))),
  );
else await main(Number(values.jobs), Number(values.workers));

async function main(jobs: number, workers: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "mecha-bench-queue-"));
  try {
    const file = path.join(folder, "mecha.db");
    await fillQueue(file, jobs);
    const started = performance.now();
    const claimed = (
      await Promise.all(Array.from({ length: workers }, () => drainApart(file, workers)))
    ).flat();
    const seconds = (performance.now() - started) / 1000;
    const once = new Set(claimed).size;
    console.log(
      `${workers} workers, ${jobs} jobs: ${seconds.toFixed(2)} s, ${Math.round(jobs / seconds)} jobs a second (starting the processes included)`,
    );
    console.log(
      `claimed ${claimed.length}, different ones ${once}, twice ${claimed.length - once}, lost ${jobs - once}`,
    );
    if (once !== jobs || claimed.length !== jobs) process.exitCode = 1;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Drains in a process of its own. Gives the jobs that it claimed. */
function drainApart(file: string, workers: number): Promise<number[]> {
  const child = spawn(
    process.execPath,
    [process.argv[1] ?? "", "--drain", file, "--workers", String(workers)],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  return new Promise((resolve, reject) => {
    let text = "";
    child.stdout.on("data", (chunk: Buffer) => {
      text += chunk.toString();
    });
    child.on("close", (code) =>
      code === 0 ? resolve(JSON.parse(text) as number[]) : reject(new Error(`a worker ended with ${code}`)),
    );
  });
}
