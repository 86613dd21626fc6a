import type { RunResult } from "#lib/agent/parts.ts";
import { counted } from "#lib/format.ts";
import type { StopCause } from "#lib/transcript/record.ts";

/** Did the run give what it was asked for, and what has to be said about how it ended. */
export type Ending = { answered: boolean; lines: string[] };

const CUT: Partial<Record<StopCause, string>> = {
  max_turns: "the limit on turns was reached",
  output_token_budget: "the limit on output tokens was reached",
  cost_budget: "the limit on cost was reached",
  loop: "the same call kept giving the same result",
};

/** One line each, in plain words: why there is no answer, what cut it short, what was held back. */
export function endingOf(result: RunResult): Ending {
  const { blocked_sends } = result.outcome;
  const blocked =
    blocked_sends === 0
      ? []
      : [
          `blocked ${counted(blocked_sends, "send")}: private content and a stranger's text had met in this conversation`,
        ];
  const problem = problemOf(result);
  if (problem !== null) return { answered: false, lines: [...blocked, `mecha: ${problem}`] };
  const cut = CUT[result.outcome.stop_cause ?? "completed"];
  return { answered: true, lines: [...blocked, ...(cut === undefined ? [] : [`mecha: cut short: ${cut}`])] };
}

function problemOf({ failure, outcome, refused, text }: RunResult): string | null {
  if (failure !== null) return `the run failed: ${failure}`;
  if (outcome.stop_cause === "interrupted") return "interrupted; what was done is kept";
  if (refused) return "the model refused";
  const cut = CUT[outcome.stop_cause ?? "completed"];
  if (text.trim() !== "") return null;
  return cut === undefined ? "the model gave no answer" : `no answer: ${cut}`;
}
