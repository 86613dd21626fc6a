import { displayWidth, fitTo, pad } from "#lib/display-width.ts";

export type Column = {
  header: string;
  align?: "right";
  /** May be cut to what the terminal has left, but not below this many columns. */
  shrinkTo?: number;
};

const GAP = "  ";
/** No cell is wider, wherever the table goes: one hostile title would pad every other row to its own length. */
const CELL_MAX = 400;

/**
 * Lines of a table: a header, then one line a row, columns two spaces apart.
 * `room` is the room on a line; null (a pipe or a file) cuts only cells over 400 columns.
 */
export function tableLines(
  spec: readonly Column[],
  rows: readonly string[][],
  room: number | null,
): string[] {
  const headers = spec.map((column) => column.header);
  const widths = columnWidths(spec, [headers, ...rows]);
  if (room !== null) shrink(spec, widths, room);
  return [headers, ...rows].map((row) => lineOf(spec, widths, row));
}

function columnWidths(spec: readonly Column[], rows: readonly string[][]): number[] {
  const widths = spec.map(() => 0);
  for (const row of rows) {
    spec.forEach((_, at) => {
      widths[at] = Math.min(CELL_MAX, Math.max(widths[at] ?? 0, displayWidth(row[at] ?? "")));
    });
  }
  return widths;
}

/** Takes what is too much from the columns that may shrink, the last one first. */
function shrink(spec: readonly Column[], widths: number[], room: number): void {
  let over = widths.reduce((sum, width) => sum + width, GAP.length * (widths.length - 1)) - room;
  for (let at = spec.length - 1; at >= 0 && over > 0; at--) {
    const least = spec[at]?.shrinkTo;
    const width = widths[at] ?? 0;
    if (least === undefined || width <= least) continue;
    const cut = Math.min(over, width - least);
    widths[at] = width - cut;
    over -= cut;
  }
}

function lineOf(spec: readonly Column[], widths: readonly number[], row: readonly string[]): string {
  const cells = spec.map((column, at) => {
    const width = widths[at] ?? 0;
    return pad(fitTo(row[at] ?? "", width), width, column.align);
  });
  return cells.join(GAP).trimEnd();
}
