import { visible } from "#lib/format.ts";
import type { Entry, ResultState } from "#lib/sources/entry.ts";
import type { Style } from "./style.ts";

const LINES_MAX = 40;
const CHARS_MAX = 4000;
const INDENT = "    ";

/** How one entry is written: its zone's clock, its marks. */
export type EntryStyle = { style: Style; clock: (time: string) => string };

/**
 * One entry as lines: a heading that says what it is and how it went, in words, then its text, bounded and with every
 * character that could act on a terminal made visible.
 */
export function entryText(entry: Entry, { style, clock }: EntryStyle): string {
  const tool = entry.tool === null ? "" : ` ${visible(entry.tool)}`;
  const state = entry.state === null ? "" : `  ${stateMark(entry.state, style)}`;
  const time = entry.time === null ? "" : `  ${style.dim(visible(clock(entry.time)))}`;
  const heading = `${style.bold(`${headingOf(entry)}${tool}`)}${state}${time}`;
  return [heading, ...bodyLines(entry).map((line) => (line === "" ? "" : `${INDENT}${line}`)), ""].join("\n");
}

function headingOf({ kind }: Entry): string {
  switch (kind) {
    case "text":
      return "model";
    case "prompt":
    case "thinking":
    case "call":
    case "result":
    case "image":
    case "config":
    case "summary":
    case "outcome":
    case "notice":
      return kind;
    default:
      return kind satisfies never;
  }
}

/** A failure, a refusal and a draft are three different things, and each has its word. */
export function stateMark(state: ResultState, style: Style): string {
  switch (state) {
    case "ok":
      return style.green("ok");
    case "failed":
      return style.red("✕ failed");
    case "denied":
      return style.yellow("denied (not a failure)");
    case "cancelled":
      return style.yellow("cancelled (not a failure)");
    case "staged":
      return style.yellow("staged (not sent)");
    default:
      return state satisfies never;
  }
}

function bodyLines({ text, full_length }: Entry): string[] {
  const kept = text.slice(0, CHARS_MAX);
  const lines = kept.replace(/\s+$/, "").split(/\r\n|\n/);
  const shown = lines.slice(0, LINES_MAX);
  const length = shown.reduce((sum, line) => sum + line.length + 1, 0);
  const cut = lines.length > LINES_MAX || full_length > CHARS_MAX || full_length > text.length;
  const more = cut ? [`… ${Math.max(1, full_length - length)} more character(s)`] : [];
  if (text === "") return full_length > 0 ? more : [];
  return [...shown.map((line) => visible(line.replaceAll("\t", "    "))), ...more];
}
