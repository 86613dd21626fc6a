import { type Stats, statSync } from "node:fs";
import type { Adapter } from "./adapter.ts";
import { adapterOf } from "./adapters.ts";
import { codeOf, FileReader, keyOf } from "./scan-file.io.ts";
import type { FileKey, FileRead, LookEnd, Want } from "./scan-read.ts";
import type { Resume } from "./scan-session.ts";
import { listFiles } from "./scan-walk.io.ts";
import type { Source } from "./source.ts";

/** One of several equal parts of a source's files. */
export type ShardOf = { source: Source; index: number; of: number; line_bytes_max: number };

type Known = { key: FileKey | null; found: FileRead["found"]; resume: Resume | null };

/** Unchanged files between two chances for others to have their turn. */
const BATCH = 64;

/**
 * Remembers which files it has read, and reads again only those that changed since: by device, inode, size and times of
 * change. A file that grows again and again is read on from its last whole line.
 */
export class Shard {
  readonly #of: ShardOf;
  readonly #adapter: Adapter;
  readonly #reader: FileReader;
  #known = new Map<string, Known>();

  constructor(of: ShardOf) {
    this.#of = of;
    this.#adapter = adapterOf(of.source.kind);
    this.#reader = new FileReader(of.source.place, this.#adapter);
  }

  /** Yields what changed since the last look, file by file; null now and then when nothing did. */
  *look(): Generator<FileRead | null, LookEnd> {
    const { source, index, of } = this.#of;
    const listing = listFiles(source.place, this.#adapter);
    const now = new Map<string, Known>();
    let passed = 0;
    for (const relative of listing.files) {
      if (of > 1 && shardOf(relative, of) !== index) continue;
      const read = this.#check(relative, now);
      if (read !== null || ++passed % BATCH === 0) yield read;
    }
    const removed = [...this.#known.keys()].filter((relative) => !now.has(relative));
    this.#known = now;
    // The walk is the same in each shard: one of them tells what it found.
    return index === 0
      ? { removed, others: listing.others, unreadable: listing.unreadable }
      : { removed, others: 0, unreadable: 0 };
  }

  /** Reads a file if it changed, and notes how it stands. */
  #check(relative: string, now: Map<string, Known>): FileRead | null {
    const { source, line_bytes_max } = this.#of;
    const known = this.#known.get(relative);
    const stats = statsOf(`${source.place}/${relative}`);
    if (known !== undefined && isSame(known, stats)) {
      now.set(relative, known);
      return null;
    }
    const bounds = { since_ms: null, as_of_ms: null, line_bytes_max };
    // One that grew may grow further: only for those is it kept how to go on, which costs as much as reading them.
    const grows = known !== undefined && stats !== null && hasGrown(known, stats);
    const want: Want = grows ? { kind: "keep", bounds, resume: known.resume } : { kind: "runs", bounds };
    const read = this.#reader.read(relative, want);
    if (read.found === "gone") return null;
    now.set(relative, { key: read.key, found: read.found, resume: read.resume });
    const stillUnreadable = known?.found === "unreadable" && read.found === "unreadable" && read.key === null;
    return stillUnreadable ? null : read;
  }
}

function isSame({ key }: Known, stats: Stats | null): boolean {
  if (key === null || stats === null) return false;
  const now = keyOf(stats);
  // Whoever sets a file's time back after writing to it still moves the second one.
  const sameTimes = key.mtime_ms === now.mtime_ms && key.ctime_ms === now.ctime_ms;
  return isSameFile(key, now) && key.size === now.size && sameTimes;
}

/** A file that was written to and has not grown was changed in its midst, where nobody would look for it. */
function hasGrown({ key }: Known, stats: Stats): boolean {
  const now = keyOf(stats);
  return key !== null && isSameFile(key, now) && now.size > key.size;
}

function isSameFile(a: FileKey, b: FileKey): boolean {
  return a.dev === b.dev && a.ino === b.ino;
}

/** null when the file cannot be looked at; reading it will say why. */
function statsOf(file: string): Stats | null {
  try {
    return statSync(file);
  } catch (error) {
    codeOf(error);
    return null;
  }
}

/** Any even spread will do, as long as a name always falls to the same shard. */
function shardOf(relative: string, of: number): number {
  let hash = 0;
  for (let i = 0; i < relative.length; i++) hash = (Math.imul(hash, 31) + relative.charCodeAt(i)) | 0;
  return (hash >>> 0) % of;
}
