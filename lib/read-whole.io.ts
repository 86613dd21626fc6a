import { readFile, stat } from "node:fs/promises";
import { hasCode, messageOf, type Parsed } from "#lib/errors.ts";
import { bytes } from "#lib/format.ts";

/** All bytes of a regular file of at most `bytesMax`. The problem is one line that leaves the file's name to the caller. */
export async function readWhole(place: string, bytesMax: number): Promise<Parsed<Buffer>> {
  try {
    // Asked before opening: a pipe of that name would make us wait for ever.
    const found = await stat(/* turbopackIgnore: true */ place);
    if (!found.isFile()) return { ok: false, problem: "it is not a regular file" };
    if (found.size > bytesMax) {
      return {
        ok: false,
        problem: `${bytes(found.size)} are more than the ${bytes(bytesMax)} that are read`,
      };
    }
    return { ok: true, value: await readFile(/* turbopackIgnore: true */ place) };
  } catch (error) {
    return { ok: false, problem: hasCode(error, "ENOENT") ? "there is no such file" : messageOf(error) };
  }
}
