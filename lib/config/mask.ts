/** What stands in place of a secret. No part of it is shown: even its length is nobody's business. */
export const MASK = "(secret)";

/** Tokens of services that give theirs away by how they begin, and what stands in an address before the `@`. */
const KNOWN =
  /\b(?:sk|pk|rk)-[A-Za-z0-9_-]{8,}|\b(?:gh[opusr]_|github_pat_|glpat-|xox[a-z]-|hf_|npm_|AKIA|AIza|eyJ)[A-Za-z0-9_.-]{8,}|(?<=\bbearer\s+)[^\s"']+|(?<=:\/\/)[^\s/@]+(?=@)/gi;
/** Long and of mixed letters and digits, as no word is; a path or a model's name may look like it too. */
const RANDOM = /(?<![A-Za-z0-9_+-])(?=[A-Za-z0-9_+-]*\d)(?=[A-Za-z0-9_+-]*[A-Za-z])[A-Za-z0-9_+-]{24,}=*/g;
const NAMES_SECRET = /(?:key|token|secret|passw(?:or)?d|passphrase|auth|credential)s?$/i;

/** A text without the secrets that can be told by their looks. */
export function maskText(text: string): string {
  return text.replace(KNOWN, MASK);
}

/** A header that is called a secret, to its colon. */
const HEADER =
  /^\s*(?:[\w-]*(?:key|token|secret|cookie|passw(?:or)?d)|(?:proxy-)?authorization)\s*:(?=\s*\S)/i;
/** Curl and what is like it: a name and a password with a colon between them. */
const NAME_AND_PASSWORD = /^(?:-u|--(?:proxy-)?user)$/;

/**
 * A command line without what looks like a secret, or is called one: `--token X`, `--token=X`, `API_KEY=X`,
 * `X-Api-Key: X`, `-u NAME:X`.
 */
export function maskWords(words: readonly string[]): string[] {
  return words.map((word, at) => {
    const before = words[at - 1];
    if (
      before?.startsWith("-") &&
      !before.includes("=") &&
      NAMES_SECRET.test(before) &&
      !word.startsWith("-")
    )
      return MASK;
    if (before !== undefined && NAME_AND_PASSWORD.test(before) && /:./.test(word))
      return `${word.slice(0, word.indexOf(":"))}:${MASK}`;
    const header = HEADER.exec(word);
    if (header !== null) return `${header[0]} ${MASK}`;
    const cut = word.indexOf("=");
    if (cut > 0 && NAMES_SECRET.test(word.slice(0, cut))) return `${word.slice(0, cut)}=${MASK}`;
    return maskText(word).replace(RANDOM, MASK);
  });
}
