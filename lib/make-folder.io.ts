import { mkdirSync, type Stats, statSync } from "node:fs";
import path from "node:path";
import { hasCode } from "#lib/errors.ts";

/**
 * Makes a folder and those it stands in, each with `mode`; what is there stays as it is. Throws the
 * system's error with the path that could not be made; `ENOTDIR` for what is there and is no folder.
 *
 * Node's own recursive way never returns where a file system says of a folder that is there that it cannot hold another,
 * as `/proc` does; this one asks once for each level.
 */
export function makeFolder(folder: string, mode = 0o777): void {
  for (const level of missingLevels(folder)) makeLevel(level, mode);
}

/** Outermost first. */
function missingLevels(folder: string): string[] {
  const missing: string[] = [];
  for (let level = folder; ; level = path.dirname(level)) {
    const found = statOrNull(level);
    if (found !== null && !found.isDirectory()) throw noFolder(level);
    if (found !== null || level === path.dirname(level)) return missing.reverse();
    missing.push(level);
  }
}

function makeLevel(level: string, mode: number): void {
  try {
    mkdirSync(/* turbopackIgnore: true */ level, { mode });
  } catch (error) {
    // Somebody else was faster, or it is a link that leads nowhere.
    if (!hasCode(error, "EEXIST")) throw error;
    if (statOrNull(level)?.isDirectory() !== true) throw noFolder(level);
  }
}

function statOrNull(place: string): Stats | null {
  try {
    return statSync(/* turbopackIgnore: true */ place);
  } catch (error) {
    // What stands below a file is not there; the file itself is found on the way up.
    if (hasCode(error, "ENOENT") || hasCode(error, "ENOTDIR")) return null;
    throw error;
  }
}

/** As the system would say it, and never `EEXIST`, by which a caller knows that its own file is there. */
function noFolder(place: string): Error {
  const told = new Error(`ENOTDIR: ${place} is no folder`);
  return Object.assign(told, { code: "ENOTDIR", syscall: "mkdir", path: place });
}
