import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { tempHome } from "#tests/support/cli.ts";
import { failingHome } from "#tests/support/store-homes.ts";
import { type Hook, startHook } from "#tests/unit/notify/hook.ts";

const bin = path.resolve(import.meta.dirname, "../../dist/mecha.mjs");

let home: ReturnType<typeof tempHome>;
let hook: Hook;
beforeEach(async () => {
  home = tempHome();
  hook = await startHook();
  failingHome(home.home);
});
afterEach(async () => {
  home.remove();
  await hook.close();
});

type Ended = { code: number | null; out: string; err: string };

function start(argv: string[] = []): { child: ChildProcess; ended: Promise<Ended> } {
  const child = spawn(process.execPath, [bin, "notify", ...argv], {
    env: {
      NODE_ENV: "test",
      PATH: process.env.PATH,
      HOME: home.home,
      TZ: "UTC",
      MECHA_NOTIFY_URL: `${hook.url}/s3cr3t`,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let out = "";
  let err = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  return { child, ended: once(child, "close").then(([code]) => ({ code, out, err })) };
}

test("processes at once send one message", async () => {
  // Slow enough that every one of them is waiting before the first has ended.
  hook.answer((_, response) => {
    setTimeout(() => response.end("ok"), 1500);
  });
  const ended = await Promise.all(Array.from({ length: 5 }, () => start().ended));
  expect(ended.map(({ code, err }) => ({ code, err }))).toEqual(
    Array.from({ length: 5 }, () => ({ code: 0, err: "" })),
  );
  expect(ended.filter(({ out }) => out !== "")).toHaveLength(1);
  expect(hook.seen).toHaveLength(1);
});

test("killed before the answer: sent again once, with the same event ids, and then no more", async () => {
  const killed = new Promise<void>((resolve) => {
    hook.answer(() => {
      first.child.kill("SIGKILL");
      resolve();
    });
  });
  const first = start();
  await killed;
  expect((await first.ended).code).toBeNull();
  const second = await start().ended;
  expect(second).toMatchObject({ code: 0, err: "" });
  expect(second.out).toContain("2 new");
  expect(await start().ended).toEqual({ code: 0, out: "", err: "" });
  expect(hook.seen).toHaveLength(2);
  expect(hook.seen[1]?.body.new).toEqual(hook.seen[0]?.body.new);
});

test("killed at any moment: at most one repeat a kill, and nothing is lost", async () => {
  let kills = 0;
  for (const delay of [40, 90, 140, 190, 240, 300]) {
    const { child, ended } = start();
    setTimeout(() => child.kill("SIGKILL"), delay);
    if ((await ended).code === null) kills += 1;
  }
  expect(await start().ended).toMatchObject({ code: 0, err: "" });
  expect(await start().ended).toEqual({ code: 0, out: "", err: "" });
  expect(hook.seen.length).toBeGreaterThanOrEqual(1);
  expect(hook.seen.length).toBeLessThanOrEqual(1 + kills);
  for (const { body } of hook.seen) expect(body.new).toEqual(hook.seen[0]?.body.new);
});

test("a network that is not there: exit code 1, and the address is not said", async () => {
  const { port } = new URL(hook.url);
  await hook.close();
  const ended = await start(["--to", `http://me:s3cr3t@127.0.0.1:${port}/s3cr3t?s3cr3t`]).ended;
  expect(ended).toEqual({
    code: 1,
    out: "",
    err: `mecha: http://127.0.0.1:${port}/… was not notified: no server is listening there (given up after 4 tries)\n`,
  });
  hook = await startHook();
}, 30_000);
