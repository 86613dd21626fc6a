import type { Parsed } from "#lib/errors.ts";

/**
 * Cells of a CSV text (RFC 4180: quoted cells may hold separators, line breaks and doubled quotes). The separator is
 * the comma, semicolon or tab that the first line has most of. Empty lines are skipped.
 */
export function parseCsv(text: string): Parsed<{ line: number; cells: string[] }[]> {
  const separator = separatorOf(text);
  const rows: { line: number; cells: string[] }[] = [];
  let line = 1;
  let at = 0;
  while (at < text.length) {
    const row = rowAt(text, at, separator);
    if (row === null)
      return { ok: false, problem: `line ${line}: a quoted cell does not end where it should` };
    if (row.cells.length > 1 || row.cells[0] !== "") rows.push({ line, cells: row.cells });
    line += row.breaks;
    at = row.next;
  }
  return { ok: true, value: rows };
}

function separatorOf(text: string): string {
  const first = text.slice(0, Math.max(0, text.search(/[\r\n]|$/)));
  const count = (char: string) => first.split(char).length - 1;
  return [",", ";", "\t"].reduce((best, char) => (count(char) > count(best) ? char : best));
}

type Row = { cells: string[]; next: number; breaks: number };

function rowAt(text: string, start: number, separator: string): Row | null {
  const cells: string[] = [];
  let at = start;
  let breaks = 0;
  for (;;) {
    const cell = text[at] === '"' ? quotedAt(text, at) : bareAt(text, at, separator);
    if (cell === null) return null;
    cells.push(cell.value);
    breaks += cell.value.split("\n").length - 1;
    at = cell.next;
    if (text[at] !== separator) break;
    at += 1;
  }
  if (at < text.length && text[at] !== "\r" && text[at] !== "\n") return null;
  if (text[at] === "\r") at += 1;
  if (text[at] === "\n") at += 1;
  return { cells, next: at, breaks: breaks + 1 };
}

function bareAt(text: string, start: number, separator: string): { value: string; next: number } {
  let at = start;
  while (at < text.length && text[at] !== separator && text[at] !== "\n" && text[at] !== "\r") at += 1;
  return { value: text.slice(start, at), next: at };
}

/** A quoted cell; null when no quote closes it. */
function quotedAt(text: string, start: number): { value: string; next: number } | null {
  const parts: string[] = [];
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote === -1) return null;
    parts.push(text.slice(at, quote));
    if (text[quote + 1] !== '"') return { value: parts.join('"'), next: quote + 1 };
    at = quote + 2;
  }
}

/** One CSV line. A cell that a spreadsheet would run as a formula is quoted with an apostrophe before it. */
export function csvLine(cells: readonly (string | number | null)[]): string {
  return `${cells.map(csvCell).join(",")}\r\n`;
}

/** What is blank or not drawn before the sign of a formula is passed over by some, and some take a wide sign too. */
const FORMULA = /^(?:[\t\r]|[\s\p{Cf}]*[=+\-@＝＋－＠])/u;

function csvCell(cell: string | number | null): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  const safe = FORMULA.test(cell) ? `'${cell}` : cell;
  return /[",\r\n']/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
