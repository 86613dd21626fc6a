import { statSync } from "node:fs";

/** Is there a folder? One that may not be asked about is none. */
export function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    // Absent or closed to us: whoever named it is told so by what follows.
    return false;
  }
}
