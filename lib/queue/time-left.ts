/** So many of the latest results tell how fast runs end. */
export const LATEST = 20;

/**
 * About how long until `remaining` more case runs have ended, in ms: as fast as the latest ones did, whatever ran at once.
 * `ends`: when the latest 20 ended, newest first. Null when nothing has ended yet, or nobody knows when it began.
 */
export function msLeft(
  remaining: number,
  { startedAt, ends }: { startedAt: number | null; ends: readonly number[] },
): number | null {
  const [last] = ends;
  const first = ends.at(-1);
  if (remaining === 0) return 0;
  if (last === undefined || first === undefined) return null;
  // With fewer, all there are: the time since the start counts too.
  if (ends.length >= LATEST) return Math.round(((last - first) / (ends.length - 1)) * remaining);
  return startedAt === null ? null : Math.round((Math.max(0, last - startedAt) / ends.length) * remaining);
}
