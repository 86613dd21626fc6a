import { readdir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import { byteOrder } from "#lib/format.ts";

const ENTRIES_MAX = 20_000;
const BYTES_MAX = 512 * 1024 * 1024;

/** What a fixture consists of, paths relative to it and in byte order; a folder stands before what is in it. */
export type FixtureFiles = { folders: string[]; files: string[] };

/**
 * Lists a fixture, links followed: a copy of it has nothing that leads out. Throws a UserError for what cannot be copied
 * to the same effect: a link that leads nowhere or into its own folder, a pipe or a device, and for a folder that is
 * too large to be a fixture.
 */
export async function fixtureFiles(folder: string): Promise<FixtureFiles> {
  const found: FixtureFiles = { folders: [], files: [] };
  let bytes = 0;
  const visit = async (inside: string, above: readonly string[]): Promise<void> => {
    const here = await readable(folder, inside, (place) => realpath(place));
    if (above.includes(here)) throw unusable(folder, inside, "is a link into a folder that holds it");
    for (const entry of await readable(folder, inside, (place) => readdir(place))) {
      const name = path.posix.join(inside, entry);
      const stats = await statOf(folder, name);
      if (stats.isDirectory()) {
        found.folders.push(name);
        await visit(name, [...above, here]);
      } else if (stats.isFile()) {
        found.files.push(name);
        bytes += stats.size;
      } else throw unusable(folder, name, "is neither a file nor a folder");
      if (found.files.length + found.folders.length > ENTRIES_MAX)
        throw unusable(folder, "", `has more than ${ENTRIES_MAX} entries`);
      if (bytes > BYTES_MAX) throw unusable(folder, "", `has more than ${BYTES_MAX / 2 ** 20} MB`);
    }
  };
  await visit("", []);
  return { folders: found.folders.sort(byteOrder), files: found.files.sort(byteOrder) };
}

async function statOf(folder: string, name: string) {
  return readable(folder, name, async (place) => {
    try {
      return await stat(place);
    } catch (error) {
      if (hasCode(error, "ENOENT") || hasCode(error, "ELOOP"))
        throw unusable(folder, name, "is a link that leads nowhere");
      throw error;
    }
  });
}

/** What the system says of a place in the fixture is the fixture's problem, and no bug. */
export async function readable<T>(
  folder: string,
  name: string,
  read: (place: string) => Promise<T>,
): Promise<T> {
  try {
    return await read(path.join(folder, name));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw unusable(folder, name, `cannot be read: ${messageOf(error)}`);
  }
}

function unusable(folder: string, name: string, why: string): UserError {
  return new UserError("bad_input", `the fixture cannot be used: ${path.join(folder, name)} ${why}`);
}
