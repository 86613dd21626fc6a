import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { fixtureFiles, readable } from "./fixture-files.io.ts";

/**
 * SHA-256 over a folder: the path and the bytes of each file, in byte order of the paths. Two fixtures with equal digests
 * are the same to every case. Throws a UserError for what is no fixture.
 */
export async function folderDigest(folder: string): Promise<string> {
  const { files } = await fixtureFiles(folder);
  const hash = createHash("sha256");
  for (const name of files) {
    const bytes = await readable(folder, name, (place) => readFile(place));
    hash.update(`${JSON.stringify(name)} ${bytes.length}\n`).update(bytes);
  }
  return hash.digest("hex");
}
