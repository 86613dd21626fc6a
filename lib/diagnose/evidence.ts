import type { Config } from "#lib/config/config.ts";
import type { Finding } from "#lib/doctor/finding.ts";
import { type ModelSlice, rateOf } from "#lib/health/tally.ts";
import type { Rate } from "#lib/rate.ts";
import { EFFORTS, STOP_CAUSES, type StopCause } from "#lib/transcript/record.ts";
import type { Provenance } from "#lib/transcript/run-row.ts";
import { type FindingFact, findingFacts } from "./finding-fact.ts";
import { type ModelLabel, modelLabel } from "./model-label.ts";

/**
 * All that a diagnostician is told. Counts, words of closed sets, and labels of models that have been made harmless:
 * there is no field in which a word of a transcript could stand.
 */
export type Evidence = {
  model: ModelLabel;
  provenance: Provenance;
  window: { days: number | null; limit: number };
  /** Sessions that were read, whichever model ran in them. */
  sessions_read: number;
  runs: number;
  /** Most frequent first. */
  stop_causes: { cause: StopCause | "unrecorded"; runs: number }[];
  cut_short: Rate;
  ended_on_failed_call: Rate;
  tool_error_rate: Rate;
  tool_denied: number;
  tool_staged: number | null;
  malformed_tool_args: number | null;
  blocked_sends: number | null;
  compactions: number;
  turns: number;
  knobs: Knobs;
  findings: FindingFact[];
  /** Findings of a kind that has no form here. */
  findings_unknown: number;
};

/** The settings that a comparison may turn, as they stand now. Null: not set. */
export type Knobs = {
  max_turns: number;
  compact_at_tokens: number | null;
  max_output_tokens: number | null;
  effort: (typeof EFFORTS)[number] | null;
};

/** `vouched`: names of models that the person has configured. */
export function evidenceOf({
  slice,
  sessionsRead,
  window,
  findings,
  config,
  vouched,
}: {
  slice: ModelSlice;
  sessionsRead: number;
  window: Evidence["window"];
  findings: readonly Finding[];
  config: Pick<Config, "agent">;
  vouched: ReadonlySet<string>;
}): Evidence {
  const { tally } = slice;
  const { facts, unknown } = findingFacts(findings, vouched);
  return {
    model: modelLabel(slice.model, vouched),
    provenance: slice.provenance,
    window,
    sessions_read: sessionsRead,
    runs: tally.runs,
    stop_causes: causesOf(tally.stop_causes),
    cut_short: rateOf(tally, "cut_short"),
    ended_on_failed_call: rateOf(tally, "ended_on_failed_call"),
    tool_error_rate: rateOf(tally, "tool_error_rate"),
    tool_denied: tally.tool_denied,
    tool_staged: tally.tool_staged,
    malformed_tool_args: tally.malformed_tool_args,
    blocked_sends: tally.blocked_sends,
    compactions: tally.compactions,
    turns: tally.turns,
    knobs: knobsOf(config),
    findings: facts,
    findings_unknown: unknown,
  };
}

/** Ties in the order of the causes; only words of ours are looked up, so that no other can come in. */
function causesOf(counts: ModelSlice["tally"]["stop_causes"]): Evidence["stop_causes"] {
  return ([...STOP_CAUSES, "unrecorded"] as const)
    .map((cause) => ({ cause, runs: counts[cause] ?? 0 }))
    .filter(({ runs }) => runs > 0)
    .sort((a, b) => b.runs - a.runs);
}

function knobsOf({ agent }: Pick<Config, "agent">): Knobs {
  return {
    max_turns: agent.max_turns,
    compact_at_tokens: agent.compact_at_tokens,
    max_output_tokens: agent.max_output_tokens,
    effort: EFFORTS.find((effort) => effort === agent.effort) ?? null,
  };
}
