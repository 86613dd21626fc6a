import { describe, expect, test } from "vitest";
import { displayWidth, fitTo, pad } from "#lib/display-width.ts";

describe("width on a terminal", () => {
  test.each([
    ["", 0],
    ["abc", 3],
    ["日本", 4],
    ["한글", 4],
    ["e\u0301", 1],
    ["ｆｕｌｌ", 8],
    ["🚀", 2],
    ["é", 1],
    ["—", 1],
  ])("%j takes %i columns", (text, width) => expect(displayWidth(text)).toBe(width));

  test("a cut text ends in an ellipsis and never takes more room", () => {
    expect(fitTo("abcdef", 4)).toBe("abc…");
    expect(fitTo("日本語", 4)).toBe("日…");
    expect(fitTo("日本語", 6)).toBe("日本語");
    expect(fitTo("abc", 0)).toBe("…");
  });

  test("padding counts columns, not characters", () => {
    expect(pad("日", 4)).toBe("日  ");
    expect(pad("7", 3, "right")).toBe("  7");
    expect(pad("long", 2)).toBe("long");
  });
});
