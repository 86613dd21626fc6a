import { expect, test } from "vitest";
import { killWorkers } from "#tests/support/killed-workers.ts";
import { raceFor } from "#tests/support/queue-race.ts";

test("300 killed workers over 20 experiments", async () => {
  const seen = await killWorkers({ kills: 300, experiments: 20, seed: 300, delayMs: 250 });
  process.stdout.write(`${JSON.stringify(seen)}\n`);
  expect(seen).toMatchObject({ kills: 300, experiments: 20, caseRuns: 480 });
  expect(seen.interrupted).toBeGreaterThan(100);
}, 1_200_000);

test("four workers on 10 000 tiny jobs: each is claimed once", async () => {
  await raceFor(10_000, 4);
}, 300_000);
