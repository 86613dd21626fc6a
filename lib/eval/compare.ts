import { type Difference, differencesOf, faultsOf } from "./comparable.ts";
import { type Coverage, coverageOf, headOf } from "./head.ts";
import type { CardDoubts } from "./head-check.ts";
import { doubtsOf } from "./head-check.ts";
import type { Card, CardMeta, Head } from "./scorecard.ts";

/** One column of a comparison. */
export type Column = {
  name: string;
  model: string;
  provider: string;
  /** From the cases themselves. */
  head: Head;
  coverage: Coverage;
  meta: CardMeta;
  wall_clock_ms: number | null;
  doubts: CardDoubts;
  /** What keeps it from being read against the first column of its group; empty for that one if it is sound. */
  differences: Difference[];
};

/** Cards that ran their cases equally often: what passed k runs cannot be ranked with what passed one. */
export type Group = {
  runs_per_case: number;
  columns: Column[];
  /** Tags that every card of the group has, in the first one's order. */
  tags: string[];
};

/** Cards side by side, in the order given, in groups of equal k in order of appearance. */
export function compareCards(cards: readonly Card[]): Group[] {
  const groups = new Map<number, { card: Card; head: Head }[]>();
  for (const card of cards) {
    const head = headOf(card.report.runs);
    groups.set(head.runs_per_case, [...(groups.get(head.runs_per_case) ?? []), { card, head }]);
  }
  return [...groups].map(([runs_per_case, own]) => {
    const columns = own.map(({ card, head }) => columnOf(card, head, own[0]?.card ?? card));
    return { runs_per_case, columns, tags: sharedTags(columns) };
  });
}

function columnOf(card: Card, head: Head, base: Card): Column {
  const { report } = card;
  const coverage = coverageOf(report);
  const doubts = doubtsOf(report);
  return {
    name: card.name,
    model: report.model,
    provider: report.provider,
    head,
    coverage,
    meta: report.meta,
    wall_clock_ms: report.wall_clock_ms,
    doubts,
    differences: [...faultsOf(card, coverage, doubts), ...(card === base ? [] : differencesOf(base, card))],
  };
}

function sharedTags(columns: readonly Column[]): string[] {
  const [first, ...rest] = columns.map(({ head }) => (head.by_tag ?? []).map((row) => row.tag));
  const others = rest.map((tags) => new Set(tags));
  return (first ?? []).filter((tag) => others.every((tags) => tags.has(tag)));
}
