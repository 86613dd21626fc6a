/**
 * The value of the first `"scorecard"` key in the beginning of a report, parsed; null when it is not whole there.
 * A report's headline stands first in its file, so that a large one can be listed without reading its cases.
 */
export function scorecardIn(beginning: string): unknown {
  const key = /^\uFEFF?\s*\{\s*"scorecard"\s*:\s*/.exec(beginning);
  if (key === null) return null;
  const end = endOfObject(beginning, key[0].length);
  return end === null ? null : parsed(beginning.slice(key[0].length, end));
}

/** Index after the brace that closes the object at `start`; null when it does not close. */
function endOfObject(text: string, start: number): number | null {
  let depth = 0;
  let inString = false;
  for (let i = start; i < text.length; i++) {
    const char = text[i];
    if (inString) {
      if (char === "\\") i += 1;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === "{") depth += 1;
    else if (char === "}") depth -= 1;
    if (depth === 0) return char === "}" ? i + 1 : null;
  }
  return null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
