import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { machineLoad, memoryOf, tasksBelow } from "#lib/sandbox/process-tree.io.ts";

const noProc = !existsSync("/proc/self/task");

/** Runs a script, and waits until it has said "up" so many times. */
async function started(script: string, ups = 1): Promise<{ pid: number; end(): void }> {
  const child = spawn(process.execPath, ["-e", script], {
    stdio: ["ignore", "pipe", "ignore"],
    detached: true,
  });
  for (let said = ""; said.split("up").length <= ups; ) said += (await once(child.stdout, "data"))[0];
  const pid = child.pid ?? 0;
  return { pid, end: () => process.kill(-pid, "SIGKILL") };
}

test.skipIf(noProc)(
  "a tree is counted whole: threads, children, and their children (skipped without /proc)",
  async () => {
    const script = `const { spawn } = require("child_process");
    for (let i = 0; i < 3; i++) spawn("/bin/sh", ["-c", "sleep 60 & echo up; wait"], { stdio: "inherit" });
    setInterval(() => {}, 1000);`;
    const tree = await started(script, 3);
    const { pids, tasks } = tasksBelow(tree.pid, 1000);
    expect(pids).toHaveLength(7);
    expect(tasks).toBeGreaterThan(7);
    expect(tasksBelow(tree.pid, 3).pids.length).toBeLessThan(7);
    tree.end();
  },
);

test.skipIf(noProc)("memory of a process is its own (skipped without /proc)", async () => {
  const tree = await started(
    `const b = Buffer.alloc(200e6, 1); console.log("up"); setInterval(() => b, 1000);`,
  );
  const own = memoryOf([tree.pid]);
  expect(own).toBeGreaterThan(190e6);
  expect(own).toBeLessThan(600e6);
  tree.end();
});

test("a process that is not there has nothing", () => {
  expect(tasksBelow(2 ** 30, 10)).toEqual({ pids: [], tasks: 0 });
  expect(memoryOf([2 ** 30])).toBe(0);
});

test.skipIf(noProc)("the load of the machine can be read (skipped without /proc)", () => {
  const load = machineLoad();
  expect(load?.tasks).toBeGreaterThan(10);
  expect(load?.memoryTotal).toBeGreaterThan(load?.memoryFree ?? 0);
  expect(load?.memoryFree).toBeGreaterThan(1e6);
});
