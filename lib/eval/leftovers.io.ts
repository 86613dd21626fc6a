import { lstat, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { isAlive } from "#lib/is-alive.io.ts";

/** How the staging folder of a pass begins; its process id follows. */
export const STAGING_PREFIX = "mecha-eval-";

const NAME = new RegExp(`^${STAGING_PREFIX}(\\d+)-[A-Za-z0-9]{6}$`);

/** A pass in another container has a process id that means nothing here, but it makes folders all the time. */
const QUIET_MS = 3_600_000;

/**
 * Removes the staging folders of passes that were killed: ours, of a process that is gone, and quiet for an hour. Best
 * effort: whatever stands in the way is left to the next pass.
 */
export async function removeLeftovers(temp: string, now: number = Date.now()): Promise<void> {
  for (const entry of await readdir(temp).catch(() => [])) {
    const pid = NAME.exec(entry)?.[1];
    if (pid === undefined || isAlive(Number(pid))) continue;
    const folder = path.join(temp, entry);
    const stats = await lstat(folder).catch(() => null);
    if (stats === null || !stats.isDirectory() || stats.uid !== process.getuid?.()) continue;
    if (now - stats.mtimeMs < QUIET_MS) continue;
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}
