const ASCII = /^[\x20-\x7e]*$/;
const ZERO = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
/** East Asian wide and full-width blocks, and the characters that are drawn as emoji by default. */
const WIDE =
  /^[\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1b000}-\u{1b2ff}\u{20000}-\u{3fffd}\p{Emoji_Presentation}]$/u;

/** Columns that a line takes on a terminal: 2 for a wide character, 0 for a combining one. */
export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const char of text) width += charWidth(char);
  return width;
}

/** Pads with spaces on the right, or on the left for `align: "right"`; a longer text stays as it is. */
export function pad(text: string, width: number, align: "left" | "right" = "left"): string {
  const space = " ".repeat(Math.max(0, width - displayWidth(text)));
  return align === "left" ? text + space : space + text;
}

/** At most `width` columns; what was cut shows as `…`. */
export function fitTo(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let taken = "";
  let left = width - 1;
  for (const char of text) {
    left -= charWidth(char);
    if (left < 0) break;
    taken += char;
  }
  return `${taken}…`;
}

function charWidth(char: string): number {
  if (ASCII.test(char)) return 1;
  if (ZERO.test(char)) return 0;
  return WIDE.test(char) ? 2 : 1;
}
