import { GRADER_VERSION } from "./checks.ts";
import { headOf } from "./head.ts";
import type { JudgeCost } from "./journal.ts";
import type { CaseRun, Report } from "./scorecard.ts";
import type { EvalArm, EvalSetup } from "./setup.ts";

/** What a finished arm is reported with, beside its runs. */
export type ReportFacts = {
  case_set_sha256: string;
  fixture_sha256: string;
  /** RFC 3339. */
  created_at: string;
  partial: boolean;
  wall_clock_ms: number | null;
  judge: JudgeCost;
  not_scored: { id: string; reason: string }[];
};

/** The report of one arm: its headline comes out of its runs and out of nothing else. */
export function reportOf(setup: EvalSetup, arm: EvalArm, runs: CaseRun[], facts: ReportFacts): Report {
  const { options } = arm;
  const costs = runs.map((run) => run.cost_usd);
  return {
    model: modelName(options.model, setup.scripted),
    provider: options.provider,
    head: headOf(runs),
    wall_clock_ms: facts.wall_clock_ms,
    meta: {
      case_set_sha256: facts.case_set_sha256,
      fixture_sha256: facts.fixture_sha256,
      judge: setup.judge,
      concurrency: setup.concurrency,
      grader_version: GRADER_VERSION,
      seed: options.settings.seed,
      sandbox: setup.unconfined ? "none" : "bwrap",
      created_at: facts.created_at,
      partial: facts.partial,
      // One run of unknown cost makes the sum a lower bound, and this key cannot say so.
      cost_usd:
        costs.length === 0 || costs.includes(null)
          ? null
          : costs.reduce((sum: number, one) => sum + (one ?? 0), 0),
      judge_usage: facts.judge.usage,
      judge_cost_usd: facts.judge.cost_usd,
      not_scored: facts.not_scored,
    },
    runs,
  };
}

/** The words by which every reader of a card knows that a script made it. */
const SCRIPT = "(a script, no model)";

function modelName(model: string, scripted: boolean): string {
  const name = model.trim() === "" ? "unnamed" : model;
  return scripted && !name.includes(SCRIPT) ? `${name} ${SCRIPT}` : name;
}
