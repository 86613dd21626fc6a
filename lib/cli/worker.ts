import { visible } from "#lib/format.ts";
import type { WorkerFlags } from "./flags.ts";
import { type CliIo, EXIT } from "./io.ts";
import { settle } from "./store.ts";

/** `mecha worker`: works on the queue until it is told to stop. Its lines go to standard output. */
export async function worker(io: CliIo, flags: WorkerFlags): Promise<number> {
  const settings = settle(io, {}, { zoneUnread: true });
  const { SLOTS, workOnQueue } = await import("#lib/queue/run-queue.io.ts");
  const stop = new AbortController();
  const release = io.onInterrupt(() => stop.abort());
  try {
    await workOnQueue(
      { settings, env: io.env, cwd: io.cwd },
      {
        slots: flags.slots ?? SLOTS,
        until: flags.once ? "once" : flags.untilEmpty ? "empty" : "stopped",
        signal: stop.signal,
        say: (line) => io.out(`${visible(line)}\n`),
      },
    );
    return EXIT.fine;
  } finally {
    release();
  }
}
