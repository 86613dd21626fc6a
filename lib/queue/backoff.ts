const FIRST_MS = 1_000;
/** The longest pause between two attempts. */
export const LONGEST_MS = 5 * 60_000;

/** How long a job waits after its attempt `attempts` (1-based) failed: twice as long each time, and never over five minutes. */
export function backoffMs(attempts: number): number {
  const doublings = Math.min(Math.max(0, attempts - 1), 30);
  return Math.min(FIRST_MS * 2 ** doublings, LONGEST_MS);
}
