import { statSync } from "node:fs";

/** Is there a folder? One that may not be asked about is none for us. */
export function isFolder(place: string): boolean {
  try {
    return statSync(place).isDirectory();
  } catch {
    // Why it cannot be used does not matter to whoever has to name another.
    return false;
  }
}
