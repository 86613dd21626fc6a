import { closeSync, constants, fstatSync, openSync, readSync, type Stats } from "node:fs";
import type { Adapter } from "./adapter.ts";
import { noLines } from "./scan-lines.ts";
import type { FileKey, FileRead, Want } from "./scan-read.ts";
import { readHead, readOn, readSession, readSieved, type SessionRead, sieveSession } from "./scan-session.ts";
import { type Buffers, type FileView, newBuffers, type Reading } from "./scan-view.ts";

/** Reads files of one source, one after another, through the same buffers. */
export class FileReader {
  readonly #place: string;
  readonly #adapter: Adapter;
  readonly #buffers: Buffers = newBuffers();

  constructor(place: string, adapter: Adapter) {
    this.#place = place;
    this.#adapter = adapter;
  }

  /**
   * Opens and reads one file, without ever waiting for anything but a disk: a FIFO, a socket or a device that took the
   * place of a listed file is not read.
   */
  read(relative: string, want: Want): FileRead {
    let fd: number;
    try {
      fd = openSync(`${this.#place}/${relative}`, constants.O_RDONLY | constants.O_NONBLOCK);
    } catch (error) {
      // A name that is not UTF-8 cannot be opened under what was listed; that file is there all the same.
      const gone = codeOf(error) === "ENOENT" && !relative.includes("\uFFFD");
      return nothing(relative, null, gone ? "gone" : "unreadable");
    }
    try {
      const stats = fstatSync(fd);
      return stats.isFile()
        ? this.#readOpen(fd, relative, stats, want)
        : nothing(relative, keyOf(stats), "none");
    } finally {
      closeSync(fd);
    }
  }

  /** Works out what another thread picked out of a file; a file of which it could not is read here. */
  workOut(read: FileRead, want: Want): FileRead {
    if (read.found !== "sieved") return read;
    if (read.sieved === null) return this.read(read.relative, want);
    const reading = { adapter: this.#adapter, buffers: this.#buffers, bounds: want.bounds };
    const session = readSieved(reading, read.relative, read.sieved);
    return { ...fileRead(read.relative, read.key, session), cut_short: read.cut_short };
  }

  #readOpen(fd: number, relative: string, stats: Stats, want: Want): FileRead {
    const file = new OpenFile(fd, relative, stats.size);
    const read = readAs({ file, adapter: this.#adapter, buffers: this.#buffers, bounds: want.bounds }, want);
    const whole = fileRead(relative, keyOf(stats), read);
    if (!file.failed) return whole;
    if (read.found !== "session" && read.found !== "sieved")
      return nothing(relative, keyOf(stats), "unreadable");
    return { ...whole, cut_short: true, resume: null };
  }
}

function fileRead(relative: string, key: FileKey | null, read: SessionRead): FileRead {
  const session = read.found === "session" ? read : null;
  return {
    relative,
    key,
    found: read.found,
    head: session?.head ?? null,
    fold: session?.fold ?? null,
    sieved: read.found === "sieved" ? read.sieved : null,
    cut_short: false,
    counts: read.found === "sieved" ? noLines() : read.counts,
    resume: session?.resume ?? null,
  };
}

export function keyOf(stats: Stats): FileKey {
  const { dev, ino, size, mtimeMs, ctimeMs } = stats;
  return { dev, ino, size, mtime_ms: mtimeMs, ctime_ms: ctimeMs };
}

/** The code of a failed system call; anything else is a bug and is thrown on. */
export function codeOf(error: unknown): string {
  if (error instanceof Error && "code" in error && typeof error.code === "string") return error.code;
  throw error;
}

class OpenFile implements FileView {
  readonly relative: string;
  readonly size: number;
  /** Reading broke off: as if the file ended there. */
  failed = false;
  readonly #fd: number;

  constructor(fd: number, relative: string, size: number) {
    this.#fd = fd;
    this.relative = relative;
    this.size = size;
  }

  readonly read = (into: Buffer, at: number, length: number, position: number): number => {
    try {
      return readSync(this.#fd, into, at, length, position);
    } catch (error) {
      codeOf(error);
      this.failed = true;
      return 0;
    }
  };
}

function readAs(reading: Reading, want: Want): SessionRead {
  switch (want.kind) {
    case "head":
      return readHead(reading);
    case "keep":
      return (want.resume && readOn(reading, want.resume)) ?? readSession(reading, true);
    case "runs":
      return readSession(reading, false);
    case "sieve":
      return reading.adapter.sparse ? sieveSession(reading) : readSession(reading, false);
    default:
      return want satisfies never;
  }
}

function nothing(relative: string, key: FileKey | null, found: "none" | "unreadable" | "gone"): FileRead {
  return {
    relative,
    key,
    found,
    head: null,
    fold: null,
    sieved: null,
    cut_short: false,
    counts: noLines(),
    resume: null,
  };
}
