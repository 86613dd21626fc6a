import { COST_METRICS } from "#lib/gate/metrics.ts";
import { isObject, parseJsonText } from "#lib/json-text.ts";
import { USAGE_KEYS, type Usage } from "#lib/transcript/record.ts";
import { mended } from "#lib/utf8.ts";
import type { Diagnosis, Proposal, Reading } from "./proposal.ts";

/** A diagnosis as the table holds it. */
export type ProposalRow = {
  id: string;
  createdAt: string;
  kind: Reading["kind"];
  subject: string;
  provider: string;
  model: string;
  changeClass: Proposal["class"] | null;
  change: string | null;
  metric: string | null;
  rationale: string | null;
  reason: string | null;
  command: string | null;
  brief: string;
  reply: string;
  window: string;
  usage: string | null;
  costUsd: number | null;
  elapsedMs: number;
  scripted: boolean;
};

/** As the table holds it: a database keeps no half of a character. */
export function rowOf(diagnosis: Diagnosis): ProposalRow {
  const { reading, window, usage, created_at, cost_usd, elapsed_ms, ...same } = diagnosis;
  const proposal = "proposal" in reading ? reading.proposal : null;
  const command = reading.kind === "proposal" ? reading.command : null;
  return {
    ...same,
    brief: mended(same.brief),
    reply: mended(same.reply),
    createdAt: created_at,
    kind: reading.kind,
    changeClass: proposal?.class ?? null,
    change: proposal && mended(proposal.change),
    metric: proposal?.metric ?? null,
    rationale: proposal && mended(proposal.rationale),
    reason: "reason" in reading ? mended(reading.reason) : null,
    command: command === null ? null : JSON.stringify(command),
    window: JSON.stringify(window),
    usage: usage === null ? null : JSON.stringify(usage),
    costUsd: cost_usd,
    elapsedMs: elapsed_ms,
  };
}

/** Back again. A row that somebody else has changed into what cannot be reads as one that could not be understood. */
export function diagnosisOf(row: ProposalRow): Diagnosis {
  const { id, subject, provider, model, brief, reply, scripted } = row;
  const same = { id, subject, provider, model, brief, reply, scripted };
  return {
    ...same,
    created_at: row.createdAt,
    reading: readingIn(row),
    window: windowIn(row.window),
    usage: row.usage === null ? null : usageIn(row.usage),
    cost_usd: row.costUsd,
    elapsed_ms: row.elapsedMs,
  };
}

const DAMAGED: Reading = { kind: "unparsable", reason: "the stored row is damaged" };

function readingIn(row: ProposalRow): Reading {
  const reason = row.reason ?? "";
  switch (row.kind) {
    case "proposal": {
      const proposal = proposalIn(row);
      return proposal === null ? DAMAGED : { kind: "proposal", proposal, command: wordsIn(row.command) };
    }
    case "refused": {
      const proposal = proposalIn(row);
      return proposal === null ? DAMAGED : { kind: "refused", proposal, reason };
    }
    case "declined":
    case "unparsable":
    case "failed":
      return { kind: row.kind, reason };
    default:
      return row.kind satisfies never;
  }
}

function proposalIn({ changeClass, change, metric, rationale }: ProposalRow): Proposal | null {
  const known = COST_METRICS.find((one) => one === metric);
  if (changeClass === null || change === null || known === undefined) return null;
  return { class: changeClass, change, metric: known, rationale: rationale ?? "" };
}

function wordsIn(text: string | null): string[] | null {
  const value = text === null ? null : valueIn(text);
  return Array.isArray(value) && value.every((word) => typeof word === "string") ? value : null;
}

function windowIn(text: string): Diagnosis["window"] {
  const value = valueIn(text);
  const { days, limit, as_of } = isObject(value) ? value : {};
  return {
    days: typeof days === "number" ? days : null,
    limit: typeof limit === "number" ? limit : 0,
    as_of: typeof as_of === "string" ? as_of : "",
  };
}

function usageIn(text: string): Usage | null {
  const value = valueIn(text);
  if (!isObject(value) || USAGE_KEYS.some((key) => typeof value[key] !== "number")) return null;
  const [input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens] = USAGE_KEYS.map(
    (key) => Number(value[key]),
  ) as [number, number, number, number];
  return { input_tokens, output_tokens, cache_creation_input_tokens, cache_read_input_tokens };
}

function valueIn(text: string): unknown {
  const parsed = parseJsonText(text);
  return parsed.ok ? parsed.value : null;
}
