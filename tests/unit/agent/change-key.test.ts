import { expect, it } from "vitest";
import { changeKey } from "#lib/agent/change-key.ts";

it.each([
  ["max_turns=60", "max_turns=060", true],
  ["max_turns=60 effort=low", "effort=low max_turns=60", true],
  ["ask for a plan first", "ask for a plan first", true],
  ["ask for a plan first", "Ask for a plan first", false],
  ["ask  twice", "ask twice", false],
  ["max_turns=60", "max_turns=60 effort=low", false],
  ["max_turns=60", 'knobs ["max_turns=60"]', false],
])("%j and %j are known by the same: %s", (one, other, same) => {
  expect(changeKey(one) === changeKey(other)).toBe(same);
});
