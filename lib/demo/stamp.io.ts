import { existsSync } from "node:fs";
import path from "node:path";

/** Beside the folders of a demo store: says that mecha made them, and what from. */
export const STAMP = "demo-stamp";

/** Whether `place`, a demo store's home or a folder in it, holds nothing but what mecha made up. */
export function isDemo(place: string): boolean {
  return [place, path.dirname(place)].some((home) =>
    existsSync(/* turbopackIgnore: true */ path.join(home, STAMP)),
  );
}
