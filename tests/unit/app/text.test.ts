import { describe, expect, it } from "vitest";
import { age, clockTime, dateOnly, dateTime, isStamp, relative, withDateTimes } from "#app/_ui/dates.ts";
import { decodedPart, pathPart, sessionHref } from "#app/_ui/href.ts";
import { grouped } from "#app/_ui/number.ts";
import { pagesFor, withPage } from "#app/_ui/sessions/pages.ts";
import { contextBefore } from "#app/_ui/transcript/context.ts";
import { folded, plainText } from "#app/_ui/transcript/plain-text.ts";
import { derive } from "#app/derive.ts";
import type { Scan } from "#lib/sources/source.ts";
import { emptyCoverage } from "#lib/transcript/coverage.ts";
import { mended } from "#lib/utf8.ts";

it.each([
  ["a\tb\nc", "a\tb\nc"],
  ["a\r\nb\rc", "a\nb\nc"],
  ["\u202eevil\u202c", "\\u{202e}evil\\u{202c}"],
  ["\u001b[1;31mred\u001b[0m", "red"],
  ["\u001b]0;title\u0007", "\\u{1b}]0;title\\u{7}"],
  ["nul\u0000", "nul\\u{0}"],
  ["👩‍💻 日本 שלום", "👩‍💻 日本 שלום"],
])("%j is shown as %j", (text, shown) => {
  expect(plainText(text)).toBe(shown);
});

describe("an id in an address", () => {
  it.each(["a/../b", "%2e", "nul\u0000\n", "a?b#c&d", "\u{1F600}", "..\\"])(
    "%j comes back as it is",
    (id) => {
      expect(decodedPart(pathPart(id))).toBe(id);
    },
  );

  it.each(["100%", "%", "%zz", "%ff"])("%j is no encoding, and stays what it is", (id) => {
    expect(decodedPart(id)).toBe(id);
  });

  it("with half a surrogate pair still has an address, the one that it is looked up by", () => {
    const id = "a\ud800b\udfff\u{1F600}";
    expect(sessionHref(id, "mecha")).toBe("/sessions/a%EF%BF%BDb%EF%BF%BD%F0%9F%98%80?source=mecha");
    expect(decodeURIComponent(pathPart(id))).toBe(mended(id));
  });
});

describe("a long text", () => {
  it("is folded by lines and by characters", () => {
    expect(folded("a\n".repeat(14))).toBe(`${"a\n".repeat(13)}a`);
    expect(folded("x".repeat(5000))).toHaveLength(1600);
    expect(folded("short")).toBeNull();
    expect(folded("a\n".repeat(13))).toBeNull();
    expect(folded("")).toBeNull();
  });
});

describe("dates", () => {
  const at = "2026-11-30T23:05:09Z";
  it("are told in the page's zone", () => {
    expect(dateTime(at, "Asia/Kathmandu")).toBe("2026-12-01 04:50");
    expect(dateOnly(at, "UTC")).toBe("2026-11-30");
    expect(clockTime(at, "UTC")).toBe("23:05:09");
    expect(dateTime("2026-11-30T00:00:00Z", "UTC")).toBe("2026-11-30 00:00");
    expect(dateTime("nonsense", "UTC")).toBe("????-??-?? ??:??");
  });

  it.each([
    ["2026-11-30T23:05:09Z", true],
    ["2026-11-30T23:05:09.123+05:45", true],
    ["2026-11-30", false],
    ["2026-13-30T23:05:09Z", false],
    ["2026-11-30T and the rest", false],
    ["release 1", false],
    ["", false],
  ])("%j is a stamp: %j", (text, is) => {
    expect(isStamp(text)).toBe(is);
  });

  it("the stamps of a sentence are told as the rest of the page tells them", () => {
    const said = withDateTimes(
      "from 2026-11-30T23:05:09Z to 2026-12-01T00:00:00.5Z, 2026-13-01T00:00:00Z",
      "Asia/Kathmandu",
    );
    expect(said).toBe("from 2026-12-01 04:50 to 2026-12-01 05:45, 2026-13-01T00:00:00Z");
  });

  it.each([
    [0, "just now", "a moment"],
    [61_000, "1 minute ago", "1 minute"],
    [7_200_000, "2 hours ago", "2 hours"],
    [3 * 86_400_000 + 1, "3 days ago", "3 days"],
    [-7_200_000, "in 2 hours", "2 hours"],
  ])("%d ms back", (ms, told, long) => {
    const now = Date.parse(at);
    expect(relative(now - ms, now)).toBe(told);
    expect(age(now - ms, now)).toBe(long);
  });
});

it.each([
  [null, "—"],
  [0, "0"],
  [9999, "9999"],
  [22_000, "22\u202f000"],
  [1_234_567, "1\u202f234\u202f567"],
  [-22_000, "-22\u202f000"],
])("%j is written %j", (n, text) => {
  expect(grouped(n)).toBe(text);
});

describe("pages of a list", () => {
  it("are those that the rows on screen stand on", () => {
    expect(pagesFor(0, 40)).toEqual([0]);
    expect(pagesFor(95, 105)).toEqual([0, 1]);
    expect(pagesFor(-3, 0)).toEqual([0]);
  });

  it("are let go when they are far away", () => {
    let pages = new Map<number, string>();
    for (let number = 0; number < 100; number++) pages = withPage(pages, number, String(number));
    expect(pages.size).toBe(20);
    expect([...pages.keys()].at(-1)).toBe(99);
    expect(pages.has(0)).toBe(false);
  });
});

it("a place in a transcript is shown with what led to it", () => {
  expect(contextBefore("100:2")).toBeNull();
  expect(contextBefore("10000:2")).toBe("4000:0");
  expect(contextBefore("nowhere")).toBeNull();
});

describe("what is derived from scans", () => {
  const scan = (): Scan => ({
    source: { kind: "mecha", place: "/x" },
    provenance: "recorded",
    sessions: [],
    runs: [],
    coverage: emptyCoverage(),
    scanned_at: "2026-11-30T00:00:00Z",
    took_ms: 1,
  });

  it("is worked out once for the same scans and key", () => {
    const scans = [scan(), scan()];
    let times = 0;
    const ask = (key: string, of = scans) => derive(of, key, () => ++times);
    expect([ask("a"), ask("a"), ask("b"), ask("a")]).toEqual([1, 1, 2, 1]);
    expect(ask("a", [...scans])).toBe(1);
  });

  it("is worked out anew when any of the scans is another", () => {
    const [one, two] = [scan(), scan()];
    let times = 0;
    expect(derive([one, two], "a", () => ++times)).toBe(1);
    expect(derive([one, scan()], "a", () => ++times)).toBe(2);
    expect(derive([one], "a", () => ++times)).toBe(3);
    expect(derive([], "a", () => ++times)).toBe(4);
    expect(derive([], "a", () => ++times)).toBe(5);
  });
});
