import type { z } from "zod";

/** One line for a value that does not fit its schema: the first place that is wrong, and what was expected there. */
export function schemaProblem(error: z.ZodError, whole: string): string {
  const issue = error.issues[0];
  if (issue === undefined) return `${whole} has the wrong shape`;
  const place = issue.path.map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`)).join("");
  return `${place.replace(/^\./, "") || whole}: ${issue.message}`;
}
