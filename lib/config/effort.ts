import { EFFORTS } from "#lib/transcript/record.ts";

export type Effort = (typeof EFFORTS)[number];

/** How an effort may be written, for a message. */
export const EFFORT_WORDS = "low, medium, high, xhigh or max";

/** An effort in any case, also as `med` and `x-high`; null for any other word. */
export function parseEffort(written: string): Effort | null {
  const word = written.toLowerCase();
  if (word === "med") return "medium";
  if (word === "x-high") return "xhigh";
  return EFFORTS.find((one) => one === word) ?? null;
}
