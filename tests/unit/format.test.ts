import { describe, expect, it } from "vitest";
import {
  byteOrder,
  bytes,
  count,
  duration,
  fixed,
  lowerBoundMoney,
  money,
  percent,
  visible,
} from "#lib/format.ts";
import { sharedDir, sharedMissing } from "#tests/support/shared.ts";
import { readVectors } from "#tests/support/vectors.ts";

describe("percent", () => {
  it.each([
    [17, 412, "4.1%", "4%"],
    [1, 16, "6.2%", "6%"],
    [3, 16, "18.8%", "19%"],
    [9, 40, "22.5%", "22%"],
    [3, 8, "37.5%", "38%"],
    [0, 5, "0.0%", "0%"],
    [5, 5, "100.0%", "100%"],
    [0, 0, "—", "—"],
    [3, 0, "—", "—"],
  ])("%i of %i", (hits, of, one, none) => {
    expect(percent({ hits, of }, 1)).toBe(one);
    expect(percent({ hits, of }, 0)).toBe(none);
  });
});

type PercentVector = { n: number; d: number; one_decimal: string; zero_decimals: string | null };

describe.skipIf(sharedDir === null)(
  `percent vectors${sharedDir === null ? ` (${sharedMissing})` : ""}`,
  () => {
    const { percent: group } = readVectors({ percent: { vectors: [] as PercentVector[] } });
    it.each(group.vectors)("$n of $d", ({ n, d, one_decimal, zero_decimals }) => {
      expect(percent({ hits: n, of: d }, 1)).toBe(one_decimal);
      if (zero_decimals !== null) expect(percent({ hits: n, of: d }, 0)).toBe(zero_decimals);
    });
  },
);

describe("numbers", () => {
  it("rounds exact ties to the even digit and nothing else", () => {
    expect([0.125, 0.375, 0.625, 0.875].map((n) => fixed(n, 2))).toEqual(["0.12", "0.38", "0.62", "0.88"]);
    expect([0.5, 1.5, 2.5, -0.5, -1.5].map((n) => fixed(n, 0))).toEqual(["0", "2", "2", "-0", "-2"]);
    expect([0.135, 1.005, 2.675].map((n) => fixed(n, 2))).toEqual(["0.14", "1.00", "2.67"]);
  });

  it("prints money to the even cent, negative and unknown sums included", () => {
    expect([0.75, 0.125, 31.2, 0, -0.125, -3, -0.001, null].map(money)).toEqual([
      "$0.75",
      "$0.12",
      "$31.20",
      "$0.00",
      "-$0.12",
      "-$3.00",
      "$0.00",
      "—",
    ]);
    expect(lowerBoundMoney(4.1)).toBe("≥ $4.10");
    expect(lowerBoundMoney(null)).toBe("—");
    expect(money(Number.POSITIVE_INFINITY)).toBe("—");
    expect(money(1e21)).toBe("$1000000000000000000000.00");
  });

  it("prints counts in plain digits however large", () => {
    expect([0, 3162, 2 ** 64, 1e25, null].map(count)).toEqual([
      "0",
      "3162",
      "18446744073709551616",
      "10000000000000000905969664",
      "—",
    ]);
  });

  it.each([
    [0, "0 ms"],
    [38.4, "38 ms"],
    [999.4, "999 ms"],
    [999.6, "1.0 s"],
    [1234, "1.2 s"],
    [59_960, "1 min"],
    [200_000, "3 min 20 s"],
    [3_599_600, "1 h"],
    [7_500_000, "2 h 5 min"],
    [86_399_000, "1 d"],
    [187_200_000, "2 d 4 h"],
    [-1500, "-1.5 s"],
    [null, "—"],
    [Number.NaN, "—"],
  ])("duration of %s ms", (ms, text) => {
    expect(duration(ms)).toBe(text);
  });

  it("prints sizes in decimal units", () => {
    expect([0, 999, 1000, 999_949, 999_950, 1.5e6, 4e9, null].map(bytes)).toEqual([
      "0 B",
      "999 B",
      "1.0 kB",
      "999.9 kB",
      "1.0 MB",
      "1.5 MB",
      "4.0 GB",
      "—",
    ]);
  });
});

describe("visible", () => {
  it.each([
    ["\u001b[31mred\u001b[0m", "\\u{1b}[31mred\\u{1b}[0m"],
    ["a\r\nb\tc\u0000", "a\\u{d}\\u{a}b\\u{9}c\\u{0}"],
    ["user\u202egpj.exe", "user\\u{202e}gpj.exe"],
    ["a\u2066b\u2069\u200e\u061c", "a\\u{2066}b\\u{2069}\\u{200e}\\u{61c}"],
    ["zero\u200bwidth\ufeff\u00ad", "zero\\u{200b}width\\u{feff}\\u{ad}"],
    ["\u009b31m\u2028\u2029", "\\u{9b}31m\\u{2028}\\u{2029}"],
    ["tag\u{e0041}", "tag\\u{e0041}"],
    ["lone\ud800", "lone\\u{d800}"],
    [`Z${"\u0335".repeat(32)}!`, `Z${"\u0335".repeat(30)}\\u{335}\\u{335}!`],
  ])("shows %j", (text, shown) => {
    expect(visible(text)).toBe(shown);
  });

  it("leaves ordinary writing alone, joiners of scripts and emoji included", () => {
    for (const text of ["qwen3-moe", "naïve café", "日本語", "می\u200cخواهم", "👩\u200d💻", "❤\ufe0f", ""]) {
      expect(visible(text)).toBe(text);
    }
  });
});

describe("byteOrder", () => {
  it("orders by code point, unlike <", () => {
    const names = ["b", "\u{1f600}", "A", "a", "\uff5e", "a\u0000", "é", ""];
    const byBytes = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect([...names].sort(byteOrder)).toEqual(byBytes);
    expect(["\u{1f600}", "\uff5e"].sort()).not.toEqual(["\u{1f600}", "\uff5e"].sort(byteOrder));
  });
});
