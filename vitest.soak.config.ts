import { defineConfig } from "vitest/config";

// Runs for as long as it takes, so it is no part of `npm test`.
export default defineConfig({
  test: {
    include: ["tests/soak/**/*.test.ts"],
    env: { TZ: "Asia/Kathmandu" },
    globalSetup: ["tests/support/global-setup.ts"],
    setupFiles: ["tests/support/setup.ts"],
    testTimeout: 600_000,
    // A hundred thousand files take their time to go, too.
    hookTimeout: 120_000,
  },
});
