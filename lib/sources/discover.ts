import type { Parsed } from "#lib/errors.ts";
import { resolvePlace, type Settings } from "#lib/settings.ts";
import type { Source } from "#lib/sources/source.ts";
import type { SourceKind } from "#lib/transcript/run-row.ts";

/** A source that was chosen; `optional`: that it is missing is not worth a word. */
export type Choice = Source & { optional: boolean };

/** Every kind, in the order in which sources are listed. */
export const SOURCE_KINDS = ["mecha", "claude-code"] as const satisfies readonly SourceKind[];

/** Where a kind of transcript stands when nobody says otherwise. */
function defaultChoices(kind: SourceKind, settings: Settings): Choice[] {
  const at = (optional: boolean) => (place: string) => ({ kind, place, optional });
  switch (kind) {
    case "mecha":
      return [at(false)(settings.sessionDir)];
    case "claude-code":
      return [...settings.claudeProjects.map(at(false)), ...settings.claudeProjectsElsewhere.map(at(true))];
    default:
      return kind satisfies never;
  }
}

/** The folder inside a tool's home folder that holds the transcripts, so that naming the home folder works too. */
export function innerFolder(kind: SourceKind): string {
  switch (kind) {
    case "mecha":
      return "sessions";
    case "claude-code":
      return "projects";
    default:
      return kind satisfies never;
  }
}

/** What `KIND` (the places it has by default) or `KIND=PATH` means; `~` and relative paths are resolved. */
export function parseSourceSpec(spec: string, settings: Settings): Parsed<Choice[]> {
  const cut = spec.indexOf("=");
  const name = (cut < 0 ? spec : spec.slice(0, cut)).trim();
  const kind = SOURCE_KINDS.find((known) => known === name);
  if (kind === undefined) {
    const known = SOURCE_KINDS.join(", ");
    return {
      ok: false,
      problem: `source ${JSON.stringify(spec)}: unknown kind ${JSON.stringify(name)}; known: ${known} (write KIND or KIND=PATH, several with commas)`,
    };
  }
  if (cut < 0) return { ok: true, value: defaultChoices(kind, settings) };
  const written = spec.slice(cut + 1).trim();
  if (written === "" || written.includes("\0")) {
    return { ok: false, problem: `source ${JSON.stringify(spec)}: a path is missing after "="` };
  }
  return { ok: true, value: [{ kind, place: resolvePlace(written, settings), optional: false }] };
}

/**
 * The sources that a choice means. A bare KIND means the places configured for that kind, so that `--source mecha`
 * and a URL's `source=mecha` never read a store that MECHA_SOURCES has replaced. No source is listed twice.
 */
export function chooseSources(settings: Settings, selected: readonly string[] | null): Parsed<Choice[]> {
  const configured = settings.sourceSpecs ?? [...SOURCE_KINDS];
  const specs = selected ?? configured;
  const sources = new Map<string, Choice>();
  for (const spec of specs.flatMap((one) => placesOf(one, configured))) {
    const parsed = parseSourceSpec(spec, settings);
    if (!parsed.ok) return parsed;
    for (const source of parsed.value) sources.set(`${source.kind}=${source.place}`, source);
  }
  return { ok: true, value: [...sources.values()] };
}

function placesOf(spec: string, configured: readonly string[]): string[] {
  if (spec.includes("=")) return [spec];
  const places = configured.filter(
    (one) => one.slice(0, Math.max(one.indexOf("="), 0)).trim() === spec.trim(),
  );
  return places.length > 0 ? places : [spec];
}
