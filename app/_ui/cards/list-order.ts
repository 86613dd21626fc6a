import type { ReportFile } from "#lib/eval/list-reports.io.ts";
import { ratio } from "#lib/rate.ts";

const LIST_SORTS = ["made", "name", "model", "passed"] as const;
export type ListSort = { by: (typeof LIST_SORTS)[number]; descending: boolean };

/** The newest first, unless the address says otherwise. */
export function parseListSort(text: string): ListSort {
  const descending = text.startsWith("-");
  const by = LIST_SORTS.find((one) => one === text.slice(descending ? 1 : 0));
  return by === undefined ? { by: "made", descending: true } : { by, descending };
}

/** What the address says for an order; empty for the usual one. */
export function listSortText({ by, descending }: ListSort): string {
  return by === "made" && descending ? "" : `${descending ? "-" : ""}${by}`;
}

/** Files, given newest first, in another order. What is no card has no model and no score, and comes last. */
export function inListOrder(files: readonly ReportFile[], { by, descending }: ListSort): ReportFile[] {
  if (by === "made") return descending ? [...files] : [...files].reverse();
  const key = ({ name, card }: ReportFile): string | number | null => {
    if (by === "name") return name;
    if (card === null) return null;
    return by === "model" ? card.model : ratio({ hits: card.head.passed, of: card.head.total });
  };
  const turn = descending ? -1 : 1;
  return files
    .map((file) => ({ file, key: key(file) }))
    .sort((a, b) => {
      if (a.key === null || b.key === null) return Number(a.key === null) - Number(b.key === null);
      return a.key === b.key ? 0 : turn * (a.key < b.key ? -1 : 1);
    })
    .map(({ file }) => file);
}
