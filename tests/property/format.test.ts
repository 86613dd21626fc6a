import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { byteOrder, fixed, percent, visible } from "#lib/format.ts";

/** The value of a double as a fraction of whole numbers, exactly. */
function fraction(value: number): { top: bigint; bottom: bigint } {
  let bottom = 1n;
  let rest = value;
  while (!Number.isInteger(rest)) {
    rest *= 2;
    bottom *= 2n;
  }
  return { top: BigInt(rest), bottom };
}

/** Decimal text by whole-number arithmetic, ties to even: slow and plain. */
function slowFixed(value: number, decimals: number): string {
  const { top, bottom } = fraction(value);
  const scaled = top * 10n ** BigInt(decimals);
  let whole = scaled / bottom;
  const twice = (scaled % bottom) * 2n;
  if (twice > bottom || (twice === bottom && whole % 2n === 1n)) whole += 1n;
  const digits = whole.toString().padStart(decimals + 1, "0");
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

describe("rounding", () => {
  it("equals exact arithmetic for any double", () => {
    const value = fc.oneof(
      fc.double({ min: 0, max: 1e15, noNaN: true }),
      // Eighths and sixteenths hit the ties.
      fc.integer({ min: 0, max: 100_000 }).map((n) => n / 16),
    );
    fc.assert(
      fc.property(value, fc.constantFrom(0, 1, 2), (n, decimals) => {
        expect(fixed(n, decimals)).toBe(slowFixed(n, decimals));
      }),
      { numRuns: 5000 },
    );
  });

  it("prints a percentage or a dash, and the dash exactly over nothing", () => {
    const natural = fc.nat({ max: 2 ** 31 });
    fc.assert(
      fc.property(natural, natural, fc.constantFrom(0 as const, 1 as const), (hits, of, decimals) => {
        const text = percent({ hits, of }, decimals);
        expect(text).toMatch(/^(—|\d+(\.\d)?%)$/);
        expect(text === "—").toBe(of === 0);
        if (of > 0) expect(text).toBe(`${slowFixed((hits / of) * 100, decimals)}%`);
      }),
      { numRuns: 3000 },
    );
  });
});

describe("untrusted text", () => {
  it("holds nothing a terminal acts on, and is stable under a second pass", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 60 }), (text) => {
        const shown = visible(text);
        // biome-ignore lint/suspicious/noControlCharactersInRegex: looking for them is the point
        expect(shown).not.toMatch(/[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/);
        expect(visible(shown)).toBe(shown);
      }),
      { numRuns: 3000 },
    );
  });

  it("is ordered as its bytes are", () => {
    const text = fc.string({
      unit: fc.constantFrom("a", "b", "\u00e9", "\uffff", "\ue000", "\u{10000}", "\u{1f600}"),
    });
    fc.assert(
      fc.property(text, text, (a, b) => {
        expect(Math.sign(byteOrder(a, b))).toBe(Buffer.compare(Buffer.from(a), Buffer.from(b)));
      }),
      { numRuns: 3000 },
    );
  });
});
