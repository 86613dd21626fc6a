import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { Adapter } from "./adapter.ts";
import { noLines } from "./scan-lines.ts";
import type { FileKey, FileRead, Want } from "./scan-read.ts";
import {
  type Buffers,
  type FileView,
  readHead,
  readOn,
  readSession,
  type SessionRead,
} from "./scan-session.ts";

/**
 * Opens and reads one file below `place`, without ever waiting for anything but a disk: a FIFO, a socket or a device
 * that took the place of a listed file is not read.
 */
export function readFile(
  place: string,
  relative: string,
  adapter: Adapter,
  buffers: Buffers,
  want: Want,
): FileRead {
  let fd: number;
  try {
    fd = openSync(`${place}/${relative}`, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    // A name that is not UTF-8 cannot be opened under what was listed; that file is there all the same.
    const gone = codeOf(error) === "ENOENT" && !relative.includes("\uFFFD");
    return nothing(relative, null, gone ? "gone" : "unreadable");
  }
  try {
    const stats = fstatSync(fd);
    if (!stats.isFile()) return nothing(relative, keyOf(stats), "none");
    return readOpen(fd, relative, stats, adapter, buffers, want);
  } finally {
    closeSync(fd);
  }
}

export function keyOf(stats: Stats): FileKey {
  return { dev: stats.dev, ino: stats.ino, size: stats.size, mtime_ms: stats.mtimeMs };
}

/** The code of a failed system call; anything else is a bug and is thrown on. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}

function readOpen(
  fd: number,
  relative: string,
  stats: Stats,
  adapter: Adapter,
  buffers: Buffers,
  want: Want,
): FileRead {
  let failed = false;
  const file: FileView = {
    relative,
    size: stats.size,
    read(into, at, length, position) {
      try {
        return readSync(fd, into, at, length, position);
      } catch (error) {
        codeOf(error);
        // As if the file ended here; what was read so far is kept.
        failed = true;
        return 0;
      }
    },
  };
  const read = readAs(file, adapter, buffers, want);
  if (failed && read.found !== "session") return nothing(relative, keyOf(stats), "unreadable");
  const session = read.found === "session" ? read : null;
  return {
    relative,
    key: keyOf(stats),
    found: read.found,
    head: session?.head ?? null,
    fold: session?.fold ?? null,
    cut_short: failed,
    counts: read.counts,
    resume: failed ? null : (session?.resume ?? null),
  };
}

function readAs(file: FileView, adapter: Adapter, buffers: Buffers, want: Want): SessionRead {
  if (want.kind === "head") return readHead(file, adapter, buffers, want.line_bytes_max);
  const further = want.resume && readOn(file, adapter, buffers, want.bounds, want.resume);
  return further ?? readSession(file, adapter, buffers, want.bounds, want.keep);
}

function nothing(relative: string, key: FileKey | null, found: "none" | "unreadable" | "gone"): FileRead {
  return { relative, key, found, head: null, fold: null, cut_short: false, counts: noLines(), resume: null };
}
