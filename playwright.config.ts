import path from "node:path";
import { defineConfig } from "@playwright/test";

const reports = process.env.MECHA_TEST_REPORTS;

export default defineConfig({
  testDir: "tests/e2e",
  testMatch: "*.spec.ts",
  globalSetup: "tests/e2e/need-chromium.ts",
  // Each file starts a browser and a server of its own; while one does, or waits, another uses the second core.
  workers: 2,
  forbidOnly: process.env.CI !== undefined,
  timeout: 30_000,
  expect: { timeout: 8_000 },
  reporter: [
    ["list"],
    ...(reports === undefined
      ? []
      : [["json", { outputFile: path.join(reports, "playwright.json") }] as const]),
  ] as NonNullable<Parameters<typeof defineConfig>[0]["reporter"]>,
  use: {
    viewport: { width: 1440, height: 900 },
    launchOptions: {
      executablePath: process.env.MECHA_CHROMIUM ?? "/usr/bin/chromium",
      // Nothing outside this machine is ever asked for; a name that is not ours does not even resolve.
      args: [
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-default-browser-check",
        "--no-first-run",
        "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost",
      ],
    },
  },
});
