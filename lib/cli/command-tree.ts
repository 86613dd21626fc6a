import { Command, Option } from "commander";
import { addBasics, collect, days, limit, required } from "./command-parts.ts";
import { addConfig, type ConfigActions } from "./config-command.ts";
import { addDiagnose, type DiagnoseActions } from "./diagnose-command.ts";
import { addEval, type EvalActions } from "./eval-command.ts";
import type { CommonFlags, ListFlags, ShowFlags, WindowFlags } from "./flags.ts";
import { addGate, type GateActions } from "./gate-command.ts";
import type { CliIo } from "./io.ts";
import { addNotify, type NotifyActions } from "./notify-command.ts";
import { addReview, type ReviewActions } from "./review-command.ts";
import { addRun, type RunActions } from "./run-command.ts";
import { addToken, type TokenActions } from "./token-command.ts";
import { addTrigger, type TriggerActions } from "./trigger-command.ts";
import { addHelp, withCommandsMeant } from "./unknown-command.ts";
import { addVerdict, type VerdictActions } from "./verdict-command.ts";
import { visibleLines } from "./visible-lines.ts";
import { addWorker, type WorkerActions } from "./worker-command.ts";

/** What is called when a command line is right. */
export type Actions = {
  list(flags: ListFlags): Promise<void>;
  show(id: string, flags: ShowFlags): Promise<void>;
  path(id: string, flags: CommonFlags): Promise<void>;
  stats(flags: WindowFlags): Promise<void>;
  health(flags: WindowFlags): Promise<void>;
  doctor(flags: CommonFlags): Promise<void>;
} & RunActions &
  TokenActions &
  TriggerActions &
  DiagnoseActions &
  ConfigActions &
  EvalActions &
  GateActions &
  VerdictActions &
  NotifyActions &
  ReviewActions &
  WorkerActions;

/** Every command and flag. It throws commander's own errors and never ends the process. */
export function commandTree(io: CliIo, actions: Actions): Command {
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
  addRun(program, actions);
  addSessions(program, actions);
  addDoctor(program, actions);
  addNotify(program, actions);
  addDiagnose(program, actions);
  addTrigger(program, actions);
  addEval(program, actions);
  addGate(program, actions);
  addVerdict(program, actions);
  addReview(program, actions);
  addWorker(program, actions);
  addToken(program, actions);
  addConfig(program, actions);
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

function addSessions(program: Command, actions: Actions): void {
  const sessions = program
    .command("sessions")
    .description("list, show, path, stats, health: read the sessions");
  addBasics(sessions);
  addList(sessions, actions);
  addShow(sessions, actions);
  const path = sessions
    .command("path")
    .argument("<id>", "session id, the start of one, or the path of its file", required)
    .description("print the path of a session's file")
    .action((id: string, flags: CommonFlags) => actions.path(id, flags));
  addCommon(path);
  const stats = sessions
    .command("stats")
    .description("what runs cost: tokens and money, by model")
    .action((flags: WindowFlags) => actions.stats(flags));
  addCommon(addWindow(stats, READ_AT_MOST));
  const health = sessions
    .command("health")
    .description("how runs went: stop causes, failed calls and error rates, by model")
    .action((flags: WindowFlags) => actions.health(flags));
  addCommon(addModel(addWindow(health, READ_AT_MOST)));
}

function addList(sessions: Command, actions: Actions): void {
  const list = sessions
    .command("list")
    .description("list sessions, newest first")
    .action((flags: ListFlags) => actions.list(flags));
  addModel(addWindow(list, "list at most this many sessions (default: 20)"));
  list.option("--subagents", "list the files of sub-agents too");
  addCommon(list);
}

function addShow(sessions: Command, actions: Actions): void {
  const show = sessions
    .command("show")
    .argument("<id>", "session id, the start of one, or the path of its file", required)
    .description("print a session's transcript as text")
    .option("--failed", "only the failed tool calls, each with what led to it")
    .option("-n, --limit <n>", "print at most this many entries (default: 100)", limit)
    .option("--from <place>", "start here; a cut transcript says where its rest starts", required)
    .action((id: string, flags: ShowFlags) => actions.show(id, flags));
  addCommon(show);
  show.addHelpText("after", SHOW_HELP);
}

const SHOW_HELP = `
With --json it prints one object: {schema_version, session, runs, entries, next}.
\`next\` is the place for --from at which the rest starts; null at the end.`;

function addDoctor(program: Command, actions: Actions): void {
  const doctor = program
    .command("doctor")
    .description("say what is wrong: models that fail, triggers that stopped working")
    .action((flags: CommonFlags) => actions.doctor(flags));
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
  const source = new Option("--source <kind[=path]>", "a store to read: mecha or claude-code; repeatable");
  command
    .option("--json", "print JSON")
    .addOption(source.argParser(collect).default([], "every one found"))
    .option("--as-of <time>", "as things stood at 2026-08-05, or 2026-08-05T14:30:00Z", required)
    .option("--zone <zone>", "time zone of dates, such as Europe/Zurich", required);
  return addBasics(command);
}
