import { CommanderError } from "commander";
import { commandTree, knowsCommand } from "./command-tree.ts";
import { type CliIo, EXIT } from "./io.ts";
import type { Self } from "./offer.ts";
import { reported } from "./report.ts";

/** Parses any command line and runs its command, whose code is loaded only then. Resolves to the exit code. */
export async function runProgram(argv: readonly string[], io: CliIo, again: Self["run"]): Promise<number> {
  let code: number = EXIT.fine;
  const done = (given: number): void => {
    code = given;
  };
  const self: Self = { knows: (words) => knowsCommand(tree, words), run: again };
  const tree = commandTree(io, {
    run: async (words, flags) => done(await (await import("./run.ts")).run(io, words, flags)),
    chat: async (flags) => done(await (await import("./chat.ts")).chat(io, flags)),
    list: async (flags) => done(await (await import("./sessions-list.ts")).sessionsList(io, flags)),
    show: async (id, flags) => done(await (await import("./sessions-show.ts")).sessionsShow(io, id, flags)),
    path: async (id, flags) => done(await (await import("./sessions-path.ts")).sessionsPath(io, id, flags)),
    stats: async (flags) => done(await (await import("./sessions-stats.ts")).sessionsStats(io, flags)),
    health: async (flags) => done(await (await import("./sessions-health.ts")).sessionsHealth(io, flags)),
    doctor: async (flags) => done(await (await import("./doctor.ts")).doctor(io, flags, self)),
    notify: async (flags) => done(await (await import("./notify.ts")).notify(io, flags)),
    diagnose: async (flags) => done(await (await import("./diagnose.ts")).diagnose(io, flags)),
    triggerList: async (flags) => done(await (await import("./trigger-list.ts")).triggerList(io, flags)),
    triggerAdd: async (name, flags) =>
      done(await (await import("./trigger-add.ts")).triggerAdd(io, name, flags)),
    triggerShow: async (name, flags) =>
      done(await (await import("./trigger-show.ts")).triggerShow(io, name, flags)),
    triggerRun: async (name, flags) =>
      done(await (await import("./trigger-run.ts")).triggerRun(io, name, flags)),
    triggerTick: async (flags) => done(await (await import("./trigger-tick.ts")).triggerTick(io, flags)),
    triggerRuns: async (name, flags) =>
      done(await (await import("./trigger-runs.ts")).triggerRuns(io, name, flags)),
    evalRun: async (cases, flags) => done(await (await import("./eval-run.ts")).evalRun(io, cases, flags)),
    evalCheck: async (cases, flags) =>
      done(await (await import("./eval-check.ts")).evalCheck(io, cases, flags)),
    compare: async (paths, flags) =>
      done(await (await import("./eval-compare.ts")).evalCompare(io, paths, flags)),
    importCard: async (file, flags) =>
      done(await (await import("./eval-import.ts")).evalImport(io, file, flags)),
    gate: async (a, b, flags) => done(await (await import("./gate.ts")).gate(io, a, b, flags)),
    verdictShow: async (named, flags) =>
      done(await (await import("./verdict-show.ts")).verdictShow(io, named, flags)),
    verdictVerify: async (files, flags) =>
      done(await (await import("./verdict-verify.ts")).verdictVerify(io, files, flags)),
    verdictExport: async (named, flags) =>
      done(await (await import("./verdict-export.ts")).verdictExport(io, named, flags)),
    worker: async (flags) => done(await (await import("./worker.ts")).worker(io, flags)),
    configShow: async (flags) => done(await (await import("./config-show.ts")).configShow(io, flags)),
    configPath: async (flags) => done(await (await import("./config-path.ts")).configPath(io, flags)),
    review: async (flags) => done(await (await import("./review.ts")).review(io, flags)),
    tokenAdd: async (name, flags) => done(await (await import("./token-add.ts")).tokenAdd(io, name, flags)),
    tokenList: async (flags) => done(await (await import("./token-list.ts")).tokenList(io, flags)),
    tokenRevoke: async (name, flags) =>
      done(await (await import("./token-revoke.ts")).tokenRevoke(io, name, flags)),
    verdictList: async (flags) => done(await (await import("./verdict-list.ts")).verdictList(io, flags)),
  });
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
