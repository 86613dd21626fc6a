import { expect, test } from "vitest";
import { runPool } from "#lib/eval/pool.ts";

const never = () => false;

/** A pool over five jobs whose ends the test decides: `started` tells which began, `end` ends one. */
function pool(width: number, stopped = never) {
  const started: number[] = [];
  const ends: { resolve: () => void; reject: (error: Error) => void }[] = [];
  const run = (job: number) => {
    started.push(job);
    return new Promise<void>((resolve, reject) => {
      ends[job] = { resolve, reject };
    });
  };
  const done = runPool([0, 1, 2, 3, 4], width, run, stopped);
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { started, done, ends, settle };
}

test("jobs begin in their order, and never more than the width are in flight", async () => {
  const { started, done, ends, settle } = pool(2);
  await settle();
  expect(started).toEqual([0, 1]);
  ends[1]?.resolve();
  await settle();
  expect(started).toEqual([0, 1, 2]);
  for (const job of [0, 2, 3, 4]) {
    ends[job]?.resolve();
    await settle();
  }
  await done;
  expect(started).toEqual([0, 1, 2, 3, 4]);
});

test("after a stop nothing begins, and what is in flight is waited for", async () => {
  let stop = false;
  let isDone = false;
  const { started, done, ends, settle } = pool(2, () => stop);
  const ended = done.then(() => {
    isDone = true;
  });
  stop = true;
  ends[0]?.resolve();
  await settle();
  expect(isDone).toBe(false);
  ends[1]?.resolve();
  await ended;
  expect(started).toEqual([0, 1]);
});

test("a job that throws ends the pool once the others in flight have ended", async () => {
  let isDone = false;
  const { started, done, ends, settle } = pool(2);
  const ended = done.catch((error: unknown) => {
    isDone = true;
    return error;
  });
  ends[0]?.reject(new Error("broken"));
  await settle();
  expect(isDone).toBe(false);
  ends[1]?.resolve();
  expect(await ended).toEqual(new Error("broken"));
  expect(started).toEqual([0, 1]);
});

test("no job is no work", async () => {
  await expect(runPool([], 4, () => Promise.reject(new Error("none")), never)).resolves.toBeUndefined();
});
