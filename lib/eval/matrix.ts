import { type Chance, chanceOf } from "#lib/gate/chance.ts";
import { casesOf } from "./cases.ts";
import { type Mark, markOf } from "./mark.ts";
import type { Card } from "./scorecard.ts";

/** The runs of a case in one card, a letter each in run order: p passed, f failed, e errored, u ungraded. "" = not in this card. */
export type CellMarks = string;

const LETTERS: Record<Mark, string> = { pass: "p", fail: "f", error: "e", ungraded: "u" };

/** One case over all cards. `tags` are places in the matrix's list. */
export type MatrixRow = { id: string; tags: number[]; cells: CellMarks[] };

/** Cases × cards, small enough to be sent whole: everything else about a row is worked out from its letters. */
export type Matrix = { cards: string[]; tags: string[]; rows: MatrixRow[] };

/**
 * How a card did on a case against the baseline, over all runs of the case. `unequal`: one of the two ran it more
 * often, so that passing all of its runs was harder; `absent`: one of the two did not run it.
 */
export type CaseChange = "regressed" | "improved" | "same" | "unequal" | "absent";

/** Cases in the order of the baseline, then those it lacks in the order of the other cards. */
export function matrixOf(cards: readonly Card[], baseline: number): Matrix {
  const order = [baseline, ...cards.keys()].filter((at, i, all) => at in cards && all.indexOf(at) === i);
  const rows = new Map<string, MatrixRow>();
  const tags = new Map<string, number>();
  for (const at of order) {
    for (const one of casesOf(cards[at]?.report.runs ?? [])) {
      const row = rows.get(one.id) ?? { id: one.id, tags: [], cells: cards.map(() => "") };
      rows.set(one.id, row);
      row.cells[at] = cellOf(one.runs.map(markOf));
      for (const tag of one.tags) {
        const place = tags.get(tag) ?? tags.size;
        tags.set(tag, place);
        if (!row.tags.includes(place)) row.tags.push(place);
      }
    }
  }
  return { cards: cards.map((card) => card.name), tags: [...tags.keys()], rows: [...rows.values()] };
}

/** The runs of a case as letters. */
export function cellOf(marks: readonly Mark[]): CellMarks {
  return marks.map((mark) => LETTERS[mark]).join("");
}

/** One case of a card against the baseline's. */
export function changeOf(baseline: CellMarks, cell: CellMarks): CaseChange {
  if (baseline === "" || cell === "") return "absent";
  if (baseline.length !== cell.length) return "unequal";
  const [before, after] = [allPassed(baseline), allPassed(cell)];
  if (before === after) return "same";
  return after ? "improved" : "regressed";
}

function allPassed(cell: CellMarks): boolean {
  return cell !== "" && /^p+$/.test(cell);
}

/** Some but not all runs passed. */
function isFlakyCell(cell: CellMarks): boolean {
  return cell.includes("p") && !allPassed(cell);
}

export const SHOWS = ["all", "regressed", "improved", "flaky", "errored"] as const;
export type Show = (typeof SHOWS)[number];

export type RowFilter = { show: Show; tag: string | null; q: string };

/**
 * Rows that pass a filter, regressions against the baseline first, then improvements, then the rest as they stand.
 * `ranked`: the cards that may be held against the baseline; what the others did neither regressed nor improved.
 */
export function rowsShown(
  matrix: Matrix,
  baseline: number,
  filter: RowFilter,
  ranked: readonly number[] = [...matrix.cards.keys()],
): MatrixRow[] {
  const tag = filter.tag === null ? null : matrix.tags.indexOf(filter.tag);
  const words = filter.q.trim().toLowerCase();
  return matrix.rows
    .filter(
      (row) =>
        isShown(row, rankedChanges(row, baseline, ranked), filter.show) &&
        (tag === null || row.tags.includes(tag)) &&
        (words === "" || row.id.toLowerCase().includes(words)),
    )
    .map((row) => ({ row, rank: rankOf(rankedChanges(row, baseline, ranked)) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ row }) => row);
}

function rankedChanges({ cells }: MatrixRow, baseline: number, ranked: readonly number[]): CaseChange[] {
  return ranked.map((at) => changeOf(cells[baseline] ?? "", cells[at] ?? ""));
}

function isShown(row: MatrixRow, changes: readonly CaseChange[], show: Show): boolean {
  switch (show) {
    case "all":
      return true;
    case "regressed":
    case "improved":
      return changes.includes(show);
    case "flaky":
      return row.cells.some(isFlakyCell);
    case "errored":
      return row.cells.some((cell) => /[eu]/.test(cell));
    default:
      return show satisfies never;
  }
}

function rankOf(changes: readonly CaseChange[]): number {
  if (changes.includes("regressed")) return 0;
  return changes.includes("improved") ? 1 : 2;
}

/** How a card stands to the baseline over all cases. `chance`: what a coin would make of improved against regressed. */
export type CardChange = Record<CaseChange, number> & { flaky: number; chance: Chance };

/** Every card of a matrix against the baseline, in their order; the baseline's own row changes nothing. */
export function changesOf(matrix: Matrix, baseline: number): CardChange[] {
  return matrix.cards.map((_, at) => {
    const counts = { regressed: 0, improved: 0, same: 0, unequal: 0, absent: 0 };
    let flaky = 0;
    for (const { cells } of matrix.rows) {
      counts[changeOf(cells[baseline] ?? "", cells[at] ?? "")] += 1;
      if (isFlakyCell(cells[at] ?? "")) flaky += 1;
    }
    const { improved: wins, regressed: losses, same: ties } = counts;
    return { ...counts, flaky, chance: chanceOf({ wins, losses, ties }) };
  });
}
