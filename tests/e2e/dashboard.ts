import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import os from "node:os";
import path from "node:path";
import { test as base, expect, type Page, type Response } from "@playwright/test";

const root = path.resolve(import.meta.dirname, "../..");

/** Fills an empty home before the server starts; what it returns is added to the server's environment. */
export type Fill = (home: string) => Record<string, string> | undefined;

export type Dashboard = {
  url: string;
  port: number;
  home: string;
  /** All that the server has written until now. */
  said(): string;
  /** How many ms of a processor the server has taken: what others do to a shared machine counts for nothing. */
  cpuMs(): number;
};

/**
 * A test with a dashboard of its own store: one server for all tests of the file that say `withStore` once at its top.
 * Every test fails on a console error, a page error or a breach of the content policy.
 */
export const test = base.extend<{ quiet: undefined }, { fill: { fn: Fill }; dashboard: Dashboard }>({
  fill: [{ fn: () => undefined }, { scope: "worker", option: true }],
  dashboard: [
    async ({ fill }, use) => {
      const top = mkdtempSync(path.join(os.tmpdir(), "mecha-e2e-"));
      const home = path.join(top, "mecha");
      const env = fill.fn(home) ?? {};
      const port = await freePort();
      const server = startServer(port, { HOME: top, MECHA_HOME: home, ...env });
      const said = outputOf(server);
      try {
        await ready(server, port, said);
        await use({ url: `http://127.0.0.1:${port}`, port, home, said, cpuMs: () => cpuMsOf(server) });
      } finally {
        await stop(server);
        rmSync(top, { recursive: true, force: true });
      }
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: async ({ dashboard }, use) => use(dashboard.url),
  quiet: [
    async ({ page }, use) => {
      const complaints: string[] = [];
      // The browser itself complains when the document is a 404 page, which tests may ask for, and
      // asks for an icon of its own where a page is left before it named one; it may do so late.
      const notFound = new Set<string>();
      const missed: { text: string; url: string }[] = [];
      page.on("response", (response) => {
        if (response.status() === 404 && response.request().isNavigationRequest())
          notFound.add(response.url());
      });
      page.on("console", (message) => {
        if (message.type() !== "error" && message.type() !== "warning") return;
        if (message.text().includes("404"))
          missed.push({ text: message.text(), url: message.location().url });
        else complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error)));
      await use(undefined);
      complaints.push(
        ...missed
          .filter(({ url }) => !notFound.has(url) && !url.endsWith("/favicon.ico"))
          .map(({ text, url }) => `${text} ${url}`),
      );
      expect(complaints).toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };

/** Gives the tests of a file a store of their own. */
export function withStore(fn: Fill): void {
  test.use({ fill: { fn } });
}

/** Waits until React has taken over all of the page: before that a key or a click goes nowhere. */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    [
      ...document.querySelectorAll("main, header, main :is(a, button, select, input:not([type=hidden]), li)"),
    ].every((element) => Object.keys(element).some((key) => key.startsWith("__react"))),
  );
  // Taken over is not yet committed; an idle browser has nothing left to commit.
  await page.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 3000 })));
}

/** Opens a page and waits until it is the page, and no longer what stands in its place. */
export async function open(page: Page, path: string): Promise<void> {
  await page.goto(path);
  await expect(page.locator(".skeleton")).toHaveCount(0);
  await hydrated(page);
}

/** Waits until so many parts of the page listen to keys; a key that comes before is lost. */
export async function listening(page: Page, parts: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await expect
    .poll(async () => {
      const { result } = await devtools.send("Runtime.evaluate", {
        expression: "(getEventListeners(window).keydown ?? []).length",
        includeCommandLineAPI: true,
      });
      return result.value;
    })
    .toBeGreaterThanOrEqual(parts);
  await devtools.detach();
}

/** Bytes of an answer; 0 where the page went on before it had come. */
export function sizeOf(answer: Response): Promise<number> {
  return answer.body().then(
    (body) => body.length,
    () => 0,
  );
}

function startServer(port: number, env: Record<string, string>): ChildProcess {
  const next = path.join(root, "scripts/next.mjs");
  return spawn(process.execPath, [next, "start", root, "-H", "127.0.0.1", "-p", String(port)], {
    // The folder that a person works in; the checkout where the test names none.
    cwd: env.PWD ?? root,
    env: {
      PATH: process.env.PATH ?? "",
      TZ: "UTC",
      NODE_ENV: "production",
      NEXT_TELEMETRY_DISABLED: "1",
      ...env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function outputOf(server: ChildProcess): () => string {
  let output = "";
  server.stdout?.on("data", (chunk) => (output += chunk));
  server.stderr?.on("data", (chunk) => (output += chunk));
  return () => output;
}

async function ready(server: ChildProcess, port: number, said: () => string): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    if (server.exitCode !== null) break;
    try {
      await fetch(`http://127.0.0.1:${port}/icon.svg`);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
  throw new Error(`the dashboard did not start:\n${said()}`);
}

/** Of Linux, which counts in hundredths of a second. */
function cpuMsOf({ pid }: ChildProcess): number {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  // Behind the name of the program, which may hold anything, utime and stime are the 12th and 13th field.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(")") + 2)
    .split(" ")
    .slice(11, 13)
    .map(Number);
  return 10 * (user + system);
}

async function stop(server: ChildProcess): Promise<void> {
  if (server.exitCode !== null) return;
  const ended = new Promise((resolve) => server.once("exit", resolve));
  server.kill("SIGTERM");
  await ended;
}

export async function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once("error", reject);
    probe.listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() =>
        typeof address === "object" && address ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
