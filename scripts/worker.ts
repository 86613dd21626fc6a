import { messageOf, UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { SLOTS, workOnQueue } from "#lib/queue/run-queue.io.ts";
import { readSettings } from "#lib/settings.io.ts";

// The worker that `npm start` runs beside the dashboard. It leaves with its parent, also one that was killed: the channel
// between them closes then.
const stop = new AbortController();
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => stop.abort());
process.on("disconnect", () => stop.abort());
process.channel?.unref();
// Whoever read its lines is gone; that it works on is what counts.
process.stdout.on("error", () => undefined);

try {
  await workOnQueue(
    { settings: readSettings(), env: process.env, cwd: process.cwd() },
    {
      slots: SLOTS,
      until: "stopped",
      signal: stop.signal,
      say: (line) => process.stdout.write(`mecha worker: ${visible(line)}\n`),
    },
  );
  // What a run that was broken off left open must not keep the process.
  process.exit(0);
} catch (error) {
  process.stderr.write(`mecha worker: ${visible(messageOf(error))}\n`);
  if (!(error instanceof UserError)) throw error;
  process.exit(1);
}
