import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** Stands in for Next.js: "build" counts itself, "start" listens and, asked to end, waits for open connections. */
const FAKE_NEXT = `
const fs = require("node:fs");
const [, , command, ...args] = process.argv;
if (command === "build") {
  fs.mkdirSync(".next/cache", { recursive: true });
  fs.appendFileSync("builds.log", "built\\n");
  while (process.env.FAKE_BUILD_UNTIL && !fs.existsSync(process.env.FAKE_BUILD_UNTIL))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  if (fs.existsSync("broken")) { console.error("Type error: broken on purpose"); process.exit(1); }
  fs.writeFileSync(".next/BUILD_ID", "id");
} else {
  fs.writeFileSync("env.json", JSON.stringify(process.env));
  fs.writeFileSync("web.pid", String(process.pid));
  const server = require("node:http").createServer((request, response) => {
    if (request.url === "/die") process.exit(7);
    response.end("here");
  });
  process.on("SIGTERM", () => server.close(() => process.exit(0)));
  server.listen(Number(args[3]), args[1]);
}
`;

/** Stands in for the worker: shows that it is there, and leaves when it is told to or when its parent is gone. */
const FAKE_WORKER = `
import fs from "node:fs";
fs.writeFileSync("worker.pid", String(process.pid));
fs.writeFileSync("worker-env.json", JSON.stringify(process.env));
const leave = (how) => { fs.writeFileSync("worker-left", how); process.exit(0); };
process.on("SIGTERM", () => leave("told"));
process.on("disconnect", () => leave("alone"));
setInterval(() => { if (fs.existsSync("die-worker")) process.exit(9); }, 20);
`;

type Plan = Record<string, unknown>;
let root: string;
let running: ChildProcess[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(tmpdir(), "mecha-start-"));
  mkdirSync(path.join(root, "scripts"));
  mkdirSync(path.join(root, "app"));
  mkdirSync(path.join(root, "dist"));
  mkdirSync(path.join(root, "node_modules/next/dist/bin"), { recursive: true });
  writeFileSync(path.join(root, "package.json"), '{ "type": "module" }');
  writeFileSync(path.join(root, "app/page.tsx"), "export default 1;");
  for (const name of ["start.mjs", "build.mjs", "next.mjs"])
    cpSync(path.join("scripts", name), path.join(root, "scripts", name));
  writeFileSync(path.join(root, "scripts/build-cli.mjs"), "");
  writeFileSync(path.join(root, "dist/worker.mjs"), FAKE_WORKER);
  writeFileSync(path.join(root, "node_modules/next/package.json"), '{ "type": "commonjs" }');
  writeFileSync(path.join(root, "node_modules/next/dist/bin/next"), FAKE_NEXT);
});
afterEach(async () => {
  for (const child of running) child.kill("SIGKILL");
  running = [];
  // What is left alone may note something while its folder goes.
  await rm(root, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 });
});

/** What the sources' script of the fake checkout answers. */
function writePlan(plan: Plan): void {
  const whole = {
    host: "127.0.0.1",
    port: 0,
    loopback: true,
    env: {},
    unset: [],
    showing: "the demo store",
    ...plan,
  };
  writeFileSync(
    path.join(root, "dist/find-sources.mjs"),
    `process.stdout.write(${JSON.stringify(JSON.stringify(whole))});`,
  );
}

type Started = {
  child: ChildProcess;
  output: () => string;
  ended: Promise<{ code: number | null; ms: number }>;
  ready: Promise<string>;
};

function start(plan: Plan | null = {}, env: Record<string, string> = {}): Started {
  if (plan !== null) writePlan(plan);
  const begun = performance.now();
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    cwd: root,
    env: { PATH: process.env.PATH, NODE_ENV: "test", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  running.push(child);
  let text = "";
  const ready = new Promise<string>((resolve) => {
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const url = /ready on (http:\S+)/.exec(text)?.[1];
        if (url !== undefined) resolve(url);
      });
  });
  const ended = new Promise<{ code: number | null; ms: number }>((resolve) =>
    child.on("close", (code) => resolve({ code, ms: performance.now() - begun })),
  );
  return { child, output: () => text, ended, ready };
}

const read = (name: string) => readFileSync(path.join(root, name), "utf8");
const builds = () => read("builds.log").trim().split("\n").length;

function isListening(url: string): Promise<boolean> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => resolve(true));
    socket.on("error", () => resolve(false));
    socket.on("connect", () => socket.destroy());
  });
}

/** A build that lasts until `goOn`, so that as much can happen meanwhile as takes a busy machine its time. */
const SLOW_BUILD = { FAKE_BUILD_UNTIL: "go-on" };
const goOn = () => writeFileSync(path.join(root, "go-on"), "");

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(20);
}

