import type { CliIo } from "./io.ts";
import { plainHealthFlags } from "./plain-health.ts";
import { reported } from "./report.ts";

/**
 * Runs one command line (without the program's name) and resolves to its exit code. Never rejects.
 * Everything behind it is loaded only when it runs: start-up time is part of every measurement.
 */
export async function main(argv: readonly string[], io: CliIo): Promise<number> {
  return reported(io, async () => {
    const health = plainHealthFlags(argv);
    if (health !== null) return (await import("./quick-health.ts")).quickHealth(io, health);
    const { runProgram } = await import("./program.ts");
    return runProgram(argv, io, (words) => main(words, io));
  });
}
