import { CommanderError } from "commander";
import { commandTree, knowsCommand } from "./command-tree.ts";
import { type CliIo, EXIT } from "./io.ts";
import type { Self } from "./offer.ts";

/**
 * Parses any command line and runs its command, whose code is loaded only then. Resolves to the exit code; rejects
 * with what the command throws.
 */
export async function runProgram(argv: readonly string[], io: CliIo, again: Self["run"]): Promise<number> {
  let code: number = EXIT.fine;
  const done = (given: number): void => {
    code = given;
  };
  const self: Self = { knows: (words) => knowsCommand(tree, words), run: again };
  const tree = commandTree(io, {
    list: async (flags) => done(await (await import("./sessions-list.ts")).sessionsList(io, flags)),
    show: async (id, flags) => done(await (await import("./sessions-show.ts")).sessionsShow(io, id, flags)),
    path: async (id, flags) => done(await (await import("./sessions-path.ts")).sessionsPath(io, id, flags)),
    stats: async (flags) => done(await (await import("./sessions-stats.ts")).sessionsStats(io, flags)),
    health: async (flags) => done(await (await import("./sessions-health.ts")).sessionsHealth(io, flags)),
    doctor: async (flags) => done(await (await import("./doctor.ts")).doctor(io, flags, self)),
  });
  try {
    await tree.parseAsync(argv, { from: "user" });
    return code;
  } catch (error) {
    // Commander has said what is wrong; help and version end this way too.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
    throw error;
  }
}
