import { expect, test } from "vitest";
import { killWorkers } from "#tests/support/killed-workers.ts";

test("ten killed workers: every experiment ends, every case run counts once, and the verdict is the foreground's", async () => {
  const seen = await killWorkers({ kills: 10, experiments: 3, seed: 7, delayMs: 60 });
  expect(seen.interrupted).toBeGreaterThan(2);
  // Some run was begun more than once.
  expect(seen.attempts).toBeGreaterThan(seen.caseRuns + 2 * seen.experiments);
}, 60_000);
