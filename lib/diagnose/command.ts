import { parseOverride } from "#lib/agent/overrides.ts";
import type { Proposal } from "./proposal.ts";

/** The case set that a suggested command measures with. */
const CASES = "eval/cases.jsonl";

/**
 * The words of the command that measures a proposal. Null where nobody can measure it by turning a knob: prose and code
 * have to be written first, a security change is never suggested to be tried, and a setting outside the closed set
 * cannot be turned by a comparison.
 */
export function commandFor({ class: kind, change }: Proposal): string[] | null {
  if (kind !== "config" || !parseOverride(change).ok) return null;
  return ["mecha", "eval", "--ab-config", change, CASES];
}
