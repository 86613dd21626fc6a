import { expect, test } from "vitest";
import { killEvals } from "#tests/support/killed-evals.ts";

test("evaluations killed at 50 moments and resumed count each run of each case once", async () => {
  const seen = await killEvals(50, 11);
  console.log(JSON.stringify(seen));
  expect(seen.resumed).toBeGreaterThan(40);
  expect(seen.taken).toBeGreaterThan(0);
});
