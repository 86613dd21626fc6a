import { test } from "vitest";
import { raceFor } from "#tests/support/queue-race.ts";

test.each([2, 4])(
  "%d processes on one queue: each job is claimed once",
  (workers) => raceFor(1_500, workers),
  60_000,
);
