import { visible } from "#lib/format.ts";

// Colours and styles of a terminal; they carry no text.
// biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is looked for
const TERMINAL_STYLE = /\u001b\[[0-9;:]*m/g;

/**
 * Text of a transcript as it may stand on a page: line ends and tabs as they are, every other character that would be
 * drawn as nothing, or would reorder its neighbours, as its code point.
 */
export function plainText(text: string): string {
  return text
    .replace(TERMINAL_STYLE, "")
    .replace(/\r\n?/g, "\n")
    .replace(/[^\n\t]+/g, visible);
}

/** Lines that a long text is folded to, and the characters that make a line long. */
const LINES_SHOWN = 14;
const CHARS_SHOWN = 1600;

/** The beginning of a text that is too long to stand open, or null where all of it may. */
export function folded(text: string): string | null {
  let cut = Math.min(text.length, CHARS_SHOWN);
  let at = -1;
  for (let line = 0; line < LINES_SHOWN; line++) {
    at = text.indexOf("\n", at + 1);
    if (at < 0) break;
  }
  if (at >= 0) cut = Math.min(cut, at);
  return cut >= text.length ? null : text.slice(0, cut);
}
