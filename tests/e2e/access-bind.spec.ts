import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { freePort } from "./dashboard.ts";
import { ask } from "./guarded.ts";

const root = path.resolve(import.meta.dirname, "../..");
let home = "";
let server: ChildProcess | null = null;
let port = 0;
test.beforeEach(async () => {
  port = await freePort();
  home = mkdtempSync(path.join(os.tmpdir(), "mecha-bind-"));
});
test.afterEach(async () => {
  const ended = new Promise((resolve) => server?.once("exit", resolve) ?? resolve(null));
  server?.kill("SIGTERM");
  await ended;
  rmSync(home, { recursive: true, force: true });
});

/** Starts a server on `host`, and answers with the status of its first page. */
async function statusOn(host: string, env: Record<string, string> = {}): Promise<number> {
  server = spawn(
    process.execPath,
    [path.join(root, "scripts/next.mjs"), "start", "-H", host, "-p", String(port)],
    {
      cwd: root,
      env: { PATH: process.env.PATH ?? "", HOME: home, TZ: "UTC", NODE_ENV: "production", ...env },
      stdio: "ignore",
    },
  );
  for (let tries = 0; tries < 100; tries++) {
    try {
      const at = host === "127.0.0.2" ? host : "127.0.0.1";
      return (await ask(port, "/findings", { headers: { Host: `localhost:${port}` }, at })).status;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`no server on ${host}`);
}

test("who others can reach asks for a sign-in, however it was started", async () => {
  expect(await statusOn("0.0.0.0", { MECHA_BIND: "127.0.0.1", MECHA_REQUIRE_TOKEN: "0" })).toBe(401);
});

test("another address of this machine alone asks for none", async () => {
  expect(await statusOn("127.0.0.2")).toBe(200);
});

test("a setting that is not understood asks for more, not for less", async () => {
  expect(await statusOn("127.0.0.1", { MECHA_REQUIRE_TOKEN: "yes" })).toBe(401);
});
