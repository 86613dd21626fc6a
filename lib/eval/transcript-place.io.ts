import { realpath, stat } from "node:fs/promises";
import path from "node:path";
import { hasCode, messageOf, type Parsed } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";

/**
 * Where a transcript stands that a report names, relative to itself. Only a file inside of a results folder is one, links
 * followed: a report is data, and could name any file of this machine.
 */
export async function transcriptPlace(
  folders: readonly string[],
  report: string,
  transcript: string,
): Promise<Parsed<string>> {
  const named = visible(transcript.slice(0, 200));
  const problem = `the transcript ${named} is not in a results folder`;
  if (transcript.includes("\0") || !transcript.endsWith(".jsonl")) return { ok: false, problem };
  try {
    const place = await realpath(path.resolve(path.dirname(report), transcript));
    const roots = await Promise.all(folders.map((folder) => realpath(folder).catch(() => null)));
    if (!roots.some((root) => root !== null && isInside(root, place))) return { ok: false, problem };
    if (!(await stat(place)).isFile()) return { ok: false, problem: `the transcript ${named} is no file` };
    return { ok: true, value: place };
  } catch (error) {
    return {
      ok: false,
      problem: hasCode(error, "ENOENT") ? `the transcript ${named} is gone` : visible(messageOf(error)),
    };
  }
}

function isInside(root: string, place: string): boolean {
  const inside = path.relative(root, place);
  return inside !== "" && !inside.startsWith(`..${path.sep}`) && inside !== ".." && !path.isAbsolute(inside);
}
