import { realpathSync, statSync } from "node:fs";

/** The folder with all links followed; null where there is none. */
export function realFolder(place: string): string | null {
  try {
    const real = realpathSync(place);
    return statSync(real).isDirectory() ? real : null;
  } catch {
    // Absent, closed to us or no path at all (a NUL in it): no folder that a command could work in.
    return null;
  }
}
