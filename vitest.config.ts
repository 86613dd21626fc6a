import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["tests/{unit,property,db,cli}/**/*.test.ts"],
    // A zone with a quarter-hour offset: code that forgets to name its zone fails here first.
    env: { TZ: "Asia/Kathmandu" },
    globalSetup: ["tests/support/global-setup.ts"],
    setupFiles: ["tests/support/setup.ts"],
    testTimeout: 30_000,
  },
});
