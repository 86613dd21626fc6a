import { hasCode } from "#lib/errors.ts";

/** Is that process there? One of another user is. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return hasCode(error, "EPERM");
  }
}
