import { parseOverride } from "./overrides.ts";

/**
 * What a word for a change is known by: the same for all spellings that turn the same knobs to the same values, such as
 * `max_turns=40 effort=low`. What is no list of overrides is known by exactly its words.
 */
export function changeKey(change: string): string {
  const words = change.split(/\s+/).filter((word) => word !== "");
  const knobs = words.map(parseOverride);
  if (knobs.length === 0 || !knobs.every((knob) => knob.ok)) return `words ${change}`;
  return `knobs ${JSON.stringify(knobs.map(({ value: { key, value } }) => `${key}=${value}`).sort())}`;
}
