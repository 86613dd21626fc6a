/**
 * How much of each list is drawn: what two printed sheets hold. Of more, the number is said, and the JSON has it all.
 */
export const SHOWN = {
  /** Models with charts; the ones after them stand in a table. */
  charts: 3,
  models: 9,
  findings: 4,
  markers: 4,
  verdicts: 4,
  proposals: 4,
  /** Sentences on what changed. */
  sentences: 18,
  problems: 3,
} as const;

/** The first `max` of a list, and how many are left. */
export function firstOf<T>(list: readonly T[], max: number): { shown: T[]; more: number } {
  return { shown: list.slice(0, max), more: Math.max(0, list.length - max) };
}