async function appears(name: string, withinMs = 15_000): Promise<boolean> {
  for (let waited = 0; waited <= withinMs; waited += 25) {
    if (existsSync(path.join(root, name)) && read(name) !== "") return true;
    await sleep(25);
  }
  return false;
}

async function gone(url: string, withinMs: number): Promise<boolean> {
  for (let waited = 0; waited <= withinMs; waited += 25) {
    if (!(await isListening(url))) return true;
    await sleep(25);
  }
  return false;
}

describe("serving", () => {
  test("says where and what in one line once the port answers, and hands the plan to the server", async () => {
    const one = start(
      { env: { MECHA_SOURCES: "mecha", MECHA_HOME: "/x" }, unset: ["MECHA_SESSION_DIR"] },
      { MECHA_SESSION_DIR: "/gone" },
    );
    const url = await one.ready;
    expect(await (await fetch(url)).text()).toBe("here");
    expect(one.output()).toContain(`mecha: ready on ${url} - the demo store\n`);
    const env = JSON.parse(read("env.json"));
    expect(env).toMatchObject({
      MECHA_SOURCES: "mecha",
      MECHA_HOME: "/x",
      NEXT_TELEMETRY_DISABLED: "1",
      PORT: new URL(url).port,
    });
    expect(env).not.toHaveProperty("MECHA_SESSION_DIR");
  });

  test("says who can come in when others can reach it", async () => {
    const one = start({ host: "0.0.0.0", loopback: false });
    await one.ready;
    expect(one.output()).toContain(
      "mecha: others can reach 0.0.0.0: whoever comes signs in with a token, and this server's names go into MECHA_ALLOWED_HOSTS\n",
    );
  });

  test("a taken port is one line and exit code 1, before anything is built", async () => {
    const taken: Server = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => taken.once("listening", resolve));
    const { port } = taken.address() as AddressInfo;
    const one = start({ port });
    expect((await one.ended).code).toBe(1);
    expect(one.output()).toBe(
      `mecha: port ${port} is taken: choose another with PORT=${port + 1} npm start\n`,
    );
    expect(() => builds()).toThrow(/ENOENT/);
    taken.close();
  });

  test("settings that cannot be used end it with their own message and code", async () => {
    writeFileSync(
      path.join(root, "dist/find-sources.mjs"),
      'process.stderr.write("mecha: PORT: x is not a port\\n"); process.exitCode = 1;',
    );
    const one = start(null);
    expect((await one.ended).code).toBe(1);
    expect(one.output()).toBe("mecha: PORT: x is not a port\n");
  });

  test("without packages it says what to run", async () => {
    rmSync(path.join(root, "node_modules"), { recursive: true });
    const one = start();
    expect((await one.ended).code).toBe(1);
    expect(one.output()).toBe("mecha: the packages are not installed: run `npm ci` first\n");
  });
});

describe("building", () => {
  const runOnce = async () => {
    const one = start();
    await one.ready;
    one.child.kill("SIGTERM");
    await one.ended;
  };

  test("happens once, and again when a source changed or the build is gone", async () => {
    await runOnce();
    await runOnce();
    expect(builds()).toBe(1);
    writeFileSync(path.join(root, "app/page.tsx"), "export default 2;");
    await runOnce();
    expect(builds()).toBe(2);
    rmSync(path.join(root, ".next"), { recursive: true });
    await runOnce();
    expect(builds()).toBe(3);
  });

  test("a build that failed says why, leaves nothing behind, and is not taken for a good one", async () => {
    writeFileSync(path.join(root, "broken"), "");
    const one = start();
    expect((await one.ended).code).toBe(1);
    expect(one.output()).toMatch(/the dashboard does not build:[\s\S]*broken on purpose/);
    expect(() => read(".next/cache")).toThrow(/ENOENT/);
    rmSync(path.join(root, "broken"));
    await runOnce();
    expect(builds()).toBe(2);
  });

  test("two at once build once", async () => {
    const first = start({}, SLOW_BUILD);
    const second = start({}, SLOW_BUILD);
    await until(() =>
      (first.output() + second.output()).includes("waiting for a build that another process is running"),
    );
    goOn();
    await Promise.all([first.ready, second.ready]);
    expect(builds()).toBe(1);
  });

  test.each([
    ["a dead process", "999999999", 0],
    ["a living process that has not shown itself for long, as after the start of a container", "1", 120],
    ["nobody", "", 10],
  ])("the lock of %s is no lock", async (_whose, content, age) => {
    const file = path.join(root, "dist/build.lock");
    writeFileSync(file, content);
    const then = Date.now() / 1000 - age;
    utimesSync(file, then, then);
    await runOnce();
    expect(builds()).toBe(1);
  });

  test("of several that find a dead lock one builds", async () => {
    writeFileSync(path.join(root, "dist/build.lock"), "999999999");
    const all = [1, 2, 3, 4].map(() => start({}, SLOW_BUILD));
    const waiting = () => all.filter(({ output }) => output().includes("waiting for a build")).length;
    await until(() => waiting() === 3);
    goOn();
    await Promise.all(all.map(({ ready }) => ready));
    expect(builds()).toBe(1);
  });

  test("a port that was taken during the build is one line, too", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as AddressInfo;
    await new Promise((resolve) => other.close(resolve));
    const one = start({ port }, SLOW_BUILD);
    await until(() => one.output().includes("building"));
    await new Promise<void>((resolve) => other.listen(port, "127.0.0.1", resolve));
    // Shorter than a second no build is.
    await sleep(1_100);
    goOn();
    const { code } = await one.ended;
    other.close();
    expect(code).toBe(1);
    expect(one.output()).toContain(`port ${port} is taken`);
    expect(one.output()).not.toContain("ready");
  });

  test("a stop while it builds stops the build; what it left is built anew", async () => {
    const one = start({}, SLOW_BUILD);
    expect(await appears("builds.log")).toBe(true);
    one.child.kill("SIGTERM");
    expect((await one.ended).code).toBe(0);
    await runOnce();
    expect(builds()).toBe(2);
  });
});

