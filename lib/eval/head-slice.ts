import { endOfObject, parseJsonText } from "#lib/json-text.ts";

/**
 * The value of the first `"scorecard"` key in the beginning of a report, parsed; null when it is not whole there.
 * A report's headline stands first in its file, so that a large one can be listed without reading its cases.
 */
export function scorecardIn(beginning: string): unknown {
  const start = /^\uFEFF?\s*\{\s*"scorecard"\s*:\s*/.exec(beginning)?.[0].length ?? 0;
  const end = start === 0 ? null : endOfObject(beginning, start);
  if (end === null) return null;
  const value = parseJsonText(beginning.slice(start, end));
  return value.ok ? value.value : null;
}
