import type { WindowFlags } from "./flags.ts";
import type { CliIo } from "./io.ts";
import { reported } from "./report.ts";
import { sessionsHealth } from "./sessions-health.ts";

/** `sessions health` and nothing else, to be bundled into one file: each file more costs it half a millisecond. */
export function quickHealth(io: CliIo, flags: WindowFlags): Promise<number> {
  return reported(io, () => sessionsHealth(io, flags));
}
