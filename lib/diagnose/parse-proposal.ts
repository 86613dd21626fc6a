import { COST_METRICS } from "#lib/gate/metrics.ts";
import { CHANGE_CLASSES } from "#lib/gate/rules.ts";
import type { Proposal } from "./proposal.ts";

const MARKER = "PROPOSAL";
const FIELDS = ["class", "change", "metric", "rationale"] as const;
type Field = (typeof FIELDS)[number];

/** Nobody decides on what fills pages. */
const LENGTH_MAX = 4_000;

/** `none`: the reply holds no block. `bad`: it holds one that cannot be used, and why. */
export type ParsedReply =
  | { kind: "proposal"; proposal: Proposal }
  | { kind: "none" }
  | { kind: "bad"; problem: string };

/**
 * Reads the block after the last `PROPOSAL` of a reply; the rest of that line is no part of it. Lines are `field: value`,
 * a list mark before them and back-ticks around the field's name allowed; an empty line after the first field ends it, a
 * repeated field overwrites, other lines are passed over. What cannot be falsified (no class, no change or no metric of
 * the closed sets) is no proposal.
 */
export function parseProposal(reply: string): ParsedReply {
  const at = reply.lastIndexOf(MARKER);
  if (at < 0) return { kind: "none" };
  const fields = fieldsAfter(reply.slice(at + MARKER.length));
  if (fields.size === 0) return withoutFields(reply.slice(0, at));
  return proposalOf(fields);
}

/** The word alone is no block. But where a block stands before it, the reader has to hear why that one does not count. */
function withoutFields(before: string): ParsedReply {
  const earlier = before.lastIndexOf(MARKER);
  const hidden = earlier >= 0 && fieldsAfter(before.slice(earlier + MARKER.length)).size > 0;
  if (!hidden) return { kind: "none" };
  return { kind: "bad", problem: `the word ${MARKER} comes again after the block, with no field behind it` };
}

function fieldsAfter(text: string): Map<Field, string> {
  const fields = new Map<Field, string>();
  for (const raw of text.split("\n").slice(1)) {
    const line = raw.trim().replace(/^[-* ]+/, "");
    if (line === "") {
      if (fields.size > 0) break;
      continue;
    }
    const colon = line.indexOf(":");
    if (colon < 0) continue;
    const key = line
      .slice(0, colon)
      .trim()
      .replace(/^`+|(?<!`)`+$/g, "")
      .toLowerCase();
    const field = FIELDS.find((one) => one === key);
    if (field !== undefined) fields.set(field, line.slice(colon + 1).trim());
  }
  return fields;
}

function proposalOf(fields: ReadonlyMap<Field, string>): ParsedReply {
  const kind = oneOf(fields, "class", CHANGE_CLASSES);
  if (!kind.ok) return { kind: "bad", problem: kind.problem };
  const change = fields.get("change") ?? "";
  if (change === "")
    return { kind: "bad", problem: fields.has("change") ? "change is empty" : "change is missing" };
  const metric = oneOf(fields, "metric", COST_METRICS);
  if (!metric.ok) return { kind: "bad", problem: metric.problem };
  const rationale = fields.get("rationale") ?? "";
  for (const [field, text] of [
    ["change", change],
    ["rationale", rationale],
  ] as const)
    if (text.length > LENGTH_MAX)
      return { kind: "bad", problem: `${field} is longer than ${LENGTH_MAX} characters` };
  return { kind: "proposal", proposal: { class: kind.value, change, metric: metric.value, rationale } };
}

type Picked<T> = { ok: true; value: T } | { ok: false; problem: string };

function oneOf<T extends string>(
  fields: ReadonlyMap<Field, string>,
  field: "class" | "metric",
  allowed: readonly T[],
): Picked<T> {
  const written = fields.get(field);
  if (written === undefined) return { ok: false, problem: `${field} is missing` };
  const value = allowed.find((one) => one === written.toLowerCase());
  if (value !== undefined) return { ok: true, value };
  // What was written is not repeated: it is a stranger's text, and stands in the reply.
  return { ok: false, problem: `${field} is none of ${allowed.join(", ")}` };
}
