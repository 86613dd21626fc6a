import type { Finding } from "#lib/doctor/finding.ts";
import type { Rate } from "#lib/rate.ts";
import { type ModelLabel, modelLabel } from "./model-label.ts";

/**
 * A finding of the doctor without its sentence: which check it is, and the numbers. Its sentences name models and
 * triggers, and those names are other people's text; a trigger is a number here.
 */
export type FindingFact =
  | { check: RunCheck; model: ModelLabel; derived: boolean; rate: Rate }
  | { check: "trigger_tool_error_rate"; trigger: number; rate: Rate; runs: number }
  | { check: "trigger_last_run_failed"; trigger: number; failed: number; runs: number }
  | { check: "trigger_did_no_work"; trigger: number; earlier_calls: number; earlier_runs: number }
  | { check: "trigger_missed_slots"; trigger: number };

const RUN_CHECKS = ["ended_on_failed_call", "tool_error_rate", "cut_short"] as const;
export type RunCheck = (typeof RUN_CHECKS)[number];

/**
 * The findings on runs and triggers, of any model, and how many of them are of a kind this does not know. Triggers are
 * numbered in the order in which they first appear.
 */
export function findingFacts(
  findings: readonly Finding[],
  vouched: ReadonlySet<string>,
): { facts: FindingFact[]; unknown: number } {
  const triggers = new Map<string, number>();
  const facts: FindingFact[] = [];
  let unknown = 0;
  for (const finding of findings) {
    if (finding.component === "store") continue;
    const fact = finding.component === "runs" ? runFact(finding, vouched) : triggerFact(finding, triggers);
    if (fact === null) unknown += 1;
    else facts.push(fact);
  }
  return { facts, unknown };
}

function runFact({ id, evidence }: Finding, vouched: ReadonlySet<string>): FindingFact | null {
  const check = RUN_CHECKS.find((one) => id.startsWith(`runs/${one}/`));
  if (check === undefined) return null;
  const model = modelLabel(String(evidence.model ?? ""), vouched);
  return { check, model, derived: evidence.provenance === "derived", rate: rateIn(evidence) };
}

function triggerFact({ id, evidence }: Finding, triggers: Map<string, number>): FindingFact | null {
  const name = String(evidence.trigger ?? "");
  const trigger = triggers.get(name) ?? triggers.size + 1;
  triggers.set(name, trigger);
  const runs = number(evidence.runs);
  switch (id.split("/", 2)[1]) {
    case "tool_error_rate":
      return { check: "trigger_tool_error_rate", trigger, rate: rateIn(evidence), runs };
    case "last_run_failed":
      return { check: "trigger_last_run_failed", trigger, failed: number(evidence.failed_runs), runs };
    case "did_no_work":
      return {
        check: "trigger_did_no_work",
        trigger,
        earlier_calls: number(evidence.earlier_calls),
        earlier_runs: number(evidence.earlier_runs),
      };
    case "missed_slots":
      return { check: "trigger_missed_slots", trigger };
    default:
      return null;
  }
}

function rateIn(evidence: Finding["evidence"]): Rate {
  return { hits: number(evidence.hits), of: number(evidence.of) };
}

/** Whatever is no number is none here either, so that no text gets through. */
function number(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}
