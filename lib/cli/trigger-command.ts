import type { Command } from "commander";
import { addBasics, limit, required } from "./command-parts.ts";
import type { TriggerFlags } from "./flags.ts";

export type TriggerActions = {
  triggerList(flags: TriggerFlags): Promise<void>;
  triggerShow(name: string, flags: TriggerFlags): Promise<void>;
};

/** `mecha trigger`: the files of unattended runs, and their ledger. Nothing here runs one. */
export function addTrigger(program: Command, actions: TriggerActions): void {
  const trigger = program.command("trigger").description("list, show: read triggers and how their runs went");
  addBasics(trigger);
  const list = trigger
    .command("list")
    .description("list the triggers: when each fires next, and how its last runs went")
    .option("-n, --limit <n>", "mark at most this many rows of each one's ledger (default: 5)", limit)
    .action((flags: TriggerFlags) => actions.triggerList(flags));
  addReading(list);
  const show = trigger
    .command("show")
    .argument("<name>", "name of a trigger: that of its file, without .toml", required)
    .description("print a trigger's settings, its last runs, and what is wrong with them")
    .option("-n, --limit <n>", "print at most this many rows of its ledger (default: 10)", limit)
    .action((name: string, flags: TriggerFlags) => actions.triggerShow(name, flags));
  addReading(show);
}

function addReading(command: Command): void {
  command
    .option("--json", "print JSON")
    .option("--as-of <time>", "as things stood at 2026-08-05, or 2026-08-05T14:30:00Z", required)
    .option("--zone <zone>", "time zone of dates, such as Europe/Zurich", required);
  addBasics(command);
}
