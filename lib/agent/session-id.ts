/**
 * The id of a session: the second of its start in UTC and eight hex digits, such as `20260805T091500-3f2a1b7c`.
 * `random` has at least four bytes.
 */
export function sessionId(startedMs: number, random: Uint8Array): string {
  const second = new Date(startedMs).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
  return `${second}-${Buffer.from(random.subarray(0, 4)).toString("hex")}`;
}

const TITLE_MAX = 80;

/** A session's title where the person gave none: the first line of what was asked that says something. Null: none does. */
export function titleOf(prompt: string): string | null {
  for (const line of prompt.split("\n")) {
    const words = line.replaceAll(/\s+/g, " ").trim();
    if (words === "") continue;
    const letters = [...words];
    return letters.length <= TITLE_MAX ? words : `${letters.slice(0, TITLE_MAX - 1).join("")}…`;
  }
  return null;
}
