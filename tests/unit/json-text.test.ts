import { describe, expect, test } from "vitest";
import { endOfObject, parseJsonText } from "#lib/json-text.ts";

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
