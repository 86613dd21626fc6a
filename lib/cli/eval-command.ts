import { type Command, InvalidArgumentError, Option } from "commander";
import { EFFORT_WORDS } from "#lib/config/effort.ts";
import { EVAL_DEFAULTS } from "#lib/eval/eval-request.ts";
import { COST_METRICS } from "#lib/gate/metrics.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";
import { DEFAULT_HOLDOUT_IN } from "#lib/gate/split.ts";
import { addBasics, collect, type Does, dollars, effort, limit, paths, required } from "./command-parts.ts";
import { type CompareFlags, countIn, type EvalFlags, type ImportFlags } from "./flags.ts";

/** `mecha eval`: runs case sets, compares what came of them, and makes cards of other harnesses' results. */
export function addEval(program: Command, does: Does): void {
  const command = program
    .command("eval")
    .enablePositionalOptions()
    .usage("[CASES] [options] | --compare PATHS… | import FILE -o CARD")
    .description(
      "run a case set and grade it; --compare, import: put scorecards side by side, make one of rows",
    )
    // What stands alone gets a better word than "too many arguments".
    .allowExcessArguments()
    .argument("[cases]", `the case file (default: ${EVAL_DEFAULTS.casesFile})`, required)
    .option("--compare <paths...>", "print scorecards side by side: files, folders, or names of cards", paths)
    .option("--repeats", "take the cards as repeats of one another: pass^k, and which cases are flaky")
    .option("--json", "print JSON")
    .addOption(resultsOption());
  addRunFlags(command);
  addArmFlags(command);
  addPipelineFlags(command);
  command.action(
    async (cases: string | undefined, flags: EvalFlags & CompareFlags & { compare?: string[] }) => {
      const [, stray] = command.args;
      const { compare } = flags;
      if (compare !== undefined) {
        if (cases !== undefined) command.error(`error: '${cases}' does not stand behind --compare`);
        const conflict = conflictWithCompare(flags);
        if (conflict !== null) command.error(`error: --compare and ${conflict} exclude each other`);
        return does(async (io) => (await import("./eval-compare.ts")).evalCompare(io, compare, flags));
      }
      if (stray !== undefined) command.error(`error: '${stray}': one case file at a time`);
      const problem = conflictOf(flags);
      if (problem !== null) command.error(`error: ${problem}`);
      return flags.check
        ? does(async (io) => (await import("./eval-check.ts")).evalCheck(io, cases, flags))
        : does(async (io) => (await import("./eval-run.ts")).evalRun(io, cases, flags));
    },
  );
  addBasics(command).addHelpText("after", EVAL_HELP);
  addImport(command, does);
}

const EVAL_HELP = `
Runs have their own conversation each; a sandboxed case has its own copy of the
fixture too. Hooks, learned rules, the outbox, fallbacks and this machine's MCP
servers are off: they would grade the machine. -p perfect and -p flawed prove the
rig offline; they are scripts and no model.

Exit codes: 0 every case passed, or the gates that were asked for hold; 1 a case
failed, nothing was measured, or a file cannot be used; --compare, --ab-config and
--ab-rules: 0 when done, whatever they say. Ctrl-C finishes what is in flight and
writes a partial report; --resume goes on with it.`;

function addRunFlags(command: Command): void {
  command
    .option("--check", "load the cases, say what is in them, and run nothing")
    .option("-p, --provider <name>", "a provider of the configuration, or a built-in script", required)
    .option("-m, --model <name>", "a model of that provider", required)
    .option("-e, --effort <effort>", EFFORT_WORDS, effort)
    .option("-s, --system <text>", "system prompt; @FILE reads it from a file", required)
    .option("--max-turns <n>", "turn budget of a prompt, where a case sets none", limit)
    .option("--max-output-tokens <n>", "end a run once this many tokens are written", limit)
    .option("--max-cost <usd>", "end a run once this much is spent; needs prices", dollars)
    .option(
      "--compact-at <n>",
      "shorten a conversation from this many tokens up, where a case sets none",
      limit,
    )
    .option("--tool <name>", "only this tool; repeatable", collect, [])
    .option("--no-thinking", "do not ask the model to think first")
    .option("--tag <tag>", "only cases with this tag; repeatable", collect, [])
    .option("--fixture <folder>", "what the cases see (default: workspace/ beside the case file)", required)
    .option("-k, --runs <n>", "run every case this often", limit, EVAL_DEFAULTS.runsPerCase)
    .option("-c, --concurrency <n>", "runs in flight", limit, EVAL_DEFAULTS.concurrency)
    .option("-o, --out <card>", "write the report to this file", required)
    .option("--transcripts <folder>", "keep the transcripts here (default: beside the report)", required)
    .option("--resume <journal>", "go on with a pass that was broken off", required)
    .option("--failures", "say what each failed check found")
    .option("--keep-workspaces", "leave the copies of the fixture where they are")
    .option("--mcp", "connect the configured MCP servers", false)
    .option("--mcp-file <file>", "connect exactly the servers of this file", required)
    .option("--no-ask-user", "withhold ask_user; with it, nobody answers")
    .option("--unconfined", "run shell and verify without a sandbox, with all that you may do yourself")
    .option("--judge-provider <name>", "who grades by rubric (default: the model under test)", required)
    .option("--judge-model <name>", "a model of that provider", required);
}

