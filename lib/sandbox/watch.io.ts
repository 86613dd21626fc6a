import { lstat, opendir, statfs } from "node:fs/promises";
import path from "node:path";
import type { CommandLimits } from "./confinement.ts";
import { machineLoad, memoryOf, tasksBelow } from "./process-tree.io.ts";

const TICK_MS = 200;
const FILES_GROWTH_MAX = 1_000_000;
const MEMORY_FREE_MIN = 0.05;

/** Ends a watch. */
type Stop = () => void;

/**
 * Looks at a command while it runs, and says once which limit it broke. What the kernel does not limit for a process
 * tree is seen here: disk used up in many files, processes of a command that root started, memory when the machine
 * has nearly none left. A tick reads three small files; only what looks bad is looked at closely.
 */
export function watchCommand(
  pid: number,
  rules: { workspace: string | null; limits: CommandLimits },
  onOverLimit: (line: string) => void,
): Stop {
  const before = machineLoad();
  const disk = rules.workspace === null ? null : diskWatch(rules.workspace, rules.limits);
  let looking = false;
  let stopped = false;
  const tick = async () => {
    if (looking) return;
    looking = true;
    const line = machineLine(pid, before, rules.limits) ?? (await disk?.()) ?? null;
    looking = false;
    if (line === null || stopped) return;
    stop();
    onOverLimit(line);
  };
  const timer = setInterval(tick, TICK_MS);
  const stop = () => {
    stopped = true;
    clearInterval(timer);
  };
  return stop;
}

function machineLine(
  pid: number,
  before: ReturnType<typeof machineLoad>,
  { processesMax }: CommandLimits,
): string | null {
  const now = machineLoad();
  if (now === null || before === null) return null;
  // The kernel's own limit stops a crowd just below ours, where it would stay until the time is up.
  const crowd = Math.floor(processesMax * 0.9);
  if (now.tasks - before.tasks >= crowd && tasksBelow(pid, crowd).tasks >= crowd)
    return `more than ${crowd} processes and threads at once`;
  if (now.memoryFree < now.memoryTotal * MEMORY_FREE_MIN) {
    const own = memoryOf(tasksBelow(pid, processesMax).pids);
    if (own > now.memoryTotal * MEMORY_FREE_MIN) return "the machine's memory, nearly all of it";
  }
  return null;
}

/**
 * Free space is asked for first. It also falls for what others write, so the files changed since the start are added
 * up before the command is blamed; a fall of three times the limit is enough by itself, because a file that was
 * deleted while open cannot be found.
 */
function diskWatch(workspace: string, limits: CommandLimits): () => Promise<string | null> {
  const max = limits.growthBytesMax;
  const startedAtMs = Date.now();
  const first = freeSpace(workspace);
  const line = `more than ${Math.round(max / 1e6)} MB written to the workspace`;
  return async () => {
    const [before, now] = [await first, await freeSpace(workspace)];
    if (before === null || now === null) return null;
    if (before.files - now.files > FILES_GROWTH_MAX) return `more than ${FILES_GROWTH_MAX} files`;
    const fall = before.bytes - now.bytes;
    if (fall < max) return null;
    return fall >= 3 * max || (await bytesChangedSince(workspace, startedAtMs, max)) >= max ? line : null;
  };
}

async function freeSpace(folder: string): Promise<{ bytes: number; files: number } | null> {
  try {
    const { bavail, bsize, ffree } = await statfs(folder);
    return { bytes: bavail * bsize, files: ffree };
  } catch {
    // The workspace went away, or its file system does not say: nothing to compare.
    return null;
  }
}

/** Bytes on disk of files changed since a moment; stops counting at `enough`. */
async function bytesChangedSince(folder: string, sinceMs: number, enough: number): Promise<number> {
  let bytes = 0;
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined && bytes < enough; next = waiting.pop()) {
    try {
      for await (const entry of await opendir(next)) {
        const file = path.join(next, entry.name);
        if (entry.isDirectory()) waiting.push(file);
        else if (entry.isFile()) {
          const { ctimeMs, blocks } = await lstat(file);
          if (ctimeMs >= sinceMs - 1000) bytes += blocks * 512;
        }
      }
    } catch {
      // Renamed or removed by the command while we looked; the next tick looks again.
    }
  }
  return bytes;
}
