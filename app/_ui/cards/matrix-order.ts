import {
  type Matrix,
  type MatrixRow,
  type RowFilter,
  rowsShown,
  SHOWS,
  type Show,
} from "#lib/eval/matrix.ts";

/** A column is called by its letter: the baseline is A. */
export function letterOf(column: number): string {
  return String.fromCharCode(65 + column);
}

/**
 * The order of a matrix: by what changed (null), by case id, or by how much of a card's runs passed, the worst first.
 * A case that a card did not run comes last either way.
 */
export type Order = { by: "case" | number; descending: boolean } | null;

/** `case`, `B`, and `-` before either; anything else is the order by change. */
export function parseOrder(text: string, columns: number): Order {
  const descending = text.startsWith("-");
  const name = descending ? text.slice(1) : text;
  if (name === "case") return { by: "case", descending };
  const column = name.length === 1 ? name.charCodeAt(0) - 65 : -1;
  return column >= 0 && column < columns ? { by: column, descending } : null;
}

export function orderText(order: Order): string {
  if (order === null) return "";
  return `${order.descending ? "-" : ""}${order.by === "case" ? "case" : letterOf(order.by)}`;
}

export function parseShow(text: string): Show {
  return SHOWS.find((show) => show === text) ?? "all";
}

export type MatrixAsk = { filter: RowFilter; order: Order };

/** The rows that a matrix shows, in their order. The baseline is the first card. */
export function rowsInOrder(
  matrix: Matrix,
  ranked: readonly number[],
  { filter, order }: MatrixAsk,
): MatrixRow[] {
  const rows = rowsShown(matrix, 0, filter, ranked);
  if (order === null) return rows;
  const turn = order.descending ? -1 : 1;
  if (order.by === "case") return rows.sort((a, b) => turn * byText(a.id, b.id));
  const column = order.by;
  const share = new Map(rows.map((row) => [row, passedShare(row.cells[column] ?? "")]));
  return rows.sort((a, b) => {
    const [one, other] = [share.get(a) ?? null, share.get(b) ?? null];
    if (one === null || other === null) return Number(one === null) - Number(other === null);
    return turn * (one - other);
  });
}

function byText(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Passed runs of all runs in a cell; null for one without runs. */
export function passedShare(cell: string): number | null {
  return cell === "" ? null : passesIn(cell) / cell.length;
}

export function passesIn(cell: string): number {
  let passes = 0;
  for (const letter of cell) if (letter === "p") passes += 1;
  return passes;
}
