import { messageOf, UserError } from "#lib/errors.ts";
import { type CliIo, EXIT } from "./io.ts";
import { plainHealthFlags } from "./plain-health.ts";
import { visibleLines } from "./visible-lines.ts";

/**
 * Runs one command line (without the program's name) and resolves to its exit code. Never rejects.
 * Everything behind it is loaded only when it runs: start-up time is part of every measurement.
 */
export async function main(argv: readonly string[], io: CliIo): Promise<number> {
  try {
    const health = plainHealthFlags(argv);
    if (health !== null) return await (await import("./sessions-health.ts")).sessionsHealth(io, health);
    const { runProgram } = await import("./program.ts");
    return await runProgram(argv, io, (words) => main(words, io));
  } catch (error) {
    return report(error, io);
  }
}

/** The one place that turns a failure into words and an exit code. */
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
