import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { canonicalJson, sha256Hex, withoutSpace } from "#lib/verdict/canonical.ts";

describe("canonical JSON", () => {
  it.each([
    // Keys by UTF-16 code units, as the scheme's own sorting example has them: the emoji's surrogate before U+FB33.
    [
      { "\u20ac": 1, "\r": 2, "\ufb33": 3, "1": 4, "\u{1f600}": 5, "\u0080": 6, "\u00f6": 7 },
      '{"\\r":2,"1":4,"\u0080":6,"\u00f6":7,"\u20ac":1,"\u{1f600}":5,"\ufb33":3}',
    ],
    [{ b: [1, { d: 1, c: 2 }], a: null }, '{"a":null,"b":[1,{"c":2,"d":1}]}'],
    [[333333333.3333333, 1e30, 4.5, 2e-3, 1e-27], "[333333333.3333333,1e+30,4.5,0.002,1e-27]"],
    [-0, "0"],
    ['\u20ac$\u000f\nA\'B"\\\\"/', '"\u20ac$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'],
    [[true, false, null, "", [], {}], '[true,false,null,"",[],{}]'],
    [JSON.parse('{"__proto__":1,"a":2}'), '{"__proto__":1,"a":2}'],
  ])("of %j", (value, text) => {
    expect(canonicalJson(value)).toBe(text);
  });

  it.each([
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [undefined],
    [() => 1],
    [1n],
    ["\ud800"],
    [{ "\udc00": 1 }],
  ])("refuses %s", (value) => {
    expect(() => canonicalJson(value)).toThrow(TypeError);
    expect(() => canonicalJson([value])).toThrow(TypeError);
  });

  it("does not depend on the order in which keys were set, and reads back as it was", () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(reversed(JSON.parse(text)))).toBe(text);
        expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });
});

describe("JSON without its white space", () => {
  it("keeps what stands inside strings, and nothing is lost", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 4 }), (value, indent) => {
        expect(withoutSpace(JSON.stringify(value, null, indent))).toBe(JSON.stringify(value));
      }),
    );
  });
});

it("hashes the UTF-8 bytes", () => {
  expect(sha256Hex("abc")).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
});

function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, part]) => [key, reversed(part)]),
  );
}
