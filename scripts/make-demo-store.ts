import path from "node:path";
import { ensureDemoStore } from "#lib/demo/write-store.io.ts";
import { UserError } from "#lib/errors.ts";

const checkout = path.resolve(import.meta.dirname, "..");
const home = path.resolve(process.argv[2] ?? path.join(checkout, ".demo"));
try {
  const done = await ensureDemoStore(home, Date.now());
  process.stdout.write(`${done === "made" ? "Made" : "Kept today's"} demo store: ${home}\n`);
  process.stdout.write(`Look at it with: MECHA_HOME=${home} mecha sessions health --days 30\n`);
} catch (error) {
  if (!(error instanceof UserError)) throw error;
  process.stderr.write(`mecha: ${error.message}\n`);
  process.exitCode = 1;
}
