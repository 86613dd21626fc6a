import type { CaseRun, Check } from "./scorecard.ts";

/** How one run went. An error and an unreachable judge fail the case, but are not the model's answer. */
export type Mark = "pass" | "fail" | "error" | "ungraded";

/** How a check begins its detail when its judge could not be reached. */
export const UNGRADED = "could not be graded";

/** `ungraded` only where nothing but the judge's silence kept the run from passing. */
export function markOf(run: CaseRun): Mark {
  if (run.error !== null) return "error";
  if (run.passed) return "pass";
  const failed = run.checks.filter((check) => !check.passed);
  // What failed beside the judge is the model's doing, whoever could not be reached.
  return failed.length > 0 && failed.every(isUngraded) ? "ungraded" : "fail";
}

function isUngraded({ name, detail }: Check): boolean {
  return name === "judge" && detail.startsWith(UNGRADED);
}

/** One sign per mark, told apart without colour. */
export const MARK_SIGNS: Record<Mark, string> = { pass: "✓", fail: "✗", error: "!", ungraded: "?" };
