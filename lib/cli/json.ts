/** C1 controls, and the marks that reorder a line: JSON may hold them as they are, a terminal should not get them. */
const UNSAFE = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/g;

/** JSON for a person's terminal or a program: indented, one final newline, the same value either way. */
export function jsonText(value: unknown): string {
  return `${escapedForTerminal(JSON.stringify(value, null, 2))}\n`;
}

/** JSON text of the same value without characters that a terminal would act on. */
export function escapedForTerminal(json: string): string {
  return json.replace(UNSAFE, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
