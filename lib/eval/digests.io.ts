import { createHash } from "node:crypto";
import { readdir, readFile, stat } from "node:fs/promises";
import path from "node:path";
import { UserError } from "#lib/errors.ts";
import { byteOrder } from "#lib/format.ts";

const FILES_MAX = 20_000;
const BYTES_MAX = 512 * 1024 * 1024;

/**
 * SHA-256 over a folder: the path and the bytes of each file, in byte order of the paths. Two fixtures with equal digests
 * are the same to every case. Throws a UserError for a folder too large to be a fixture.
 */
export async function folderDigest(folder: string): Promise<string> {
  const names = await filesBelow(folder);
  const hash = createHash("sha256");
  let total = 0;
  for (const name of names) {
    const file = path.join(folder, name);
    total += (await stat(file)).size;
    if (total > BYTES_MAX)
      throw new UserError("bad_input", `${folder}: more than ${BYTES_MAX / 2 ** 20} MB are no fixture`);
    const bytes = await readFile(file);
    hash.update(`${JSON.stringify(name)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}

async function filesBelow(folder: string): Promise<string[]> {
  const names: string[] = [];
  const visit = async (inside: string): Promise<void> => {
    for (const entry of await readdir(path.join(folder, inside))) {
      const name = path.posix.join(inside, entry);
      // Followed, as the copies of the fixture follow links.
      const stats = await stat(path.join(folder, name));
      if (stats.isDirectory()) await visit(name);
      else if (stats.isFile()) names.push(name);
      if (names.length > FILES_MAX)
        throw new UserError("bad_input", `${folder}: more than ${FILES_MAX} files are no fixture`);
    }
  };
  await visit("");
  return names.sort(byteOrder);
}
