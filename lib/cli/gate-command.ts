import { type Command, InvalidArgumentError, Option } from "commander";
import { COST_METRICS } from "#lib/gate/metrics.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";
import { DEFAULT_HOLDOUT_IN } from "#lib/gate/split.ts";
import { addBasics, type Does, required } from "./command-parts.ts";
import { resultsOption } from "./eval-command.ts";
import { countIn, type GateFlags } from "./flags.ts";

/** `mecha gate`: did the change help? */
export function addGate(program: Command, does: Does): void {
  const metric = new Option("--metric <metric>", "judge this counter of the runs, not case passes");
  const predicts = new Option("--predicts <metric>", "the counter that was said to fall; it is judged");
  const kind = new Option("--class <class>", "the class of the change").choices(CHANGE_CLASSES);
  const command = program
    .command("gate")
    .argument("<baseline>", "a scorecard, or a file of {episode, stats} lines", required)
    .argument("<candidate>", "the same, with the change", required)
    .description("judge a change by two scorecards, or two files of episodes")
    .addOption(metric.choices(COST_METRICS))
    .addOption(predicts.choices(COST_METRICS))
    .option("--predicted-at <time>", "when that was said: 2026-08-05, or 2026-08-05T14:30:00Z", required)
    .option("--because <text>", "why the change was made", required)
    .option("--change <text>", "what was changed: max_turns=40", required)
    .addOption(kind.default("config"))
    .option("--holdout-in <n>", "hold one episode in n out of the choice", holdout, DEFAULT_HOLDOUT_IN)
    .addOption(resultsOption())
    .option("--json", "print the verdict document")
    .action((baseline: string, candidate: string, flags: GateFlags) =>
      does(async (io) => (await import("./gate.ts")).gate(io, baseline, candidate, flags)),
    );
  addBasics(command).addHelpText("after", GATE_HELP);
}

const GATE_HELP = `
The verdict is stored: see mecha verdict. Whatever it says, the exit code is 0:
it is a finding, not a failure. 1: a file cannot be judged, or the verdict cannot
be stored.`;

function holdout(text: string): number {
  const n = countIn(text);
  if (n === null || n < 2) throw new InvalidArgumentError("It takes a whole number from 2 up.");
  return n;
}
