import { type Command, Option } from "commander";
import { EFFORT_WORDS } from "#lib/config/effort.ts";
import { addBasics, collect, type Does, dollars, effort, limit, required } from "./command-parts.ts";
import type { ChatFlags, RunFlags } from "./flags.ts";

/** `mecha run` and `mecha chat`: an agent at work, its session written as it goes. */
export function addRun(program: Command, does: Does): void {
  const run = program
    .command("run")
    .argument("[prompt...]", "what is to be done; - or nothing: standard input; then -: that below it")
    .description("run an agent: one prompt, one answer, one row in its session")
    .action((words: string[], flags: RunFlags) =>
      does(async (io) => (await import("./run.ts")).run(io, words, flags)),
    );
  addLaunch(run)
    .option("--title <text>", "title of the session (default: the prompt's first line)", required)
    .option("--json", "print one JSON object at the end, and nothing else, on standard output");
  addBasics(run).addHelpText("after", RUN_HELP);
  const chat = program
    .command("chat")
    .description("talk with an agent, line by line; each answer is a run with a row of its own")
    .option(
      "--resume <id>",
      "go on with a session: its id, the start of one, or the path of its file",
      required,
    )
    .action((flags: ChatFlags) => does(async (io) => (await import("./chat.ts")).chat(io, flags)));
  addLaunch(chat);
  addBasics(chat).addHelpText("after", CHAT_HELP);
}

const RUN_HELP = `
  mecha run "What does this log say?" - < build.log

The answer goes to standard output; calls, what they gave and how the run ended
to standard error. Where nobody can be asked, calls that may change something are
refused, unless --yes. Ctrl-C ends the run and keeps what was done; twice ends
mecha at once. -p scripted plays a built-in script, with no model.

Exit code 0 for an answer, also one that a limit has cut short, which is said;
1 for a failed provider, a refusal, an interruption or no answer.`;

const CHAT_HELP = `
/quit or the end of the input ends it, /help says what else there is. Ctrl-C ends
the run and comes back to the prompt. Lines pasted together are one message.`;

/** What run and chat are launched with; what is not given comes from the configuration. */
function addLaunch(command: Command): Command {
  return command
    .option("-p, --provider <name>", "a provider of the configuration, or scripted", required)
    .option("-m, --model <name>", "a model of that provider", required)
    .option("-e, --effort <effort>", EFFORT_WORDS, effort)
    .option("-s, --system <text>", "system prompt; @FILE reads it from a file", required)
    .option("-w, --workspace <folder>", "the only folder that the tools reach (default: this one)", required)
    .option("-y, --yes", "allow every call without asking")
    .option("--read-only", "refuse every call that may change something")
    .option("--max-turns <n>", "end after this many requests to the model", limit)
    .option("--max-output-tokens <n>", "end once this many tokens are written", limit)
    .option("--max-cost <usd>", "end once this much is spent; needs prices in the configuration", dollars)
    .option("--compact-at <n>", "shorten the conversation from this many tokens up", limit)
    .addOption(
      new Option("--tool <name>", "only this tool; repeatable")
        .argParser(collect)
        .default([], "all there are"),
    )
    .option("--no-thinking", "do not ask the model to think first")
    .option("--no-mcp", "start none of the configured MCP servers")
    .option("--no-hooks", "run none of the configured hooks")
    .option("--unconfined", "run shell commands without a sandbox, with all that you may do yourself")
    .option("-v, --verbose", "show what calls gave and what the model thought");
}
