import { existsSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const HERE = path.dirname(fileURLToPath(import.meta.url));

/**
 * The folder of migrations. This module may run from its own place, from the bundle of the command line or from the
 * server's build, each at another depth of the same checkout: so it is looked for upwards.
 */
export function migrationsFolder(): string {
  for (const start of [HERE, process.cwd()]) {
    for (let at = start, up = 0; up < 8; at = path.dirname(at), up++) {
      const folder = path.join(/* turbopackIgnore: true */ at, "db", "migrations");
      if (existsSync(path.join(folder, "meta", "_journal.json"))) return folder;
    }
  }
  throw new Error(`no db/migrations above ${HERE}: the installation is incomplete`);
}
