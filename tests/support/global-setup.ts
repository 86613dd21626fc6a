import { execFileSync } from "node:child_process";

/** The command line and the scan worker under test are built from the sources under test. */
export default function setup(): void {
  execFileSync(process.execPath, ["scripts/build-cli.mjs"], { stdio: "inherit" });
}
