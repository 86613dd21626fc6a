import { type Command, InvalidArgumentError, Option } from "commander";
import { addBasics, collect, paths, required } from "./command-parts.ts";
import type { CompareFlags, ImportFlags } from "./flags.ts";

export type EvalActions = {
  compare(paths: string[], flags: CompareFlags): Promise<void>;
  importCard(file: string, flags: ImportFlags): Promise<void>;
};

/** `mecha eval`: what is done with results that exist. */
export function addEval(program: Command, actions: EvalActions): void {
  const command = program
    .command("eval")
    .enablePositionalOptions()
    .usage("--compare PATHS… | import FILE -o CARD")
    .description("--compare, import: put scorecards side by side, make one of rows")
    // What stands alone gets a better word than "too many arguments".
    .allowExcessArguments()
    .option("--compare <paths...>", "print scorecards side by side: files, folders, or names of cards", paths)
    .option("--repeats", "take the cards as repeats of one another: pass^k, and which cases are flaky")
    .option("--json", "print JSON")
    .addOption(resultsOption())
    .action(async ({ compare, ...flags }: CompareFlags & { compare?: string[] }) => {
      if (compare === undefined) return command.error(NEEDS);
      const [stray] = command.args;
      if (stray !== undefined) command.error(`error: '${stray}' does not stand behind --compare`);
      await actions.compare(compare, flags);
    });
  addBasics(command).addHelpText("after", EVAL_HELP);
  addImport(command, actions);
}

const NEEDS =
  "error: eval runs no cases: it compares scorecards (--compare PATHS…) and makes them (import FILE -o CARD)";

const EVAL_HELP = `
A file that is no scorecard is named and passed over. Exit code 0 when one card
was printed, 1 when there was none.`;

function addImport(parent: Command, actions: EvalActions): void {
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
    .option("--pass-at <reward>", "a reward of at least this is a pass", reward, 1)
    .option("--json", "print JSON")
    .action((file: string, flags: ImportFlags) => actions.importCard(file, flags));
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

function reward(text: string): number {
  const value = Number(text);
  if (/^\d+(\.\d+)?$/.test(text) && value > 0 && Number.isFinite(value)) return value;
  throw new InvalidArgumentError("It takes a number above 0.");
}
