import fc from "fast-check";
import { expect, test } from "vitest";
import { characterStart, clipped, endOf, mended, mendedValue, startOf, utf8 } from "#lib/utf8.ts";

test("bytes are text only where they are UTF-8, and a byte order mark is none of it", () => {
  expect(utf8(Buffer.from("\ufeffgrüße"))).toBe("grüße");
  expect(utf8(Buffer.from([0x67, 0xfc]))).toBeNull();
});

test("half a character is replaced, a whole one stays", () => {
  expect(mended("a\ud83d b\ude00 😀")).toBe("a\ufffd b\ufffd 😀");
});

test("halves of characters are replaced wherever they are in plain data", () => {
  const data = { "k\ud83d": ["a\ude00", 1, null, true, { b: "😀" }] };
  expect(mendedValue(data)).toEqual({ "k\ufffd": ["a\ufffd", 1, null, true, { b: "😀" }] });
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "abc"],
  ["ab😀", 3, "ab"],
  ["ab😀", 4, "ab😀"],
  ["", 0, ""],
])("%j cut to %i", (text, max, start) => {
  expect(startOf(text, max)).toBe(start);
});

test.each([
  ["abc", 3, "abc"],
  ["abcd", 3, "bcd"],
  ["😀ab", 3, "ab"],
  ["😀ab", 4, "😀ab"],
  ["a", 0, ""],
])("%j, of which the last %i are kept", (text, max, end) => {
  expect(endOf(text, max)).toBe(end);
});

test("what was cut says so", () => {
  expect([clipped("abc", 3), clipped("abcd", 3), clipped("ab😀c", 3)]).toEqual(["abc", "abc…", "ab…"]);
});

test("bytes are cut between two characters, and no further back than one character is long", () => {
  const text = fc.string({ unit: "grapheme", maxLength: 40 });
  fc.assert(
    fc.property(text, fc.nat(80), (whole, at) => {
      const bytes = Buffer.from(whole);
      const most = Math.min(at, bytes.length);
      const cut = characterStart(bytes, most);
      expect(whole.startsWith(bytes.toString("utf8", 0, cut))).toBe(true);
      expect(most - cut).toBeLessThan(4);
    }),
  );
  expect(characterStart(new Uint8Array(40).fill(0x80), 30)).toBe(26);
});
