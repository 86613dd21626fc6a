import { describe, expect, test } from "vitest";
import { endOfObject, parseJsonText, withExactIds } from "#lib/json-text.ts";

describe("the end of an object", () => {
  test.each([
    ["{} x", "{}"],
    ['{"a":{"b":1}}}', '{"a":{"b":1}}'],
    ['{"a":"}"} tail', '{"a":"}"}'],
    ['{"a":"\\"}"}', '{"a":"\\"}"}'],
  ])("%s", (text, object) => {
    expect(endOfObject(text, 0)).toBe(object.length);
  });

  test.each(['{"a":1', '{"a":"}', "[{}]", "", "}"])("%s has none", (text) => {
    expect(endOfObject(text, 0)).toBeNull();
  });
});

test("a text that is cut off is told from a wrong one", () => {
  expect(parseJsonText('{"a":')).toEqual({ ok: false, problem: "it is cut off in the middle" });
  expect(parseJsonText("{a}")).toEqual({ ok: false, problem: expect.stringMatching(/^not JSON: /) });
});

test.each([
  ['{"id":1915883588174806058,"n":12}', '{"id":"1915883588174806058","n":12}'],
  [
    "[-9007199254740993, 9007199254740992 ,9007199254740993]",
    '["-9007199254740993", 9007199254740992 ,"9007199254740993"]',
  ],
  ["9007199254740993", '"9007199254740993"'],
  ['{"a":"9007199254740993 \\" 9007199254740993","9007199254740993":1}', null],
  ["[1e16,10000000000000000,0.12345678901234567890,9007199254740993.0,9007199254740993e0]", null],
  ['{"cut":"9007199254740993\\', null],
])("%s: a whole number that a double would round is a text", (json, exact) => {
  expect(withExactIds(json)).toBe(exact ?? json);
});

test("numbers and texts without end take no time", () => {
  const digits = "9".repeat(2_000_000);
  expect(withExactIds(digits)).toBe(`"${digits}"`);
  const text = JSON.stringify(digits);
  expect(withExactIds(`[${text},9007199254740993]`)).toBe(`[${text},"9007199254740993"]`);
});
