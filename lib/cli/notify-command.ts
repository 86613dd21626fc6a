import { type Command, Option } from "commander";
import { addBasics, addStores, type Does } from "./command-parts.ts";
import type { NotifyFlags } from "./flags.ts";

/** `mecha notify`: tells a webhook of findings that came and of findings that are gone. */
export function addNotify(program: Command, does: Does): void {
  const format = new Option("--format <format>", "the message's form").choices(["json", "slack"] as const);
  const command = program
    .command("notify")
    .description("post what is newly wrong, and what no longer is, to a webhook")
    .option("--to <url>", "where to (default: MECHA_NOTIFY_URL)")
    .addOption(format.default("json"))
    .option("--dry-run", "print the message instead of sending it, and note nothing")
    .option("--json", "print what was done as JSON")
    .action((flags: NotifyFlags) => does(async (io) => (await import("./notify.ts")).notify(io, flags)));
  addBasics(addStores(command)).addHelpText("after", NOTIFY_HELP);
}

const NOTIFY_HELP = `
Each finding of mecha doctor is sent once when it comes and once when it is gone,
all that a run has to tell in one message. A line for crontab, with the address,
which is often a secret, kept out of it:
  */15 * * * * . ~/.mecha/notify.env && mecha notify --format slack

It says nothing where there is nothing to tell. Exit code 1 when the message was
not taken, after three more tries: then the next run sends it.`;