function addArmFlags(command: Command): void {
  command
    .option("--ab-config <key=value>", "a second arm with this changed; repeatable", collect, [])
    .option("--ab-rules", "a second arm with the learned rules")
    .addOption(
      new Option("--predicts <metric>", "the counter that will fall; it is judged").choices(COST_METRICS),
    )
    .option("--because <text>", "why the change is tried", required)
    .addOption(new Option("--class <class>", "the class of the change").choices(CHANGE_CLASSES))
    .option("--holdout-in <n>", "hold one case in n out of the choice", holdout, DEFAULT_HOLDOUT_IN);
}

function addPipelineFlags(command: Command): void {
  command
    .option("--junit <file>", "write the runs as JUnit XML", required)
    .option("--github-summary [file]", "append Markdown to this file, or to GITHUB_STEP_SUMMARY")
    .option("--min-pass <share>", "fail below this share of passed cases: 0.9", share)
    .option("--max-flaky <n>", "fail with more flaky cases than this", whole)
    .option("--baseline <card>", "an earlier report, for --fail-on", required)
    .addOption(
      new Option("--fail-on <what>", "fail when a case that passed before fails now").choices(["regression"]),
    );
}

function conflictWithCompare(flags: EvalFlags): string | null {
  if (flags.out !== undefined) return "--out";
  if (flags.fixture !== undefined) return "--fixture";
  if (flags.abRules) return "--ab-rules";
  return flags.abConfig.length > 0 ? "--ab-config" : null;
}

function conflictOf(flags: EvalFlags): string | null {
  const twoArms = flags.abRules || flags.abConfig.length > 0;
  const pipeline = flags.junit ?? flags.githubSummary ?? flags.minPass ?? flags.maxFlaky ?? flags.baseline;
  const predicted = flags.predicts ?? flags.because ?? flags.class;
  if (flags.abRules && flags.abConfig.length > 0) return "--ab-rules and --ab-config exclude each other";
  if (flags.mcp && flags.mcpFile !== undefined) return "--mcp and --mcp-file exclude each other";
  if (twoArms && pipeline !== undefined)
    return "two arms are a finding and no gate: --junit, --github-summary, --min-pass, --max-flaky and --baseline are for one";
  if (predicted !== undefined && flags.abConfig.length === 0)
    return "--predicts, --because and --class speak of a change: name it with --ab-config";
  if (flags.resume !== undefined && flags.out === undefined)
    return "--resume needs --out: the report has to go somewhere";
  return null;
}

function addImport(parent: Command, does: Does): void {
  const format = new Option("--format <format>", "what the file holds: trial rows").choices(["rows"]);
  const command = parent
    .command("import")
    .argument("<file>", 'rows: a JSON array, {"rows": […]}, JSON lines or CSV', required)
    .description("make a scorecard of another harness's trial rows")
    .addOption(format.default("rows"))
    .requiredOption("-o, --out <card>", "write the scorecard to this file", required)
    .option(
      "--model <name>",
      "the rows' model, or the one whose rows are kept where there are several",
      required,
    )
    .option("--provider <name>", "where the model ran (default: as the rows say, else import)", required)
    .option("--pass-at <reward>", "a reward of at least this is a pass", positive, 1)
    .option("--json", "print JSON")
    .action((file: string, flags: ImportFlags) =>
      does(async (io) => (await import("./eval-import.ts")).evalImport(io, file, flags)),
    );
  addBasics(command).addHelpText("after", IMPORT_HELP);
}

const IMPORT_HELP = `
A row needs a case or task id, and passed or reward; a run or trial number,
turns, tool_calls, tool_errors, cost_usd, tokens, model and tags are read where
they stand. A row without a grade is not scored, one with an error fails its
case. The card replaces what stood at its place.`;

/** Where cards are looked for by their name. */
export function resultsOption(): Option {
  return new Option("--results <folder>", "a folder of scorecards; repeatable")
    .argParser(collect)
    .default([], "MECHA_RESULTS_DIR, else results/");
}

function positive(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("It takes a number above 0.");
}

function share(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value <= 1) return value;
  throw new InvalidArgumentError("It takes a share from 0 to 1, such as 0.9.");
}

function whole(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError("It takes a whole number from 0 up.");
}

function holdout(text: string): number {
  const n = countIn(text);
  if (n === null || n < 2) throw new InvalidArgumentError("It takes a whole number from 2 up.");
  return n;
}
