import { Command } from "commander";
import { addBasics, addStores, type Does, days, limit, required } from "./command-parts.ts";
import { addConfig } from "./config-command.ts";
import { addDiagnose } from "./diagnose-command.ts";
import { addEval } from "./eval-command.ts";
import type { CommonFlags, ListFlags, ShowFlags, WindowFlags } from "./flags.ts";
import { addGate } from "./gate-command.ts";
import type { CliIo } from "./io.ts";
import { addNotify } from "./notify-command.ts";
import { addReview } from "./review-command.ts";
import { addRun } from "./run-command.ts";
import { addToken } from "./token-command.ts";
import { addTrigger } from "./trigger-command.ts";
import { addHelp, withCommandsMeant } from "./unknown-command.ts";
import { addVerdict } from "./verdict-command.ts";
import { visibleLines } from "./visible-lines.ts";
import { addWorker } from "./worker-command.ts";

/** Every command and flag. It throws commander's own errors and never ends the process. */
export function commandTree(io: CliIo, does: Does): Command {
  const program = new Command("mecha")
    .description("Runs agents, and says how their runs went, from the transcripts they leave behind.")
    .exitOverride()
    // A flag belongs to the command it stands behind, also where the command above has one of that name.
    .enablePositionalOptions()
    .configureHelp({ subcommandTerm: (command) => command.name() })
    .configureOutput({
      writeOut: io.out,
      writeErr: io.err,
      getOutHelpWidth: () => io.columns,
      getErrHelpWidth: () => io.columns,
      outputError: (text, write) => write(errorWords(text)),
    });
  addBasics(program);
  addRun(program, does);
  addSessions(program, does);
  addDoctor(program, does);
  addNotify(program, does);
  addDiagnose(program, does);
  addTrigger(program, does);
  addEval(program, does);
  addGate(program, does);
  addVerdict(program, does);
  addReview(program, does);
  addWorker(program, does);
  addToken(program, does);
  addConfig(program, does);
  addBasics(addHelp(program));
  // Only now, so that the commands below keep the plainer words: theirs are wrong names within one group.
  program.configureOutput({
    outputError: (text, write) => write(errorWords(withCommandsMeant(program, text))),
  });
  return program.addHelpText("after", TOP_HELP);
}

function errorWords(text: string): string {
  return visibleLines(text.replace(/^error: /, "mecha: "));
}

/** True when `argv` (without the program's name) names a command that exists. */
export function knowsCommand(tree: Command, argv: readonly string[]): boolean {
  let at: Command | undefined = tree;
  for (const word of argv) {
    if (at === undefined || at.commands.length === 0) break;
    at = at.commands.find((command) => command.name() === word);
  }
  return at !== undefined && at.commands.length === 0;
}

const TOP_HELP = `
Start here:
  mecha run "PROMPT"                run an agent; -p scripted needs no model
  mecha sessions health --days 30   how the last 30 days went, model by model
  mecha doctor                      what is wrong, if anything
  mecha diagnose --dry-run          what a model would be told; without it, one change
  mecha sessions list               the newest sessions; then: mecha sessions show ID
  mecha eval --compare A B          two scorecards side by side
  mecha gate A B                    did the change from A to B help?

Exit codes: 0 fine; 1 a finding stands, a run gave no answer, or a store, file or
session could not be used or found; 2 wrong usage; 70 a bug.`;

const READ_AT_MOST = "read at most this many sessions, newest first (default: all)";

function addSessions(program: Command, does: Does): void {
  const sessions = program
    .command("sessions")
    .description("list, show, path, stats, health: read the sessions");
  addBasics(sessions);
  addList(sessions, does);
  addShow(sessions, does);
  const path = sessions
    .command("path")
    .argument("<id>", "session id, the start of one, or the path of its file", required)
    .description("print the path of a session's file")
    .action((id: string, flags: CommonFlags) =>
      does(async (io) => (await import("./sessions-path.ts")).sessionsPath(io, id, flags)),
    );
  addCommon(path);
  const stats = sessions
    .command("stats")
    .description("what runs cost: tokens and money, by model")
    .action((flags: WindowFlags) =>
      does(async (io) => (await import("./sessions-stats.ts")).sessionsStats(io, flags)),
    );
  addCommon(addWindow(stats, READ_AT_MOST));
  const health = sessions
    .command("health")
    .description("how runs went: stop causes, failed calls and error rates, by model")
    .action((flags: WindowFlags) =>
      does(async (io) => (await import("./sessions-health.ts")).sessionsHealth(io, flags)),
    );
  addCommon(addModel(addWindow(health, READ_AT_MOST)));
}

function addList(sessions: Command, does: Does): void {
  const list = sessions
    .command("list")
    .description("list sessions, newest first")
    .action((flags: ListFlags) =>
      does(async (io) => (await import("./sessions-list.ts")).sessionsList(io, flags)),
    );
  addModel(addWindow(list, "list at most this many sessions (default: 20)"));
  list.option("--subagents", "list the files of sub-agents too");
  addCommon(list);
}

function addShow(sessions: Command, does: Does): void {
  const show = sessions
    .command("show")
    .argument("<id>", "session id, the start of one, or the path of its file", required)
    .description("print a session's transcript as text")
    .option("--failed", "only the failed tool calls, each with what led to it")
    .option("-n, --limit <n>", "print at most this many entries (default: 100)", limit)
    .option("--from <place>", "start here; a cut transcript says where its rest starts", required)
    .action((id: string, flags: ShowFlags) =>
      does(async (io) => (await import("./sessions-show.ts")).sessionsShow(io, id, flags)),
    );
  addCommon(show);
  show.addHelpText("after", SHOW_HELP);
}

const SHOW_HELP = `
With --json it prints one object: {schema_version, session, runs, entries, next}.
\`next\` is the place for --from at which the rest starts; null at the end.`;

function addDoctor(program: Command, does: Does): void {
  const doctor = program
    .command("doctor")
    .description("say what is wrong: models that fail, triggers that stopped working")
    .action((flags: CommonFlags) =>
      does(async (io, self) => (await import("./doctor.ts")).doctor(io, flags, self)),
    );
  addCommon(doctor);
  doctor.addHelpText("after", DOCTOR_HELP);
}

const DOCTOR_HELP = `
It reads files only: no network, no model. On a terminal it offers to run each
remedy, and only y accepts. Exit code 1 while a finding stands.`;

function addWindow(command: Command, limitHelp: string): Command {
  return command
    .option("--days <n>", "only sessions of the last n days", days)
    .option("-n, --limit <n>", limitHelp, limit);
}

function addModel(command: Command): Command {
  return command.option("--model <name>", "only what this model ran", required);
}

function addCommon(command: Command): Command {
  return addBasics(addStores(command.option("--json", "print JSON")));
}
