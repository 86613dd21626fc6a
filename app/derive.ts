import type { Scan } from "#lib/sources/source.ts";

type Kept = { scans: readonly Scan[]; value: unknown };

/** Answers kept for one scan; the oldest goes when there are more. */
const KEPT_MAX = 64;
const kept = new WeakMap<Scan, Map<string, Kept>>();

/**
 * A value worked out from scans, remembered while these very scans live: a page that is asked for again does no work
 * twice, and a scan that was replaced takes everything derived from it along. `key` names the calculation and all that
 * it depends on beside the scans.
 */
export function derive<T>(scans: readonly Scan[], key: string, compute: () => T): T {
  const [first] = scans;
  if (first === undefined) return compute();
  const answers = kept.get(first) ?? new Map<string, Kept>();
  kept.set(first, answers);
  const known = answers.get(key);
  if (known !== undefined && sameScans(known.scans, scans)) return known.value as T;
  const value = compute();
  answers.delete(key);
  answers.set(key, { scans, value });
  for (const oldest of answers.keys()) {
    if (answers.size <= KEPT_MAX) break;
    answers.delete(oldest);
  }
  return value;
}

function sameScans(a: readonly Scan[], b: readonly Scan[]): boolean {
  return a.length === b.length && a.every((scan, index) => scan === b[index]);
}
