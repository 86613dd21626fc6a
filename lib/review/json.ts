import { sortKeys } from "#lib/sort-keys.ts";
import { weekChanges } from "./changes.ts";
import type { ReviewReport } from "./report.ts";
import { plain } from "./words.ts";

/**
 * The object behind `mecha review --json`, keys in alphabetical order: the whole report, nothing bounded, with the
 * sentences of `what_changed` beside the numbers they follow from. Rates stay pairs of counts.
 */
export function reviewJson(report: ReviewReport): unknown {
  const what_changed = weekChanges(report).map(({ kind, tone, words }) => ({
    kind,
    tone,
    sentence: plain(words),
  }));
  return sortKeys({ ...report, what_changed });
}
