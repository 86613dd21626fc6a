import { tasksBelow } from "./process-tree.io.ts";

const PROCESSES_MAX = 10_000;

/**
 * Ends a process, its group and all below it. First a request, so that programs can tidy up; with `force` there is no
 * more asking, and what was seen below at the request goes too, though its parent may be gone.
 */
export function treeEnder(): (pid: number, force: boolean) => void {
  const seen = new Set<number>();
  return (pid, force) => {
    for (const below of tasksBelow(pid, PROCESSES_MAX).pids) seen.add(below);
    const signal = force ? "SIGKILL" : "SIGTERM";
    send(-pid, signal);
    for (const below of seen) send(below, signal);
  };
}

/** Ends a whole process group at once. */
export function killGroup(pid: number): void {
  send(-pid, "SIGKILL");
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone already, or it has taken another user's identity; then there is nothing we may do.
  }
}
