import type { Command } from "commander";
import { addBasics, addWhen, type Does, limit, required } from "./command-parts.ts";
import type { JsonFlag, TriggerFlags, TriggerTickFlags } from "./flags.ts";
import { addTriggerAdd } from "./trigger-add-command.ts";

/** `mecha trigger`: unattended runs, the files that describe them, and their ledger. */
export function addTrigger(program: Command, does: Does): void {
  const trigger = program
    .command("trigger")
    .description("add, list, show, run, tick, runs: unattended runs, and how they went");
  addBasics(trigger).addHelpText("after", TRIGGER_HELP);
  addTriggerAdd(trigger, does);
  const list = trigger
    .command("list")
    .description("list the triggers: when each fires next, and how its last runs went")
    .option("-n, --limit <n>", "mark at most this many rows of each one's ledger (default: 5)", limit)
    .action((flags: TriggerFlags) =>
      does(async (io) => (await import("./trigger-list.ts")).triggerList(io, flags)),
    );
  addReading(list);
  const show = named(trigger.command("show"))
    .description("print a trigger's settings, its last runs, and what is wrong with them")
    .option("-n, --limit <n>", "print at most this many rows of its ledger (default: 10)", limit)
    .action((name: string, flags: TriggerFlags) =>
      does(async (io) => (await import("./trigger-show.ts")).triggerShow(io, name, flags)),
    );
  addReading(show);
  addRun(trigger, does);
  addTick(trigger, does);
  const runs = named(trigger.command("runs"))
    .description("print a trigger's rows in the ledger, also those of one that has no file any more")
    .option("-n, --limit <n>", "print at most this many rows (default: 20)", limit)
    .action((name: string, flags: TriggerFlags) =>
      does(async (io) => (await import("./trigger-runs.ts")).triggerRuns(io, name, flags)),
    );
  addReading(runs);
}

const TRIGGER_HELP = `
A trigger is a file: change it there, pause it with enabled = false, remove it by
deleting it. mecha trigger show NAME says where it is.`;

function named(command: Command): Command {
  return command.argument("<name>", "name of a trigger: that of its file, without .toml", required);
}

function addRun(trigger: Command, does: Does): void {
  const run = named(trigger.command("run"))
    .description("run a trigger now, whatever its schedule; its slots are left as they are")
    .option("--json", "print the row of the ledger as JSON, and nothing else, on standard output")
    .action((name: string, flags: JsonFlag) =>
      does(async (io) => (await import("./trigger-run.ts")).triggerRun(io, name, flags)),
    );
  addBasics(run).addHelpText("after", RUN_HELP);
}

const RUN_HELP = `
It runs as it would by itself: with the tools its file lists, in its permission
mode, and nobody is asked. Exit code 1 when the run ended in an error.`;

function addTick(trigger: Command, does: Does): void {
  const tick = trigger
    .command("tick")
    .description("run what is due now, and end; made to be called every minute")
    .option("--at-once <n>", "run at most this many triggers side by side", limit, 4)
    .option("--json", "print what was done as JSON")
    .action((flags: TriggerTickFlags) =>
      does(async (io) => (await import("./trigger-tick.ts")).triggerTick(io, flags)),
    );
  addBasics(tick).addHelpText("after", TICK_HELP);
}

const TICK_HELP = `
A line for crontab:
  * * * * * mecha trigger tick

It says nothing where nothing is due. Calls may overlap: no slot is run twice,
and a slot that comes while its trigger still runs is skipped, and said so in the
ledger. Exit code 1 when a run ended in an error or a file cannot be used.`;

function addReading(command: Command): void {
  addBasics(addWhen(command.option("--json", "print JSON")));
}