describe("ending", () => {
  test.each(["SIGTERM", "SIGINT"] as const)(
    "%s takes the server down, with an open connection too",
    async (signal) => {
      const one = start();
      const url = await one.ready;
      const { hostname, port } = new URL(url);
      const open = connect({ host: hostname, port: Number(port) });
      await new Promise((resolve) => open.once("connect", resolve));
      open.on("error", () => undefined);
      // The server would wait for as long as the connection is open, and that it is.
      one.child.kill(signal);
      expect((await one.ended).code).toBe(0);
      expect(await gone(url, 0)).toBe(true);
    },
  );

  test("SIGKILL leaves no server behind", async () => {
    const one = start();
    const url = await one.ready;
    one.child.kill("SIGKILL");
    expect(await gone(url, 15_000)).toBe(true);
  });

  test("the worker runs beside the server with the same surroundings, and is told to leave with it", async () => {
    const one = start({ env: { MECHA_HOME: "/x" } });
    await one.ready;
    expect(await appears("worker-env.json")).toBe(true);
    expect(JSON.parse(read("worker-env.json"))).toMatchObject({ MECHA_HOME: "/x", NODE_ENV: "production" });
    one.child.kill("SIGTERM");
    await one.ended;
    expect(read("worker-left")).toBe("told");
  });

  test("SIGKILL leaves no worker behind", async () => {
    const one = start();
    await one.ready;
    expect(await appears("worker-env.json")).toBe(true);
    one.child.kill("SIGKILL");
    expect(await appears("worker-left")).toBe(true);
    expect(read("worker-left")).toBe("alone");
  });

  test("when the worker dies everything ends with its code", async () => {
    const one = start();
    const url = await one.ready;
    expect(await appears("worker-env.json")).toBe(true);
    writeFileSync(path.join(root, "die-worker"), "now");
    expect((await one.ended).code).toBe(9);
    expect(one.output()).toContain("mecha: the worker ended (exit code 9)");
    expect(await gone(url, 0)).toBe(true);
  });

  test("when the server dies everything ends with its code", async () => {
    const one = start();
    const url = await one.ready;
    await fetch(`${url}/die`).catch(() => null);
    expect((await one.ended).code).toBe(7);
    expect(one.output()).toContain("mecha: the dashboard ended (exit code 7)");
  });

  test("the server ends when npm, its parent, is killed", async () => {
    writePlan({});
    const npm = spawn(
      process.execPath,
      [
        "-e",
        'require("node:child_process").spawn(process.execPath, ["scripts/start.mjs"], { stdio: "inherit" })',
      ],
      {
        cwd: root,
        env: { PATH: process.env.PATH, NODE_ENV: "test", npm_lifecycle_event: "start" },
        stdio: ["ignore", "pipe", "pipe"],
      },
    );
    running.push(npm);
    const url = await new Promise<string>((resolve) => {
      let text = "";
      npm.stdout.on("data", (chunk: Buffer) => {
        text += chunk.toString();
        const found = /ready on (http:\S+)/.exec(text)?.[1];
        if (found !== undefined) resolve(found);
      });
    });
    npm.kill("SIGKILL");
    expect(await gone(url, 15_000)).toBe(true);
  });
});
