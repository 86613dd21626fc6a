/** The key under which argument text that is no JSON is kept as it came. */
export const MALFORMED_KEY = "__malformed_arguments";

/**
 * The input of a call from its argument text. Blank text means no arguments. JSON that is no object is passed on as it
 * is: it is the wrong shape, but it is not malformed.
 */
export function parseArguments(raw: string): { input: unknown; malformed: boolean } {
  if (raw.trim() === "") return { input: {}, malformed: false };
  try {
    return { input: JSON.parse(raw), malformed: false };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { input: { [MALFORMED_KEY]: raw }, malformed: true };
  }
}
