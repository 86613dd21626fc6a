import { accessSync, constants, lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import type { Visible } from "./bwrap.ts";
import { prefixOf, SYSTEM_PLACES, settingsPlaces, toolchainsOf, visiblePath, within } from "./visible.ts";

let found: Visible | null = null;

/** What this machine shows to a confined command: its programs and the person's toolchains. Looked up once. */
export function visibleHere(more: readonly string[] = []): Visible {
  found ??= lookAround();
  return more.length === 0 ? found : { ...found, readOnly: [...found.readOnly, ...more.filter(readable)] };
}

function lookAround(): Visible {
  const home = homedir();
  const links = SYSTEM_PLACES.flatMap((at) => {
    const to = linkTarget(at);
    return to === null ? [] : [{ at, to }];
  });
  const linked = new Set(links.map(({ at }) => at));
  const toolchains = toolchainsOf(home).filter(({ place }) => readable(place));
  const readOnly = [
    ...SYSTEM_PLACES.filter((place) => !linked.has(place) && readable(place)),
    ...settingsPlaces(namesIn("/etc")).filter(readable),
    ...toolchains.map(({ place }) => place),
  ];
  readOnly.push(...ownProgram(home).filter((place) => !readOnly.some((other) => within(place, other))));
  return {
    readOnly,
    links,
    path: visiblePath(process.env.PATH ?? "", [...readOnly, ...linked]),
    env: Object.fromEntries(
      toolchains.flatMap(({ place, variable }) => (variable === undefined ? [] : [[variable, place]])),
    ),
  };
}

/** A JavaScript task needs the Node that runs us, wherever it was put. */
function ownProgram(home: string): string[] {
  const executable = realpathSync(process.execPath);
  return [prefixOf(executable, home) ?? executable];
}

function readable(place: string): boolean {
  try {
    accessSync(place, constants.R_OK);
    return true;
  } catch {
    // Absent or closed to this user: either way it cannot be shown, and bubblewrap would stop at it.
    return false;
  }
}

function linkTarget(place: string): string | null {
  return lstatSync(place, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(place) : null;
}

function namesIn(folder: string): string[] {
  return readable(folder) ? readdirSync(folder) : [];
}
