import { messageOf, UserError } from "#lib/errors.ts";
import { type CliIo, EXIT } from "./io.ts";
import { visibleLines } from "./visible-lines.ts";

/** Runs a command to its exit code. The one place that turns a failure into words and a code; never rejects. */
export async function reported(io: CliIo, work: () => Promise<number>): Promise<number> {
  try {
    return await work();
  } catch (error) {
    return report(error, io);
  }
}

function report(error: unknown, io: CliIo): number {
  // The reader of the output has gone: whatever stopped is what it wanted stopped.
  if (io.signal.aborted) return EXIT.fine;
  if (error instanceof UserError) {
    io.err(`mecha: ${visibleLines(error.message)}\n`);
    return error.code === "usage" ? EXIT.usage : EXIT.problem;
  }
  const stack = error instanceof Error ? error.stack : undefined;
  io.err(`mecha: this is a bug in mecha: ${messageOf(error)}\n${stack ?? ""}\n`);
  return EXIT.bug;
}
