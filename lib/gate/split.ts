const OFFSET = 0xcbf29ce484222325n;
const PRIME = 0x100000001b3n;
const MASK = 0xffffffffffffffffn;
const utf8 = new TextEncoder();

export const DEFAULT_HOLDOUT_IN = 3;

/** FNV-1a with 64 bits; `text` is hashed as UTF-8. */
export function fnv1a64(text: string): bigint {
  let hash = OFFSET;
  for (const byte of utf8.encode(text)) hash = ((hash ^ BigInt(byte)) * PRIME) & MASK;
  return hash;
}

/** The part of the corpus an episode belongs to: one is for choosing a change, the other for checking the choice. */
export type Slice = "selection" | "holdout";

/**
 * The slice of an episode: one in `holdoutIn` is held out. It depends on the id alone, so that measuring again
 * cannot deal the episodes anew until the holdout happens to agree. Throws a RangeError unless `holdoutIn` is an integer ≥ 2.
 */
export function sliceOf(episode: string, holdoutIn: number): Slice {
  if (!Number.isSafeInteger(holdoutIn) || holdoutIn < 2) {
    throw new RangeError(`one in ${holdoutIn} cannot be held out: an integer of 2 or more is needed`);
  }
  return fnv1a64(episode) % BigInt(holdoutIn) === 0n ? "holdout" : "selection";
}
