import { randomBytes } from "node:crypto";
import { constants, type Stats } from "node:fs";
import { access, type FileHandle, lstat, open, rename, unlink } from "node:fs/promises";
import { hasCode } from "#lib/errors.ts";
import { ToolProblem } from "./define-tool.ts";
import type { Place } from "./workspace-walk.io.ts";

/** An open regular file, and what was known of it when it was opened. */
export type OpenFile = { handle: FileHandle; stat: Stats };

// Without waiting: a pipe put there between the look and the opening would hold us for ever.
const OPEN_FILE = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK | constants.O_NOCTTY;
const CREATE_FILE = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;

/**
 * Opens the regular file at `place` for reading and closes it after `use`. Pipes, sockets and devices are refused,
 * before they are opened and again after.
 */
export async function withFile<T>(place: Place, use: (file: OpenFile) => Promise<T>): Promise<T> {
  refuseUnlessFile(place, place.stat);
  if (place.name === null || place.stat === null)
    throw new ToolProblem(`${place.shown}: there is no such file`);
  const handle = await open(place.folder.at(place.name), OPEN_FILE);
  try {
    const stat = await handle.stat();
    refuseUnlessFile(place, stat);
    await place.confirm();
    return await use({ handle, stat });
  } finally {
    await handle.close();
  }
}

/**
 * Puts `content` at `place`, whole or not at all: written beside it, then renamed over it. The file keeps its mode and
 * owner. Because the old file is replaced and not written into, other hard links to it keep the old content.
 *
 * @param expected what the caller read; null: the file may have any content. Refuses when the file has changed since.
 */
export async function replaceFile(place: Place, content: Uint8Array, expected: Stats | null): Promise<void> {
  refuseUnlessFile(place, place.stat);
  if (place.name === null) throw new ToolProblem(`${place.shown} names a folder`);
  const target = place.folder.at(place.name);
  if (place.stat !== null) await access(target, constants.W_OK);
  const temporary = place.folder.at(`.mecha-${randomBytes(8).toString("hex")}.tmp`);
  const handle = await open(temporary, CREATE_FILE, 0o666);
  try {
    try {
      await place.confirm();
      if (place.stat !== null) await keepModeAndOwner(handle, place.stat);
      await handle.writeFile(content);
      // Else a crash could leave the new name on an empty file.
      await handle.datasync();
    } finally {
      await handle.close();
    }
    if (expected !== null) refuseIfChanged(place, expected, await lstat(target));
    await rename(temporary, target);
  } catch (error) {
    await unlink(temporary).catch((second: unknown) => {
      if (!hasCode(second, "ENOENT")) throw second;
    });
    throw error;
  }
}

async function keepModeAndOwner(handle: FileHandle, old: Stats): Promise<void> {
  const made = await handle.stat();
  if (made.uid !== old.uid || made.gid !== old.gid) {
    await handle.chown(old.uid, old.gid).catch((error: unknown) => {
      // Only root may give files away; the file then belongs to who wrote it.
      if (!hasCode(error, "EPERM")) throw error;
    });
  }
  await handle.chmod(old.mode & 0o777);
}

function refuseIfChanged(place: Place, before: Stats, now: Stats): void {
  if (before.ino === now.ino && before.size === now.size && before.mtimeMs === now.mtimeMs) return;
  throw new ToolProblem(`${place.shown} was changed by somebody else meanwhile; read it again`);
}

/** Nothing there is fine here: what that means is the caller's to say. */
function refuseUnlessFile(place: Place, stat: Stats | null): void {
  if (place.name === null || stat?.isDirectory())
    throw new ToolProblem(`${place.shown} is a folder; fs_list shows what is in it`);
  if (stat !== null && !stat.isFile())
    throw new ToolProblem(`${place.shown} is a ${kindOf(stat)}, not a file`);
}

function kindOf(stat: Stats): string {
  if (stat.isFIFO()) return "pipe";
  if (stat.isSocket()) return "socket";
  if (stat.isSymbolicLink()) return "link";
  return "device";
}
