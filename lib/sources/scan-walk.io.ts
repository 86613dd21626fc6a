import { type Dirent, readdirSync, statSync } from "node:fs";
import path from "node:path";
import type { Adapter } from "./adapter.ts";
import { codeOf } from "./scan-file.io.ts";

/** What stands below a place. */
export type Listing = {
  /** Paths below the place of regular files that may be sessions, links to such files included. */
  files: string[];
  /** Names that an adapter accepts on something that is no regular file: a folder, a FIFO, a socket, a device. */
  others: number;
  /** Folders and links that could not be looked into. */
  unreadable: number;
};

/**
 * Lists the files of a source. A place that is missing is empty; one that cannot be read, or is no folder, is counted.
 * Folders behind links are entered, each real folder once, so a circle of links ends.
 */
export function listFiles(place: string, adapter: Adapter): Listing {
  const listing: Listing = { files: [], others: 0, unreadable: 0 };
  const seen = adapter.depth > 0 ? new Set<string>() : null;
  listFolder(place, "", adapter.depth, { listing, adapter, seen });
  return listing;
}

type Walk = { listing: Listing; adapter: Adapter; seen: Set<string> | null };

function listFolder(place: string, relative: string, depth: number, walk: Walk): void {
  const { listing, seen } = walk;
  const folder = path.join(place, relative);
  let entries: Dirent[];
  try {
    if (seen !== null) {
      const { dev, ino } = statSync(folder);
      if (seen.has(`${dev}:${ino}`)) return;
      seen.add(`${dev}:${ino}`);
    }
    entries = readdirSync(folder, { withFileTypes: true });
  } catch (error) {
    // Vanished, or never there: nothing to read is not a failure to read it.
    if (codeOf(error) !== "ENOENT") listing.unreadable++;
    return;
  }
  for (const entry of entries) {
    const below = relative === "" ? entry.name : `${relative}/${entry.name}`;
    if (entry.isFile()) listFile(below, walk);
    else listOther(place, below, entry, depth, walk);
  }
}

function listFile(relative: string, { listing, adapter }: Walk): void {
  if (adapter.accepts(relative)) listing.files.push(relative);
}

/** A folder, a link, something exotic, or, on some file systems, a file that the listing did not call one. */
function listOther(place: string, relative: string, entry: Dirent, depth: number, walk: Walk): void {
  const accepted = walk.adapter.accepts(relative);
  if (!accepted && depth === 0) return;
  const kind = entry.isDirectory() ? "folder" : targetKind(path.join(place, relative));
  if (kind === "file") listFile(relative, walk);
  else if (kind === "folder" && depth > 0) listFolder(place, relative, depth - 1, walk);
  else if (kind === "broken" && (accepted || isTopFolder(depth, walk))) walk.listing.unreadable++;
  else if (accepted) walk.listing.others++;
}

/** A link at the top that leads nowhere: a project that was moved away, or a disk that is not there. */
function isTopFolder(depth: number, { adapter }: Walk): boolean {
  return depth > 0 && depth === adapter.depth;
}

function targetKind(file: string): "file" | "folder" | "other" | "broken" {
  try {
    const stats = statSync(file);
    if (stats.isFile()) return "file";
    return stats.isDirectory() ? "folder" : "other";
  } catch (error) {
    codeOf(error);
    return "broken";
  }
}
