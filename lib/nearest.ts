/** The known word closest to a mistyped one, when it is close enough to be what was meant; else null. */
export function nearest(word: string, known: readonly string[]): string | null {
  // A long word is no typing error, and the comparison costs its length times the known one's.
  if (word.length > 64) return null;
  const best = known
    .map((candidate) => ({ candidate, steps: distance(word.toLowerCase(), candidate) }))
    .sort((a, b) => a.steps - b.steps)[0];
  return best !== undefined && best.steps <= Math.max(1, Math.floor(best.candidate.length / 3))
    ? best.candidate
    : null;
}

/** Letters to insert, delete, replace or swap with their neighbour. */
function distance(a: string, b: string): number {
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = at(row, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, change);
      if (a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] && i > 1 && j > 1)
        least = Math.min(least, at(before, j - 2) + 1);
      next.push(least);
    }
    before = row;
    row = next;
  }
  return at(row, b.length);
}

const at = (row: readonly number[], i: number) => row[i] ?? Number.POSITIVE_INFINITY;
