import { readFile, stat } from "node:fs/promises";
import { hasCode, messageOf, type Parsed } from "#lib/errors.ts";
import { bytes } from "#lib/format.ts";
import { utf8 } from "#lib/utf8.ts";

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

/** The text of a regular file of at most `bytesMax`, without a byte order mark. The problem is as `readWhole` has it. */
export async function readText(place: string, bytesMax: number): Promise<Parsed<string>> {
  const content = await readWhole(place, bytesMax);
  if (!content.ok) return content;
  const text = utf8(content.value);
  return text === null ? { ok: false, problem: "it is not UTF-8 text" } : { ok: true, value: text };
}
