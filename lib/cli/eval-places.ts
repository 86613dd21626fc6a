import { existsSync } from "node:fs";
import path from "node:path";
import { placeOfName } from "#lib/eval/reports.io.ts";
import { resolvePlace } from "#lib/settings.ts";
import type { CliIo } from "./io.ts";
import { settle } from "./store.ts";

/** A file somebody named, and the name it is shown and stored by. */
export type NamedFile = { place: string; name: string };

/** The results folders: those of the flag, else those of the environment. */
export function resultsFolders(io: CliIo, results: readonly string[]): string[] {
  if (results.length > 0) return results.map((folder) => resolvePlace(folder, io));
  return settle(io, {}, { zoneUnread: true }).resultsDirs;
}

/**
 * What a person meant by a path: the file there, else the card of that name in a results folder. A file in a results
 * folder is called as every other place calls it, by its path in there.
 */
export function fileNamed(io: CliIo, folders: readonly string[], given: string): NamedFile {
  const place = path.resolve(io.cwd, given);
  if (existsSync(place)) return { place, name: cardName(folders, place) ?? given };
  for (const folder of folders) {
    const inside = placeOfName(folder, given);
    if (inside !== null && existsSync(inside))
      return { place: inside, name: cardName(folders, inside) ?? given };
  }
  return { place, name: given };
}

/** Its path relative to the results folder, numbered where an earlier folder has a file of that name; null outside. */
function cardName(folders: readonly string[], place: string): string | null {
  for (const [at, folder] of folders.entries()) {
    const name = path.relative(folder, place);
    if (placeOfName(folder, name) !== place) continue;
    const earlier = folders.slice(0, at).some((other) => existsSync(path.join(other, name)));
    return earlier ? `${at + 1}:${name}` : name;
  }
  return null;
}
