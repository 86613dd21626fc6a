import type { Parsed } from "#lib/errors.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { parseCsv } from "./csv.ts";
import type { RawRow } from "./row-fields.ts";

/** Reads trial rows from a JSON array, `{"rows": […]}`, one JSON object per line, or CSV with a header line. */
export function readRows(text: string): Parsed<RawRow[]> {
  const body = text.replace(/^\uFEFF/, "");
  const first = body.trimStart()[0];
  if (first === undefined) return { ok: false, problem: "the file is empty" };
  if (first !== "[" && first !== "{") return fromCsv(body);
  const whole = parsed(body);
  if (whole.ok) return fromJson(whole.value);
  // Objects one after the other are no JSON as a whole; an array that fails is a broken array.
  return first === "{" ? fromLines(body) : whole;
}

/** Python writes numbers that are none, which JSON does not know: nothing was measured there. */
function parsed(text: string): Parsed<unknown> {
  const value = parseJsonText(text);
  if (value.ok || !/NaN|Infinity/.test(text)) return value;
  const mended = parseJsonText(withNulls(text));
  return mended.ok ? mended : value;
}

/** By hand: a pattern that passes over strings fails on a long one. */
function withNulls(text: string): string {
  const parts: string[] = [];
  for (let at = 0; at < text.length; ) {
    const quote = text.indexOf('"', at);
    const start = quote < 0 ? text.length : quote;
    parts.push(text.slice(at, start).replace(/-?\b(?:NaN|Infinity)\b/g, "null"));
    at = quote < 0 ? start : stringEnd(text, quote);
    parts.push(text.slice(start, at));
  }
  return parts.join("");
}

function stringEnd(text: string, open: number): number {
  for (let at = open + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let slash = quote - 1;
    while (text[slash] === "\\") slash -= 1;
    if ((quote - slash) % 2 === 1) return quote + 1;
    at = quote + 1;
  }
}

function fromJson(value: unknown): Parsed<RawRow[]> {
  const list = Array.isArray(value) ? value : rowsOf(value);
  const rows: RawRow[] = [];
  for (const [at, item] of list.entries()) {
    const row = rowOf(item, `row ${at + 1}`);
    if (!row.ok) return row;
    rows.push(row.value);
  }
  return { ok: true, value: rows };
}

/** A single object is a file of one row. */
function rowsOf(value: unknown): unknown[] {
  const rows = typeof value === "object" && value !== null && "rows" in value ? value.rows : null;
  return Array.isArray(rows) ? rows : [value];
}

function fromLines(text: string): Parsed<RawRow[]> {
  const rows: RawRow[] = [];
  for (const [at, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const place = `line ${at + 1}`;
    const value = parsed(line);
    if (!value.ok) return { ok: false, problem: `${place}: ${value.problem}` };
    const row = rowOf(value.value, place);
    if (!row.ok) return row;
    rows.push(row.value);
  }
  return { ok: true, value: rows };
}

function fromCsv(text: string): Parsed<RawRow[]> {
  const csv = parseCsv(text);
  if (!csv.ok) return csv;
  const [header, ...lines] = csv.value;
  const names = (header?.cells ?? []).map((cell) => cell.trim().toLowerCase());
  const doubled = names.find((name, at) => name !== "" && names.indexOf(name) !== at);
  if (doubled !== undefined)
    return { ok: false, problem: `the header names ${JSON.stringify(doubled)} twice` };
  const rows: RawRow[] = [];
  for (const { line, cells } of lines) {
    if (cells.length !== names.length) {
      return {
        ok: false,
        problem: `line ${line}: ${cells.length} cells where the header has ${names.length}`,
      };
    }
    const fields = new Map<string, unknown>(names.map((name, at) => [name, cells[at]?.trim() ?? ""]));
    rows.push({ place: `line ${line}`, fields, ofText: true });
  }
  return { ok: true, value: rows };
}

function rowOf(value: unknown, place: string): Parsed<RawRow> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return { ok: false, problem: `${place}: not an object` };
  }
  const fields = new Map<string, unknown>();
  for (const [key, part] of Object.entries(value)) {
    const name = key.toLowerCase();
    if (fields.has(name)) {
      return { ok: false, problem: `${place}: it names ${JSON.stringify(name)} twice, in different letters` };
    }
    fields.set(name, part);
  }
  return { ok: true, value: { place, fields, ofText: false } };
}
