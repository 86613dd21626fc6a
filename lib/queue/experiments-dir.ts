import path from "node:path";

/** Where experiments keep the transcripts of their case runs, each in the folder of its id. */
export function experimentsDir(dataDir: string): string {
  return path.join(dataDir, "experiments");
}
