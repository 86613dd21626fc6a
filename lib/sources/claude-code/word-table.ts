const ENCODER = new TextEncoder();

/** A closed set of ASCII words that can be looked up in bytes without making a string. */
export type WordTable = readonly (readonly { bytes: Uint8Array; index: number }[])[];

/** The table of `words`; a word's index is its place in the list. */
export function wordTable(words: readonly string[]): WordTable {
  const longest = Math.max(...words.map((word) => word.length));
  const all = words.map((word, index) => ({ bytes: ENCODER.encode(word), index }));
  return Array.from({ length: longest + 1 }, (_, length) =>
    all.filter(({ bytes }) => bytes.length === length),
  );
}

/** The index of the word that is exactly `buf[start, end)`, or -1. */
export function wordAt(table: WordTable, buf: Uint8Array, start: number, end: number): number {
  const candidates = table[end - start];
  if (candidates === undefined) return -1;
  for (const { bytes, index } of candidates) {
    if (same(buf, start, bytes)) return index;
  }
  return -1;
}

function same(buf: Uint8Array, start: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i += 1) if (buf[start + i] !== bytes[i]) return false;
  return true;
}
