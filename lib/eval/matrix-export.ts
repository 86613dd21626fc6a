import { csvLine } from "./csv.ts";
import { type CaseChange, changeOf, type Matrix, type MatrixRow } from "./matrix.ts";

/**
 * The rows shown, as CSV: per card the runs passed, the runs made, their marks, and the change from the baseline,
 * which is empty for a card that is not among the `ranked` ones.
 */
export function matrixCsv(
  matrix: Matrix,
  rows: readonly MatrixRow[],
  baseline: number,
  ranked: readonly number[] = [...matrix.cards.keys()],
): string {
  const header = ["case", "tags"].concat(
    matrix.cards.flatMap((card) => [`${card} passed`, `${card} runs`, `${card} marks`, `${card} change`]),
  );
  const lines = rows.map((row) =>
    csvLine([
      row.id,
      row.tags.map((tag) => matrix.tags[tag] ?? "").join(";"),
      ...row.cells.flatMap((cell, at) =>
        cell === ""
          ? [null, null, null, "absent"]
          : [passesIn(cell), cell.length, cell, changeAt(row, at, baseline, ranked)],
      ),
    ]),
  );
  return [csvLine(header), ...lines].join("");
}

/** The same as JSON. A case that a card did not run is null there, never zero of zero. */
export function matrixJson(
  matrix: Matrix,
  rows: readonly MatrixRow[],
  baseline: number,
  ranked: readonly number[] = [...matrix.cards.keys()],
): string {
  const cases = rows.map((row) => ({
    id: row.id,
    tags: row.tags.map((tag) => matrix.tags[tag] ?? ""),
    cards: row.cells.map((cell, at) =>
      cell === ""
        ? null
        : {
            passed: passesIn(cell),
            runs: cell.length,
            marks: cell,
            change: changeAt(row, at, baseline, ranked),
          },
    ),
  }));
  const value = { schema_version: 1, cards: matrix.cards, baseline: matrix.cards[baseline] ?? null, cases };
  return `${JSON.stringify(value, null, 2)}\n`;
}

function changeAt(
  { cells }: MatrixRow,
  at: number,
  baseline: number,
  ranked: readonly number[],
): CaseChange | null {
  return ranked.includes(at) ? changeOf(cells[baseline] ?? "", cells[at] ?? "") : null;
}

function passesIn(cell: string): number {
  return cell.split("p").length - 1;
}
