import { readdirSync, readFileSync } from "node:fs";

/**
 * Tasks (threads count, as the kernel counts them) of a process and all below it, each once; stops looking at `max`.
 * Empty where there is no /proc. What has gone meanwhile is left out.
 */
export function tasksBelow(pid: number, max: number): { pids: number[]; tasks: number } {
  const pids: number[] = [];
  const waiting = [pid];
  let tasks = 0;
  for (let next = waiting.pop(); next !== undefined && tasks <= max; next = waiting.pop()) {
    const threads = namesIn(`/proc/${next}/task`);
    if (threads.length > 0) pids.push(next);
    tasks += threads.length;
    for (const thread of threads) waiting.push(...numbersIn(textOf(`/proc/${next}/task/${thread}/children`)));
  }
  return { pids, tasks };
}

/** Bytes of memory of those processes that nothing else shares, as far as it can be read. */
export function memoryOf(pids: readonly number[]): number {
  return pids.reduce((sum, pid) => {
    const [, resident = 0, shared = 0] = numbersIn(textOf(`/proc/${pid}/statm`));
    return sum + Math.max(0, resident - shared) * 4096;
  }, 0);
}

/** Tasks on the whole machine, and its memory in bytes; null where there is no /proc. */
export function machineLoad(): { tasks: number; memoryFree: number; memoryTotal: number } | null {
  const tasks = /\/(\d+) /.exec(textOf("/proc/loadavg"))?.[1];
  const memory = textOf("/proc/meminfo");
  const total = /^MemTotal: +(\d+)/m.exec(memory)?.[1];
  const free = /^MemAvailable: +(\d+)/m.exec(memory)?.[1];
  if (tasks === undefined || total === undefined || free === undefined) return null;
  return { tasks: Number(tasks), memoryFree: Number(free) * 1024, memoryTotal: Number(total) * 1024 };
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // The process ended, or there is no /proc: nothing to count either way.
    return "";
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    // As above.
    return [];
  }
}

function numbersIn(text: string): number[] {
  return text
    .split(" ")
    .map(Number)
    .filter((n) => Number.isSafeInteger(n) && n > 0);
}
