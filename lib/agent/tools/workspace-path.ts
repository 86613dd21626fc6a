import type { Parsed } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { clipped } from "#lib/utf8.ts";

/**
 * A path as a model wrote it, cut into names. `..` is still in it: what it means depends on the links before it, so
 * only the walk through the folders can say.
 */
export type WorkspacePath = {
  segments: string[];
  /** For messages: as given, made visible and short. */
  shown: string;
  /** It ends in a slash. */
  namesFolder: boolean;
};

const PATH_BYTES_MAX = 4096;
const NAME_BYTES_MAX = 255;

/**
 * Reads a path relative to the workspace, or an absolute one inside it. `roots` are the absolute paths by which the
 * workspace is known: as configured, and with its links resolved.
 *
 * Letters that only look like a dot or a slash are letters of a name; nothing is normalised or decoded.
 */
export function parseWorkspacePath(given: string, roots: readonly string[]): Parsed<WorkspacePath> {
  const shown = visible(clipped(given, 200));
  if (given === "") return { ok: false, problem: "the path is empty; the workspace itself is `.`" };
  if (given.includes("\0")) return { ok: false, problem: `${shown}: a path cannot hold a NUL character` };
  if (Buffer.byteLength(given) > PATH_BYTES_MAX)
    return { ok: false, problem: `the path is longer than ${PATH_BYTES_MAX} bytes: ${shown}` };
  const inside = insideSegments(given, roots);
  if (inside === null) return { ok: false, problem: outside(shown) };
  if (inside.some((name) => Buffer.byteLength(name) > NAME_BYTES_MAX))
    return { ok: false, problem: `a name in the path is longer than ${NAME_BYTES_MAX} bytes: ${shown}` };
  return { ok: true, value: { segments: inside, shown, namesFolder: /(^|\/)\.{0,2}$/.test(given) } };
}

/** The names of a relative path, or of an absolute one after the root it lies in; null: it lies in none. */
export function insideSegments(path: string, roots: readonly string[]): string[] | null {
  // An ending slash says that the last name is a folder; a `.` left at the end keeps that.
  const names = /\/\.?$/.test(path) ? [...namesOf(path), "."] : namesOf(path);
  if (!path.startsWith("/")) return names;
  for (const root of roots) {
    const prefix = namesOf(root);
    if (prefix.every((name, i) => names[i] === name)) return names.slice(prefix.length);
  }
  return null;
}

export function outside(shown: string): string {
  return `${shown} is outside the workspace; only files in the workspace can be reached`;
}

function namesOf(path: string): string[] {
  return path.split("/").filter((name) => name !== "" && name !== ".");
}
