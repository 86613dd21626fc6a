import type { Command } from "commander";
import { addBasics, addStores, type Does, days, limit, required } from "./command-parts.ts";
import type { DiagnoseFlags } from "./flags.ts";

/** `mecha diagnose`: one suggested change, with a prediction that a measurement can refute. */
export function addDiagnose(program: Command, does: Does): void {
  const command = program
    .command("diagnose")
    .description("ask a model, from counters alone, for one change that would help, and what it predicts")
    .option("--model <name>", "the model whose runs are looked at (default: the one with the most)", required)
    .option("--days <n>", "only sessions of the last n days", days)
    .option("-n, --limit <n>", "read at most this many sessions, newest first (default: 200)", limit)
    .option("--dry-run", "print what the model would be told, and stop: nothing is asked or paid")
    .option("--web", "let it fetch pages from the web")
    .option("-p, --provider <name>", "who is asked: a provider of the configuration, or proposer", required)
    .option("-m, --diagnostician <name>", "which model of that provider is asked", required)
    .option("--json", "print one JSON object, and nothing else, on standard output")
    .action((flags: DiagnoseFlags) =>
      does(async (io) => (await import("./diagnose.ts")).diagnose(io, flags)),
    );
  addBasics(addStores(command)).addHelpText("after", DIAGNOSE_HELP);
}

const DIAGNOSE_HELP = `
The model is told counters and findings, never a word of a transcript. It can read
mecha's own guides and source; nothing is changed, and nothing is applied: what it
suggests is printed as a command that measures it, and stored. -p proposer plays a
built-in script, with no model.

Exit code 0 also where nothing is suggested, or a suggestion is refused; 1 where
there is no run to look at, for an unknown model and a run that failed.`;
