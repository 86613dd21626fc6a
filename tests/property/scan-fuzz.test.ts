import { expect, it } from "vitest";
import { fuzzAppends, fuzzReads } from "#tests/support/scan-fuzz.ts";

// The seeds are fixed: a run is the same everywhere. The soak suite goes on from where these end.

it("reads 24 000 broken files as the slow reader does, whatever the size of its buffers", {
  timeout: 120_000,
}, () => {
  const seen = fuzzReads(1, 24_000);
  // Cases that fall out at once prove little: most have to get as far as rows.
  expect(seen.sessions).toBeGreaterThan(18_000);
  expect(seen.runs).toBeGreaterThan(20_000);
  for (const count of [seen.oversize, seen.torn, seen.unknown, seen.notUtf8])
    expect(count).toBeGreaterThan(500);
});

it("goes on with a growing file as if it had been read at once", { timeout: 120_000 }, () => {
  expect(fuzzAppends(100_001, 4_000).resumed).toBeGreaterThan(2_000);
});
