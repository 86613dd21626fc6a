import { expect, test } from "vitest";
import { mended, startOf, utf8 } from "#lib/utf8.ts";

test("bytes are text only where they are UTF-8, and a byte order mark is none of it", () => {
  expect(utf8(Buffer.from("\ufeffgrüße"))).toBe("grüße");
  expect(utf8(Buffer.from([0x67, 0xfc]))).toBeNull();
});

test("half a character is replaced, a whole one stays", () => {
  expect(mended("a\ud83d b\ude00 😀")).toBe("a\ufffd b\ufffd 😀");
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
