import path from "node:path";
import { defineConfig } from "vitest/config";

const reports = process.env.MECHA_TEST_REPORTS;

export default defineConfig({
  test: {
    include: ["tests/{unit,property,db,cli,sandbox}/**/*.test.ts"],
    // A zone with a quarter-hour offset: code that forgets to name its zone fails here first.
    env: { TZ: "Asia/Kathmandu" },
    globalSetup: ["tests/support/global-setup.ts"],
    setupFiles: ["tests/support/setup.ts"],
    testTimeout: 30_000,
    reporters: reports
      ? ["default", ["json", { outputFile: path.join(reports, "vitest.json") }]]
      : ["default"],
  },
});
