import type { Command } from "commander";
import { addBasics, type Does, limit } from "./command-parts.ts";
import type { WorkerFlags } from "./flags.ts";

/** `mecha worker`: does what was put into the queue. */
export function addWorker(program: Command, does: Does): void {
  const command = program
    .command("worker")
    .description("run what the queue holds: experiments and diagnoses that the pages asked for")
    .option("--slots <n>", "jobs at once (default: 8)", limit)
    .option("--once", "do one job at most, and end")
    .option("--until-empty", "end when no job waits or runs any more")
    .action(async (flags: WorkerFlags) => {
      if (flags.once && flags.untilEmpty) command.error("error: --once and --until-empty exclude each other");
      return does(async (io) => (await import("./worker.ts")).worker(io, flags));
    });
  addBasics(command).addHelpText("after", WORKER_HELP);
}

const WORKER_HELP = `
npm start runs one already; further ones on this machine share the work. Ctrl-C
breaks off what is in flight and gives it back. What a worker that dies was at is
done by another, once its lease has run out: MECHA_LEASE_MS, 60000 by default.`;
