import { DASH, visible } from "#lib/format.ts";
import type { CostMetric } from "#lib/gate/metrics.ts";
import type { ChangeClass } from "#lib/gate/rules.ts";
import { shellLine } from "#lib/shell-quote.ts";
import type { Proposal, Reading } from "./proposal.ts";

const CLASS_NAMES: Record<ChangeClass, string> = {
  config: "Config",
  prose: "Prose",
  architecture: "Architecture",
  security: "Security",
};

const METRIC_NAMES: Record<CostMetric, string> = {
  ended_on_failed_call: "EndedOnFailedCall",
  tool_error_rate: "ToolErrorRate",
  cut_short: "CutShort",
  compactions: "Compactions",
  turns: "Turns",
  malformed_args: "MalformedArgs",
};

/** What a reading came to, in lines for a person; no newline at the end. */
export function readingText(reading: Reading): string {
  switch (reading.kind) {
    case "proposal":
      return `${proposalBlock(reading.proposal)}\n\n${whatNow(reading)}`;
    case "refused":
      return `${proposalBlock(reading.proposal)}\n\nrefused: ${visible(reading.reason)}`;
    case "declined":
      return `no proposal: ${visible(reading.reason)}`;
    case "unparsable":
      return `no proposal: its block cannot be used: ${visible(reading.reason)}`;
    case "failed":
      return `no diagnosis: ${visible(reading.reason)}`;
    default:
      return reading satisfies never;
  }
}

/** The proposal with its labels, whatever becomes of it. */
function proposalBlock({ class: kind, change, metric, rationale }: Proposal): string {
  return [
    "── proposal ──",
    `class:     ${CLASS_NAMES[kind]}`,
    `change:    ${visible(change)}`,
    `predicts:  lower ${METRIC_NAMES[metric]}`,
    `because:   ${rationale === "" ? DASH : visible(rationale)}`,
  ].join("\n");
}

function whatNow({ proposal, command }: Extract<Reading, { kind: "proposal" }>): string {
  if (command !== null) return `nothing to do here yet — measure it:\n  ${shellLine(command)}`;
  return `nothing to do here yet — ${personLine(proposal)}`;
}

/** Why a proposal has no command, and who has to act. */
export function personLine({ class: kind }: Proposal): string {
  switch (kind) {
    case "config":
      return "no comparison can turn this setting: a person builds it and then measures it";
    case "prose":
      return "a person builds it and then measures it";
    case "architecture":
      return "a person decides, whatever is measured; it has to be built first";
    case "security":
      return "a person decides about security, and nothing here will measure it";
    default:
      return kind satisfies never;
  }
}
