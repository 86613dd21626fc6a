import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { SHARE_ENV, Worker } from "node:worker_threads";

const NAME = "scan-worker.cjs";
const YOUNG_MB = 8;

/**
 * Starts a thread on the bundled worker, or gives null where there is none: then one thread does all the work. One file
 * on disk serves the bundled program, the dashboard's server, the tests and tsx alike; bundlers disagree about every
 * other way to name a worker.
 */
export function startWorker(workerData: unknown): Worker | null {
  const file = workerFile();
  if (file === null) return null;
  const options = {
    workerData,
    env: SHARE_ENV,
    // The flags of a test runner or a loader are not meant for plain JavaScript.
    execArgv: [],
    trackUnmanagedFds: false,
    // Nearly all that a thread makes is gone at once; left to itself its heap grows by tens of megabytes before that shows.
    resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
  };
  // Said this way, a bundler does not take the variable for a module to bundle, and with it the whole checkout.
  return Reflect.construct(Worker, [file, options]);
}

let known: string | null | undefined;

function workerFile(): string | null {
  known ??= candidates().find((file) => existsSync(/* turbopackIgnore: true */ file)) ?? null;
  return known;
}

/** Beside the bundle that this module became part of; else in the checkout, by this file or by the working folder. */
function candidates(): string[] {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return [
    path.join(/* turbopackIgnore: true */ here, NAME),
    path.join(/* turbopackIgnore: true */ here, "../../dist", NAME),
    path.join(/* turbopackIgnore: true */ process.cwd(), "dist", NAME),
  ];
}
