import type { Parsed } from "#lib/errors.ts";
import { stampOf } from "./find-reports.io.ts";
import { noSuchCard, placeOfListed } from "./list-reports.io.ts";
import { readCard } from "./reports.io.ts";
import type { Card } from "./scorecard.ts";

/** Loads cards by name; the same object again as long as its file is the same. */
export type CardMemo = { load: (folders: readonly string[], name: string) => Promise<Parsed<Card>> };

type Kept = { stamp: string; bytes: number; card: Promise<Parsed<Card>> };

/** Files of this many bytes together stay in memory: three of 5 000 cases with five runs each, and some more. */
const MEMO_BYTES = 192 * 1024 * 1024;

/**
 * A memory of cards, so that the cases of a large one can be opened without reading it again. A file whose identity,
 * size or time differs is read anew, and the cards longest unused go when there are too many.
 */
export function createCardMemo(bytesMax = MEMO_BYTES): CardMemo {
  const kept = new Map<string, Kept>();
  return {
    async load(folders, name) {
      const place = await placeOfListed(folders, name);
      if (place === null) return noSuchCard(name);
      const { stamp, bytes } = await stampOf(place);
      if (stamp === null) return readCard(place, name);
      const key = `${place}\0${name}`;
      const known = kept.get(key);
      kept.delete(key);
      const fresh = known?.stamp === stamp ? known : { stamp, bytes, card: readCard(place, name) };
      kept.set(key, fresh);
      letGo(kept, bytesMax);
      return fresh.card;
    },
  };
}

/** The newest stays, however large it is: somebody is looking at it. */
function letGo(kept: Map<string, Kept>, bytesMax: number): void {
  let bytes = [...kept.values()].reduce((sum, one) => sum + one.bytes, 0);
  for (const [key, oldest] of kept) {
    if (bytes <= bytesMax || kept.size === 1) return;
    kept.delete(key);
    bytes -= oldest.bytes;
  }
}
