import { describe, expect, it } from "vitest";
import { CUT_SHORT, STOP_CAUSES } from "#lib/transcript/record.ts";
import { parseConfig, parseMeta, parseOutcome } from "#lib/transcript/stats.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

const outcome = (text: string) => parseOutcome(JSON.parse(text), text);
const config = (text: string) => parseConfig(JSON.parse(text), text);
const meta = (text: string) => parseMeta(JSON.parse(text), text);

const vectors = readVectors({
  outcome_defaults: {} as Record<string, unknown>,
  stop_causes: [] as { value: string; cut_short: boolean; is_early: boolean }[],
});

describe.skipIf(sharedDir === null)(
  `shared vectors (${sharedDir === null ? sharedMissing : "present"})`,
  () => {
    it("fills in the defaults of an outcome that gives nothing", () => {
      const { record, ...defaults } = vectors.outcome_defaults;
      expect(outcome('{"record":"outcome"}')).toEqual({ ...defaults, cost_usd: null, stop_cause: null });
      expect(record).toBe("outcome");
    });

    it("knows the stop causes, which of them cut a run short, and which end it early", () => {
      const causes = vectors.stop_causes.map(({ value }) => value);
      expect([...STOP_CAUSES].sort()).toEqual([...causes].sort());
      for (const { value, cut_short, is_early } of vectors.stop_causes) {
        expect(outcome(`{"record":"outcome","stop_cause":"${value}"}`)?.stop_cause).toBe(value);
        expect([...CUT_SHORT].includes(value as never)).toBe(cut_short);
        expect(value !== "completed").toBe(is_early);
      }
    });
  },
);

describe("an outcome", () => {
  const usage =
    '"usage":{"input_tokens":1,"output_tokens":2,"cache_creation_input_tokens":3,"cache_read_input_tokens":4}';

  it.each([
    ["a count at the top of its range", '"turns":4294967295'],
    ["tokens at the top of theirs", usage.replace(":1,", ":18446744073709551615,")],
    ["a price in any number form", '"cost_usd":1.25e-3'],
    ["a price that is not known", '"cost_usd":null'],
    ["a stop cause that is not known", '"stop_cause":null'],
    ["keys of later versions, whatever they hold", '"later":{"turns":-1,"turns":"x"},"later":2'],
    ["half of a taint", '"taint":{"private":true}'],
    ["escaped letters in a key", '"\\u0074urns":3'],
  ])("may hold %s", (_what, member) => {
    expect(outcome(`{"record":"outcome",${member}}`)).not.toBeNull();
  });

  it.each([
    ["a count with a point", '"turns":3.0'],
    ["a count with an exponent", '"turns":1e3'],
    ["a negative count", '"turns":-1'],
    ["a negative zero", '"turns":-0'],
    ["a count over its range", '"turns":4294967296'],
    ["tokens over theirs", usage.replace(":1,", ":18446744073709551616,")],
    ["tokens with a point", usage.replace(":4}", ":4.0}")],
    ["a count as text", '"tool_calls":"3"'],
    ["null where there is always a count", '"tool_calls":null'],
    ["null where there is always a truth value", '"exhausted":null'],
    ["a truth value as a number", '"exhausted":1'],
    ["usage with keys missing", '"usage":{"input_tokens":1,"output_tokens":2}'],
    ["usage as a list", '"usage":[1,2,3,4]'],
    ["null for usage", '"usage":null'],
    ["a stop cause nobody writes", '"stop_cause":"end_turn"'],
    ["a stop cause in capitals", '"stop_cause":"Completed"'],
    ["a price beyond all numbers", '"cost_usd":1e999'],
    ["a price as text", '"cost_usd":"1"'],
    ["a taint that is none", '"taint":{"private":1}'],
    ["a key given twice", '"turns":1,"turns":1'],
    ["a key given twice, once escaped", '"turns":1,"\\u0074urns":1'],
    ["a key given twice within usage", usage.replace("}", ',"input_tokens":1}')],
    ["its tag twice", '"record":"outcome"'],
  ])("is dropped for %s", (_what, member) => {
    expect(outcome(`{"record":"outcome",${member}}`)).toBeNull();
  });

  it("holds what is above 2^53 as the nearest double", () => {
    const read = outcome(`{"record":"outcome",${usage.replace(":1,", ":9007199254740993,")}}`);
    expect(read?.usage.input_tokens).toBe(9007199254740992);
  });
});

describe("a config", () => {
  it("is any subset of its keys", () => {
    expect(config('{"record":"config"}')).toEqual({ record: "config" });
    expect(config('{"record":"config","effort":null,"seed":7}')).toMatchObject({ effort: null, seed: 7 });
    expect(config('{"record":"config","sandbox":"something newer"}')).not.toBeNull();
  });

  it.each([
    '"effort":"turbo"',
    '"permission_mode":"never"',
    '"trifecta":null',
    '"max_turns":40.0',
    '"max_turns":null',
    '"seed":-1',
    '"tools":["a",1]',
    '"tools":null',
    '"system_prompt":7',
    '"thinking":"yes"',
    '"model":null',
    '"model":"a","model":"b"',
  ])("is broken by %s", (member) => {
    expect(config(`{"record":"config",${member}}`)).toBeNull();
  });
});

describe("a header", () => {
  const whole =
    '{"record":"meta","id":"a","created_at":"2026-08-05T11:15:00+02:00","provider":"p","model":"m","workspace":"/w"}';

  it("has its time in UTC and a title or none", () => {
    expect(meta(whole)).toEqual({
      id: "a",
      created_at: "2026-08-05T09:15:00Z",
      provider: "p",
      model: "m",
      workspace: "/w",
      title: null,
    });
    expect(meta(whole.replace("}", ',"title":"t"}'))?.title).toBe("t");
    expect(meta(whole.replace("}", ',"title":null}'))?.title).toBeNull();
  });

  it.each(["id", "created_at", "provider", "model", "workspace"])("needs its %s", (key) => {
    const { [key]: _gone, ...rest } = JSON.parse(whole);
    expect(meta(JSON.stringify(rest))).toBeNull();
    expect(meta(JSON.stringify({ ...rest, [key]: 7 }))).toBeNull();
  });

  it("needs a time that exists", () => {
    expect(meta(whole.replace("08-05", "02-30"))).toBeNull();
  });
});
