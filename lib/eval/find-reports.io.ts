import type { Dirent } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import path from "node:path";
import { isCompanion } from "#lib/companion-file.ts";
import type { Parsed } from "#lib/errors.ts";

/** What a walk through results folders had to leave out. */
export type LeftOut = {
  /** JSON files beyond the cap. */
  files_over_cap: number;
  /** Folders deeper than is looked. */
  folders_too_deep: number;
  /** Files that are not named `.json`, and those that only accompany one. */
  files_not_json: number;
  /** Folders of transcripts that stand beside a report. */
  transcript_folders: number;
  /** Folders that are not there or cannot be read, with the reason. */
  folders: { folder: string; problem: string }[];
};

/** Counters to begin with. */
export function nothingLeftOut(): LeftOut {
  return { files_over_cap: 0, folders_too_deep: 0, files_not_json: 0, transcript_folders: 0, folders: [] };
}

/** A file named `.json`, not yet looked into. */
export type Found = {
  name: string;
  folder: string;
  place: string;
  bytes: number;
  modified_ms: number;
  stamp: string | null;
};

/** Every JSON file in the folders; of two with one name, the later one is numbered by its folder. */
export async function foundIn(
  folders: readonly string[],
  depthMax: number,
  left_out: LeftOut,
): Promise<Found[]> {
  const found: Found[] = [];
  const taken = new Set<string>();
  for (const [at, folder] of folders.entries()) {
    for (const relative of await namesIn(folder, depthMax, left_out)) {
      const name = taken.has(relative) ? `${at + 1}:${relative}` : relative;
      taken.add(name);
      const place = path.join(folder, relative);
      found.push({ name, folder, place, ...(await stampOf(place)) });
    }
  }
  return found;
}

async function namesIn(folder: string, depthMax: number, left_out: LeftOut): Promise<string[]> {
  const names: string[] = [];
  const open = [{ relative: "", depth: 0 }];
  for (let next = open.shift(); next !== undefined; next = open.shift()) {
    const entries = await entriesOf(path.join(folder, next.relative));
    if (!entries.ok) {
      left_out.folders.push({ folder: path.join(folder, next.relative), problem: entries.problem });
      continue;
    }
    for (const entry of entries.value) {
      const relative = path.join(next.relative, entry.name);
      // A link to a folder is not followed: it may lead round in a circle.
      if (entry.isDirectory()) {
        if (entry.name.endsWith(".transcripts")) left_out.transcript_folders += 1;
        else if (next.depth + 1 > depthMax) left_out.folders_too_deep += 1;
        else open.push({ relative, depth: next.depth + 1 });
      } else if (entry.name.endsWith(".json") && !isCompanion(entry.name)) names.push(relative);
      else left_out.files_not_json += 1;
    }
  }
  return names;
}

async function entriesOf(folder: string): Promise<Parsed<Dirent[]>> {
  try {
    const entries = await readdir(/* turbopackIgnore: true */ folder, { withFileTypes: true });
    return { ok: true, value: entries.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : String(error);
    const words: Record<string, string> = {
      ENOENT: "there is no such folder",
      ENOTDIR: "it is not a folder",
      EACCES: "permission denied",
    };
    return { ok: false, problem: words[code] ?? code };
  }
}

/** What tells that a file is still the one that was read. */
export async function stampOf(
  place: string,
): Promise<{ stamp: string | null; modified_ms: number; bytes: number }> {
  try {
    const { dev, ino, size, mtimeMs } = await stat(/* turbopackIgnore: true */ place);
    return { stamp: `${dev}:${ino}:${size}:${mtimeMs}`, modified_ms: mtimeMs, bytes: size };
  } catch {
    // Gone since it was listed, or a dangling link: reading it says which.
    return { stamp: null, modified_ms: 0, bytes: 0 };
  }
}
