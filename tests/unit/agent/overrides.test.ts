import { describe, expect, test } from "vitest";
import { runOptions } from "#lib/agent/options.ts";
import { applyOverrides, type Override, parseOverride } from "#lib/agent/overrides.ts";
import { defaultConfig } from "#lib/config/defaults.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

type Vector = { spec: string; ok: boolean; value?: Record<string, unknown> };
const { override: vectors } = readVectors<{ override: Vector[] }>({ override: [{ spec: "", ok: false }] });

describe.skipIf(sharedDir === null)(
  `vectors of overrides${sharedDir === null ? `; ${sharedMissing}` : ""}`,
  () => {
    test("there are some", () => expect(vectors.length).toBeGreaterThan(15));
    test.each(vectors)("$spec", ({ spec, ok, value }) => {
      const parsed = parseOverride(spec);
      expect(parsed.ok).toBe(ok);
      if (parsed.ok) expect({ [parsed.value.key]: parsed.value.value }).toEqual(value);
    });
  },
);

describe("an override", () => {
  test.each<[string, Override]>([
    ["compact_at_tokens=18446744073709551615", { key: "compact_at_tokens", value: Number.MAX_SAFE_INTEGER }],
    ["compact_at_tokens=9007199254740991", { key: "compact_at_tokens", value: 9007199254740991 }],
    ["max_output_tokens=+0007", { key: "max_output_tokens", value: 7 }],
    [`max_turns=${"0".repeat(300)}`, { key: "max_turns", value: 0 }],
    ["effort=HIGH", { key: "effort", value: "high" }],
    ["effort=XHigh", { key: "effort", value: "xhigh" }],
    ["effort=Med", { key: "effort", value: "medium" }],
  ])("%s", (spec, value) => expect(parseOverride(spec)).toEqual({ ok: true, value }));

  test.each([
    ["max_turns", '"max_turns": write KEY=VALUE, such as max_turns=60'],
    ["", '"": write KEY=VALUE, such as max_turns=60'],
    ["max_trns=3", '"max_trns=3": "max_trns" cannot be changed this way; did you mean max_turns?'],
    [
      "trifecta=allow",
      '"trifecta=allow": "trifecta" cannot be changed this way; it must be one of compact_at_tokens, max_turns, max_output_tokens, effort',
    ],
    ["max_turns=", '"max_turns=": max_turns must be a whole number from 0 to 4294967295'],
    ["max_turns=++1", '"max_turns=++1": max_turns must be a whole number from 0 to 4294967295'],
    ["max_turns= 1", '"max_turns= 1": max_turns must be a whole number from 0 to 4294967295'],
    ["max_turns=1\n", '"max_turns=1\\n": max_turns must be a whole number from 0 to 4294967295'],
    ["max_turns=٣", '"max_turns=٣": max_turns must be a whole number from 0 to 4294967295'],
    ["max_turns=1e3", '"max_turns=1e3": max_turns must be a whole number from 0 to 4294967295'],
    [
      `max_output_tokens=${"9".repeat(500)}`,
      `"max_output_tokens=${"9".repeat(62)}…": max_output_tokens must be a whole number from 0 to 18446744073709551615`,
    ],
    ["effort= high", '"effort= high": effort must be low, medium, high, xhigh or max'],
  ])("%s is refused", (spec, problem) => expect(parseOverride(spec)).toEqual({ ok: false, problem }));
});

describe("options with overrides", () => {
  const options = runOptions({
    config: defaultConfig(),
    provider: "p",
    model: "m",
    workspace: "/w",
    systemPrompt: null,
  });

  test("differ in nothing else, and the later repeat wins", () => {
    const overrides: Override[] = [
      { key: "max_turns", value: 1 },
      { key: "compact_at_tokens", value: 2 },
      { key: "max_output_tokens", value: 3 },
      { key: "effort", value: "low" },
      { key: "max_turns", value: 0 },
    ];
    const before = structuredClone(options);
    expect(applyOverrides(options, overrides)).toEqual({
      ...options,
      settings: { ...options.settings, effort: "low" },
      limits: { ...options.limits, maxTurns: 0, compactAtTokens: 2, maxOutputTokens: 3 },
    });
    expect(options).toEqual(before);
    expect(applyOverrides(options, [])).toEqual(options);
  });
});
