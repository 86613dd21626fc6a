import type { TraceEntry } from "#lib/agent/trace.ts";
import { eachMember } from "#lib/transcript/json-members.ts";
import { argText } from "./arg-text.ts";
import type { ArgsExpectation } from "./case.ts";
import { says } from "./normalize.ts";
import { quoted } from "./quoted.ts";
import type { Check } from "./scorecard.ts";

/**
 * Did some call of the tool pass the argument? The key's value is collected from every call whose input is an object
 * that has it; one value that meets all given conditions is enough. When no call passed the key, the check fails by
 * saying so: an expectation never passes for lack of anything to look at.
 */
export function argsCheck(
  { tool, key, equals, contains }: ArgsExpectation,
  trace: readonly TraceEntry[],
): Check {
  const name = `${tool}.${key}`;
  const values = trace
    .filter((entry) => entry.name === tool)
    .flatMap((entry) => passedValue(entry, key) ?? []);
  if (values.length === 0) return { name, passed: false, detail: `no call to ${tool} passed ${key}` };
  const fits = (value: string) =>
    (equals === null || value === equals) && (contains === null || says(value, contains));
  if (values.some(fits)) return { name, passed: true, detail: "" };
  const wanted = [
    ...(equals === null ? [] : [`equal to ${quoted(equals)}`]),
    ...(contains === null ? [] : [`with ${quoted(contains)} in it`]),
  ].join(" and ");
  return { name, passed: false, detail: `no value ${wanted}; passed: ${shown(values)}` };
}

/** The value as text; null when the call did not pass the key. */
function passedValue(entry: TraceEntry, key: string): string | null {
  const { input } = entry;
  if (typeof input !== "object" || input === null || Array.isArray(input) || !Object.hasOwn(input, key))
    return null;
  let text: string | null = null;
  // The model's own spelling where it is known: decoded, `3` and `3.0` are one number.
  eachMember(entry.source ?? JSON.stringify(input), (name, raw) => {
    // Of a key that is there twice the last one counts, as it did for the tool.
    if (name === key) text = argText(raw);
    return true;
  });
  return text;
}

const SHOWN_MAX = 5;
const VALUE_MAX = 120;

function shown(values: readonly string[]): string {
  const some = values.slice(0, SHOWN_MAX).map((value) => quoted(value.slice(0, VALUE_MAX)));
  const more = values.length - some.length;
  return `${some.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
}
