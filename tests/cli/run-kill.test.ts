import { expect, test } from "vitest";
import { killRuns } from "#tests/support/killed-runs.ts";

test("a run that is killed leaves a session that can be read, with one row or none, and gone on with", async () => {
  const seen = await killRuns(15, 11);
  expect(seen.sessions).toBeGreaterThan(3);
}, 120_000);
