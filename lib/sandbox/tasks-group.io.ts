import { existsSync, mkdirSync, readdirSync, rmdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { TasksHold } from "./bwrap.ts";

let base: string | null | undefined;
let made = 0;

/**
 * A hold on a command's tasks. The kernel does not keep root to a number of processes, not even root in a user
 * namespace of its own; for root a control group is made, where that is allowed.
 */
export function holdTasks(tasksMax: number): TasksHold {
  if (process.getuid?.() !== 0) return "limit";
  base ??= findBase();
  if (base === null) return "idle";
  made += 1;
  const group = makeGroup(path.join(base, `mecha-${process.pid}-${made}`), tasksMax);
  return group === null ? "idle" : { group };
}

/** Takes a control group away once all in it have ended, which the kernel may need a moment for. */
export function dropHold(hold: TasksHold, triesLeft = 20): void {
  if (typeof hold === "string" || removed(hold.group) || triesLeft === 0) return;
  setTimeout(() => dropHold(hold, triesLeft - 1), 50).unref();
}

function findBase(): string | null {
  for (const place of ["/sys/fs/cgroup/pids", "/sys/fs/cgroup"]) {
    if (!existsSync(path.join(place, "cgroup.procs"))) continue;
    dropForgotten(place);
    const trial = makeGroup(path.join(place, `mecha-${process.pid}-0`), 10);
    if (trial === null) continue;
    removed(trial);
    return place;
  }
  return null;
}

function makeGroup(group: string, tasksMax: number): string | null {
  try {
    mkdirSync(group);
    // Only a folder of that controller has the file.
    writeFileSync(path.join(group, "pids.max"), String(tasksMax), { flag: "r+" });
    return group;
  } catch {
    // Read-only in most containers: then the watch over a command is what remains.
    removed(group);
    return null;
  }
}

/** Groups of processes that were killed before they could tidy up; one that is in use cannot be removed. */
function dropForgotten(place: string): void {
  for (const name of readdirSync(place)) {
    const owner = /^mecha-(\d+)-\d+$/.exec(name)?.[1];
    if (owner !== undefined && !existsSync(`/proc/${owner}`)) removed(path.join(place, name));
  }
}

function removed(group: string): boolean {
  try {
    rmdirSync(group);
    return true;
  } catch {
    // In use, or gone already.
    return !existsSync(group);
  }
}
