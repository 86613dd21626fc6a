import { opendir, realpath, stat } from "node:fs/promises";
import path from "node:path";
import { hasCode, messageOf, UserError } from "#lib/errors.ts";
import type { Settings } from "#lib/settings.ts";
import { chooseSources, innerFolder } from "#lib/sources/discover.ts";
import type { Source } from "#lib/sources/source.ts";

/** `found`: something stands at the place. `problem`: why it cannot be read; scan it when found without a problem. */
export type FoundSource = { source: Source; found: boolean; problem: string | null };

/**
 * The sources of a choice (`KIND` or `KIND=PATH` each; null = those of MECHA_SOURCES, else every kind), each with
 * whether it is there. A place nobody asked for by name may be missing; a missing place that was asked for is a
 * problem. Throws UserError for an unknown kind.
 */
export async function discoverSources(
  settings: Settings,
  selected: readonly string[] | null,
): Promise<FoundSource[]> {
  const chosen = chooseSources(settings, selected);
  if (!chosen.ok) throw new UserError("usage", chosen.problem);
  const asked = selected !== null || settings.sourceSpecs !== null;
  const seen = new Set<string>();
  const found: FoundSource[] = [];
  for (const { optional, ...source } of chosen.value) {
    const one = await lookAt(source, asked && !optional);
    if (optional && !one.found) continue;
    const real = `${source.kind}=${await realPlace(one)}`;
    // Two names of one folder would count every run twice.
    if (!seen.has(real)) found.push(one);
    seen.add(real);
    // Whoever asks for a kind has it in one of its places.
    if (optional) for (const other of found) if (other.source.kind === source.kind) forgive(other);
  }
  return found;
}

function forgive(other: FoundSource): void {
  if (!other.found) other.problem = null;
}

async function lookAt(source: Source, asked: boolean): Promise<FoundSource> {
  try {
    const stats = await stat(source.place);
    if (!stats.isDirectory()) return { source, found: true, problem: "is not a folder" };
    const place = await transcriptFolder(source);
    await listable(place);
    return { source: { ...source, place }, found: true, problem: null };
  } catch (error) {
    if (hasCode(error, "ENOENT"))
      return { source, found: false, problem: asked ? "there is no such folder" : null };
    return { source, found: true, problem: `cannot be read: ${messageOf(error)}` };
  }
}

/** The named folder, or the transcripts' folder inside it when a tool's home folder was named. */
async function transcriptFolder({ kind, place }: Source): Promise<string> {
  const inner = path.join(place, innerFolder(kind));
  if (path.basename(place) === innerFolder(kind)) return place;
  try {
    return (await stat(inner)).isDirectory() ? inner : place;
  } catch (error) {
    if (hasCode(error, "ENOENT")) return place;
    throw error;
  }
}

async function listable(place: string): Promise<void> {
  const folder = await opendir(place);
  await folder.read();
  await folder.close();
}

async function realPlace({ source, found, problem }: FoundSource): Promise<string> {
  return found && problem === null ? realpath(source.place) : source.place;
}
