import { CommanderError } from "commander";
import type { Does } from "./command-parts.ts";
import { commandTree, knowsCommand } from "./command-tree.ts";
import { type CliIo, EXIT } from "./io.ts";
import type { Self } from "./offer.ts";
import { reported } from "./report.ts";

/** Parses any command line and runs its command, whose code is loaded only then. Resolves to the exit code. */
export async function runProgram(argv: readonly string[], io: CliIo, again: Self["run"]): Promise<number> {
  let code: number = EXIT.fine;
  const does: Does = async (command) => {
    code = await command(io, self);
  };
  const tree = commandTree(io, does);
  const self: Self = { knows: (words) => knowsCommand(tree, words), run: again };
  // Reported here and not by the caller: bundled apart, each of the two has its own class of what a person is told.
  return reported(io, async () => {
    try {
      await tree.parseAsync(argv, { from: "user" });
      return code;
    } catch (error) {
      // Commander has said what is wrong; help and version end this way too.
      if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.fine : EXIT.usage;
      throw error;
    }
  });
}
