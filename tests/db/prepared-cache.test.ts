import path from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type OpenDb, openDb } from "#db/client.ts";
import { DB_FILE } from "#db/db-file.ts";
import { enqueueExperiment } from "#lib/queue/experiments.io.ts";
import { type PreparedCache, preparedCache, type Ready } from "#lib/queue/prepared.io.ts";
import { tempHome } from "#tests/support/cli.ts";
import { anExperiment, queueHome } from "#tests/support/queue-home.ts";

let opened: OpenDb;
let cache: PreparedCache;
let ids: string[];
let remove: () => void;

beforeEach(() => {
  const temp = tempHome();
  const { settings, dataDir, casesFile } = queueHome(temp.home, { cases: 1 });
  opened = openDb(path.join(dataDir, DB_FILE));
  ids = Array.from({ length: 9 }, () => enqueueExperiment(opened.db, anExperiment(casesFile), null, 0));
  cache = preparedCache(() => opened.db, { settings, env: { HOME: temp.home }, cwd: temp.home });
  remove = temp.remove;
});
afterEach(async () => {
  vi.useRealTimers();
  await cache.clear();
  opened.close();
  remove();
});

/** What stands prepared; the same object as long as it was not prepared anew. */
const ready = (id = ids[0] ?? ""): Promise<Ready> => cache.using(id, async (one) => one);

test("an experiment is prepared once for as long as it is at work", async () => {
  const first = await ready();
  expect(await ready()).toBe(first);
  await cache.forget(ids[0] ?? "");
  expect(await ready()).not.toBe(first);
});

test("after half a minute of rest it is prepared again: a person may have put something right", async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: 1_000_000 });
  const first = await ready();
  vi.setSystemTime(1_029_000);
  expect(await ready()).toBe(first);
  vi.setSystemTime(1_060_000);
  expect(await ready()).not.toBe(first);
});

test("eight are kept, those that were not used for longest go; never one that is in use", async () => {
  const [first = "", second = "", ...rest] = ids;
  const idle = await ready(second);
  await cache.using(first, async (held) => {
    for (const id of rest) await ready(id);
    expect(await ready(first)).toBe(held);
    await cache.forget(first);
    expect(await ready(first)).toBe(held);
  });
  expect(await ready(second)).not.toBe(idle);
});
