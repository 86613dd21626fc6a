// No %: fish reads %self as the number of its process.
const BARE = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@+=:,./-]*$/;

/**
 * A command as one line to be pasted: bash, dash, zsh and fish read it back as exactly these words. A word is left bare
 * where every one of them would leave it alone; else it is single-quoted, with `'` and `\` (which fish reads inside
 * single quotes) in double quotes. No quoting helps against a control character in a paste: who prints a line that
 * others wrote must refuse those first.
 */
export function shellLine(argv: readonly string[]): string {
  return argv.map(quoteWord).join(" ");
}

function quoteWord(word: string): string {
  if (BARE.test(word)) return word;
  const inner = word.replace(/['\\]/g, (char) => (char === "'" ? `'"'"'` : `'"\\\\"'`));
  return `'${inner}'`;
}
