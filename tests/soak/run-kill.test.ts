import { expect, test } from "vitest";
import { killRuns } from "#tests/support/killed-runs.ts";

test("a run killed at 200 moments leaves a session that can be read, with one row or none", async () => {
  const seen = await killRuns(200, 7);
  console.log(JSON.stringify(seen));
  expect(seen.sessions).toBeGreaterThan(100);
  expect(seen.rows).toBeGreaterThan(0);
  expect(seen.rows).toBeLessThan(seen.sessions);
});
