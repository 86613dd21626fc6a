import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";

/**
 * The CLI bundle and the scan worker under test are built from the sources under test.
 * A bundle that does not build is taken away, so that the tests that run it fail and no other test does.
 */
export default function setup(): void {
  try {
    execFileSync(process.execPath, ["scripts/build-cli.mjs"], { stdio: "inherit" });
  } catch (error) {
    process.stderr.write(`the command line does not build: ${String(error)}\n`);
    rmSync("dist/mecha.mjs", { force: true });
  }
}
