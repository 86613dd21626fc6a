import { parseOverride } from "./overrides.ts";

/**
 * Do two words for a change, such as `max_turns=40 effort=low`, turn the same knobs to the same values? False for what
 * is no list of overrides: whatever a person has to build is not known by its name.
 */
export function sameChange(one: string, other: string): boolean {
  const [a, b] = [knobsIn(one), knobsIn(other)];
  return a !== null && b !== null && a === b;
}

function knobsIn(change: string): string | null {
  const words = change.split(/\s+/).filter((word) => word !== "");
  const knobs = words.map(parseOverride);
  if (knobs.length === 0 || !knobs.every((knob) => knob.ok)) return null;
  return JSON.stringify(knobs.map(({ value: { key, value } }) => `${key}=${value}`).sort());
}
