/**
 * A text as substring checks compare it: lower case, without the marks of emphasis and code, without the commas between
 * two digits, and every run of white space one space. `$2,520` so satisfies `2520`.
 */
export function normalize(text: string): string {
  const lower = text.toLowerCase();
  // Neighbours are those of the text as it stands: `2*,520` keeps its comma.
  const bare = lower.replace(/[*_`#]|(?<=[0-9]),(?=[0-9])/g, "");
  return bare
    .split(WHITE_SPACE)
    .filter((word) => word !== "")
    .join(" ");
}

/** White space as Unicode has it. `\s` differs in two: it has U+FEFF and lacks U+0085. */
const WHITE_SPACE = /\p{White_Space}+/u;

/** Is the needle in the text, both normalised? A needle of nothing but marks is in every text. */
export function says(text: string, needle: string): boolean {
  return normalize(text).includes(normalize(needle));
}
