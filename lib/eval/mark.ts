import type { CaseRun } from "./scorecard.ts";

/** How one run went. An error and an unreachable judge fail the case, but are not the model's answer. */
export type Mark = "pass" | "fail" | "error" | "ungraded";

/** How a check begins its detail when its judge could not be reached. */
export const UNGRADED = "could not be graded";

export function markOf(run: CaseRun): Mark {
  if (run.error !== null) return "error";
  if (run.passed) return "pass";
  const ungraded = run.checks.some((check) => !check.passed && check.detail.startsWith(UNGRADED));
  return ungraded ? "ungraded" : "fail";
}

/** One sign per mark, told apart without colour. */
export const MARK_SIGNS: Record<Mark, string> = { pass: "✓", fail: "✗", error: "!", ungraded: "?" };
