/**
 * Does a value hold objects or lists within each other to more than `most` levels? It is looked at level by level and
 * not by recursion, for how deep it goes may be a stranger's choice.
 */
export function nestsDeeper(root: unknown, most: number): boolean {
  let level = [root];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    level = level.flatMap((value) =>
      typeof value === "object" && value !== null ? Object.values(value) : [],
    );
  }
  return false;
}
