import { constants, existsSync, type Stats } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readlink, realpath } from "node:fs/promises";
import path from "node:path";
import { hasCode } from "#lib/errors.ts";
import { ToolProblem } from "./define-tool.ts";
import { systemProblem } from "./system-problem.ts";
import { insideSegments, outside, parseWorkspacePath } from "./workspace-path.ts";

/**
 * How a name in an open folder is addressed. `descriptors`: through the folder's descriptor under `/proc/self/fd`,
 * as openat(2) would, so that nothing swapped on the way can lead elsewhere. `paths`: by the folder's real path, which
 * is looked at again afterwards; a swap between two looks can be missed. It is for systems without `/proc/self/fd`.
 */
export type Addressing = "descriptors" | "paths";

/** An open folder of the workspace. */
export type Folder = { handle: FileHandle; path: string; at(name: string): string };

/** Where a path leads: a name in an open folder, which may not exist yet, or the folder itself. */
export type Place = {
  folder: Folder;
  /** Null: the path led to the folder. */
  name: string | null;
  /** Of the name, and never of a link; null: there is nothing of that name. */
  stat: Stats | null;
  shown: string;
  /** Throws when the folder is no longer in the workspace. Call it after opening something in it. */
  confirm(): Promise<void>;
};

const LINKS_MAX = 40;
const DEPTH_MAX = 200;
const OPEN_FOLDER = constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** The safer one where the system has it. */
export function systemAddressing(): Addressing {
  return process.platform === "linux" && existsSync("/proc/self/fd") ? "descriptors" : "paths";
}

/**
 * Walks `given` from the workspace folder one name at a time and hands the place to `use`; every folder on the way is
 * open until `use` is done. Links are read and followed by hand, so one that leads out is refused, and so are the
 * links of `/proc` that are more than text. A hard link to a file outside cannot be told from a file of the workspace.
 *
 * @throws {ToolProblem} for a path that leads out or nowhere
 */
export async function withPlace<T>(
  workspace: string,
  given: string,
  options: { createFolders: boolean; addressing: Addressing },
  use: (place: Place) => Promise<T>,
): Promise<T> {
  // Backslashes, drives and streams would need rules of their own.
  if (process.platform === "win32") throw new ToolProblem("the file tools work on Linux and macOS only");
  const real = await realpath(workspace).catch((error: unknown) => {
    throw systemProblem(error, "the workspace");
  });
  const parsed = parseWorkspacePath(given, [workspace, real]);
  if (!parsed.ok) throw new ToolProblem(parsed.problem);
  const { segments, shown, namesFolder } = parsed.value;
  // Said before any folder is made for it.
  if (options.createFolders && namesFolder) throw new ToolProblem(`${shown} names a folder`);
  const trail: Folder[] = [];
  try {
    trail.push(await openFolder(real, real, options.addressing));
    const found = await walk(trail, segments, { roots: [workspace, real], shown, ...options });
    const confirm = () => confirmInside(found.folder, real, shown, options.addressing);
    await confirm();
    return await use({ ...found, shown, confirm });
  } catch (error) {
    throw systemProblem(error, shown);
  } finally {
    for (const folder of trail) await folder.handle.close();
  }
}

type WalkOptions = { roots: string[]; shown: string; createFolders: boolean; addressing: Addressing };

async function walk(
  trail: Folder[],
  segments: string[],
  options: WalkOptions,
): Promise<Pick<Place, "folder" | "name" | "stat">> {
  const ahead = [...segments];
  let links = 0;
  for (;;) {
    const folder = trail.at(-1);
    if (folder === undefined) throw new ToolProblem(outside(options.shown));
    const name = ahead.shift();
    if (name === undefined) return { folder, name: null, stat: null };
    if (name === ".") continue;
    if (name === "..") {
      await leave(trail, trail.length - 1, options.shown);
      continue;
    }
    const stat = await lstatIfThere(folder.at(name));
    if (stat?.isSymbolicLink()) {
      links += 1;
      if (links > LINKS_MAX) throw new ToolProblem(`${options.shown}: too many links, or links in a circle`);
      ahead.unshift(...(await followByHand(trail, folder.at(name), options)));
      continue;
    }
    if (ahead.length === 0) return { folder, name, stat };
    trail.push(await enter(folder, name, { stat, ahead, depth: trail.length, ...options }));
  }
}

/** Closes the folders from `keep` on. */
async function leave(trail: Folder[], keep: number, shown: string): Promise<void> {
  if (keep < 1) throw new ToolProblem(outside(shown));
  for (const folder of trail.splice(keep)) await folder.handle.close();
}

async function followByHand(trail: Folder[], link: string, options: WalkOptions): Promise<string[]> {
  const target = await readlink(link);
  const names = insideSegments(target, options.roots);
  if (names === null)
    throw new ToolProblem(`${options.shown} is or goes through a link that leads out of the workspace`);
  if (target.startsWith("/")) await leave(trail, 1, options.shown);
  return names;
}

async function enter(
  folder: Folder,
  name: string,
  options: WalkOptions & { stat: Stats | null; ahead: string[]; depth: number },
): Promise<Folder> {
  const { stat, ahead, depth, shown, createFolders, addressing } = options;
  if (depth > DEPTH_MAX) throw new ToolProblem(`${shown}: more than ${DEPTH_MAX} folders deep`);
  if (stat === null) {
    // A folder is not made only to be left again.
    if (!createFolders || ahead.includes(".."))
      throw new ToolProblem(`${shown}: there is no folder ${JSON.stringify(name)} on the way`);
    await mkdir(folder.at(name)).catch((error: unknown) => {
      // Somebody else made it at the same moment.
      if (!hasCode(error, "EEXIST")) throw error;
    });
  } else if (!stat.isDirectory())
    throw new ToolProblem(`${shown}: ${JSON.stringify(name)} on the way is not a folder`);
  return await openFolder(folder.at(name), path.join(folder.path, name), addressing);
}

/** Opens a folder and never a link to one. `shownPath`: its real path, by which it is found again. */
export async function openFolder(place: string, shownPath: string, addressing: Addressing): Promise<Folder> {
  const handle = await open(place, OPEN_FOLDER);
  const base = addressing === "descriptors" ? `/proc/self/fd/${handle.fd}` : shownPath;
  return { handle, path: shownPath, at: (name) => `${base}/${name}` };
}

/** With descriptors nothing can have moved under us; with paths it is looked at once more. */
async function confirmInside(
  folder: Folder,
  real: string,
  shown: string,
  addressing: Addressing,
): Promise<void> {
  if (addressing === "descriptors") return;
  const now = await realpath(folder.path);
  if (now !== real && !now.startsWith(real === "/" ? real : `${real}/`))
    throw new ToolProblem(outside(shown));
}

async function lstatIfThere(place: string): Promise<Stats | null> {
  try {
    return await lstat(place);
  } catch (error) {
    if (hasCode(error, "ENOENT")) return null;
    throw error;
  }
}
