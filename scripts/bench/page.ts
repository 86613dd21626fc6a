import { type ChildProcess, spawn } from "node:child_process";
import { createServer } from "node:net";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { cleanEnv, peakMb, quantile } from "./timing.ts";

export type PageTimes = {
  requests: number;
  first: number;
  p50: number;
  p95: number;
  most: number;
  kilobytes: number;
  peakMb: number;
};

const REQUESTS = 150;
const WARM_UP = 10;

/** Starts the built dashboard over a store and times its first page: once cold, then warm for longer than its memo lasts. */
export async function timePage(root: string, home: string): Promise<PageTimes> {
  const { url, server } = await startDashboard(root, home);
  try {
    return await timeRequests(url, server);
  } finally {
    server.kill();
  }
}

/** The built dashboard, ready to answer. Whoever starts it ends it. */
export async function startDashboard(
  root: string,
  home: string,
): Promise<{ url: string; server: ChildProcess }> {
  const port = await freePort();
  const args = [
    path.join(root, "node_modules/next/dist/bin/next"),
    "start",
    "-H",
    "127.0.0.1",
    "-p",
    String(port),
  ];
  const env = { ...cleanEnv(), MECHA_HOME: home, MECHA_SOURCES: "mecha", NEXT_TELEMETRY_DISABLED: "1" };
  const server = spawn(process.execPath, args, { cwd: root, env, stdio: ["ignore", "ignore", "inherit"] });
  const url = `http://127.0.0.1:${port}/`;
  await answers(`${url}icon.svg`);
  return { url, server };
}

/** One request after another, spread over several looks at the files. */
export async function timeRequests(url: string, server: ChildProcess): Promise<PageTimes> {
  const first = await time(url);
  for (let i = 0; i < WARM_UP; i++) await time(url);
  const taken: number[] = [];
  for (let i = 0; i < REQUESTS; i++) {
    taken.push((await time(url)).took);
    await sleep(40);
  }
  return {
    requests: REQUESTS,
    first: first.took,
    p50: quantile(taken, 0.5),
    p95: quantile(taken, 0.95),
    most: Math.max(...taken),
    kilobytes: Math.round(first.bytes / 1024),
    peakMb: Math.round(peakMb(server.pid) ?? Number.NaN),
  };
}

async function time(url: string): Promise<{ took: number; bytes: number }> {
  const begun = performance.now();
  const response = await fetch(url);
  const bytes = (await response.arrayBuffer()).byteLength;
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return { took: performance.now() - begun, bytes };
}

async function answers(url: string): Promise<void> {
  for (let i = 0; i < 300; i++) {
    const isUp = await fetch(url).then(
      () => true,
      () => false,
    );
    if (isUp) return;
    await sleep(100);
  }
  throw new Error("the dashboard does not start");
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0));
    });
  });
}
