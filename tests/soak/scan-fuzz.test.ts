import { describe, expect, it } from "vitest";
import { fuzzAppends, fuzzReads } from "#tests/support/scan-fuzz.ts";

const PORTIONS = 20;
const CASES = 50_000;

describe("a million broken files", () => {
  it.each(Array.from({ length: PORTIONS }, (_none, index) => 1_000_000 + index * CASES))(
    "reads 50 000 from seed %d on as the slow reader does",
    (seed) => {
      expect(fuzzReads(seed, CASES).runs).toBeGreaterThan(CASES / 2);
    },
  );

  it("goes on with 100 000 growing files as if each had been read at once", () => {
    expect(fuzzAppends(3_000_000, 100_000).resumed).toBeGreaterThan(50_000);
  });
});
