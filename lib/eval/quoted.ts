/**
 * A needle as check names quote it: in double quotes, with what cannot be seen escaped (`\n`, `\u{a0}`), as other
 * readers of reports know it.
 */
export function quoted(text: string): string {
  return `"${[...text].map(escaped).join("")}"`;
}

const NAMED = new Map([
  ['"', '\\"'],
  ["\\", "\\\\"],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
  ["\0", "\\0"],
]);

/** Of the separators only the plain space is shown as it is. */
const UNSEEN = /^(?! )[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Z}]$/u;

function escaped(char: string): string {
  const named = NAMED.get(char);
  if (named !== undefined) return named;
  return UNSEEN.test(char) ? `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}` : char;
}
