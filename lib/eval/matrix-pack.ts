import type { Matrix, MatrixRow } from "./matrix.ts";

/**
 * A matrix as one text, a line a case: how much of its id is that of the line before, its tags, its cells, the rest of
 * its id. Made small for a page, which escapes what it carries: nothing but line ends needs that here.
 */
export function packMatrix({ cards, tags, rows }: Matrix): string {
  let before = "";
  const lines = rows.map(({ id, tags: own, cells }) => {
    const text = JSON.stringify(id).slice(1, -1);
    const same = sharedLength(before, text);
    before = text;
    return [same.toString(36), own.join(","), ...cells, text.slice(same)].join("|");
  });
  return [JSON.stringify([cards, tags]), ...lines].join("\n");
}

/** How many characters two texts begin with alike; never half of a character. */
function sharedLength(a: string, b: string): number {
  let n = 0;
  while (n < a.length && n < b.length && a[n] === b[n]) n += 1;
  return /[\ud800-\udbff]/.test(b[n - 1] ?? "") ? n - 1 : n;
}

/** The inverse of packMatrix. Throws on a text that it did not make. */
export function unpackMatrix(packed: string): Matrix {
  const [head, ...lines] = packed.split("\n");
  const [cards, tags] = JSON.parse(head ?? "") as [string[], string[]];
  let before = "";
  const rows = lines.map((line): MatrixRow => {
    const parts = line.split("|");
    const [same, own] = parts;
    // An id may hold the separator itself.
    before = before.slice(0, Number.parseInt(same ?? "", 36)) + parts.slice(2 + cards.length).join("|");
    return {
      id: JSON.parse(`"${before}"`) as string,
      tags: own === undefined || own === "" ? [] : own.split(",").map(Number),
      cells: parts.slice(2, 2 + cards.length),
    };
  });
  return { cards, tags, rows };
}
