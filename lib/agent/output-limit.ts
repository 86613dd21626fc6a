import { characterStart } from "#lib/utf8.ts";
import type { ToolResult } from "./tool.ts";

const RESULT_BYTES_MAX = 200_000;
const SHARE_BYTES_MIN = 4096;
/** Room for the marker, so that a cut result with its marker stays under its limit. */
const MARKER_BYTES = 160;

/** A result before any limit. */
export type Original = Pick<ToolResult, "content" | "keepsEnd">;

/** One result under the limit that holds for each. */
export function limitResult(original: Original): string {
  return cut(original, RESULT_BYTES_MAX, `one result may have at most ${RESULT_BYTES_MAX} bytes`);
}

/**
 * The results of one turn under the budget they share. Small ones leave what they do not need to the larger ones, and
 * each may have 4096 bytes whatever the budget. `originals` are the results before any limit: a marker counts from them.
 */
export function shareBudget(originals: readonly Original[], budgetBytes: number): string[] {
  const sizes = originals.map(({ content }) => Buffer.byteLength(content));
  const shares = shareOut(sizes, budgetBytes);
  return originals.map((original, index) => {
    const share = shares[index] ?? SHARE_BYTES_MIN;
    if (share >= RESULT_BYTES_MAX) return limitResult(original);
    return cut(original, share, `the results of one turn share ${budgetBytes} bytes`);
  });
}

function shareOut(sizes: readonly number[], budgetBytes: number): number[] {
  const shares = sizes.map(() => 0);
  let bytesLeft = budgetBytes;
  const smallestFirst = sizes.map((size, index) => ({ size, index })).sort((a, b) => a.size - b.size);
  for (const [done, { size, index }] of smallestFirst.entries()) {
    const fair = Math.max(SHARE_BYTES_MIN, Math.floor(bytesLeft / (sizes.length - done)));
    shares[index] = fair;
    bytesLeft -= Math.min(size, fair);
  }
  return shares;
}

function cut({ content, keepsEnd }: Original, bytesMax: number, limit: string): string {
  // A UTF-16 unit is at most three bytes: most results need no encoding to be seen to fit.
  if (content.length * 3 <= bytesMax) return content;
  const bytes = Buffer.from(content);
  if (bytes.length <= bytesMax) return content;
  const room = bytesMax - MARKER_BYTES;
  if (keepsEnd) {
    const from = characterStart(bytes, Math.ceil(room / 2));
    const to = characterStart(bytes, bytes.length - Math.floor(room / 2));
    return `${bytes.toString("utf8", 0, from)}\n[truncated: ${to - from} bytes left out here; ${limit}]\n${bytes.toString("utf8", to)}`;
  }
  const end = characterStart(bytes, room);
  return `${bytes.toString("utf8", 0, end)}\n[truncated: ${bytes.length - end} bytes left out; ${limit}]`;
}
