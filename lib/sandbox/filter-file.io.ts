import { mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { seccompFilter } from "./seccomp.ts";

let found: string | null | undefined;

/**
 * A path at which the filter of system calls can be read while this process lives; null on a machine without one. The
 * file has no name any more: it is reached by way of the descriptor that stays open here.
 */
export function filterFile(): string | null {
  found ??= keepFilter();
  return found;
}

function keepFilter(): string | null {
  const filter = seccompFilter(process.arch);
  if (filter === null) return null;
  const folder = mkdtempSync(path.join(tmpdir(), "mecha-filter-"));
  try {
    const file = path.join(folder, "filter");
    writeFileSync(file, filter);
    return `/proc/${process.pid}/fd/${openSync(file, "r")}`;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
