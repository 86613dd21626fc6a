import { createHash } from "node:crypto";
import type { Finding } from "#lib/doctor/finding.ts";
import { findingKey } from "./finding-key.ts";
import { inSight, type Sight } from "./sight.ts";

/** What a target was told of one finding; times in ms. */
export type Known = {
  findingId: string;
  newSentAt: number | null;
  resolvedSentAt: number | null;
  summary: string;
};

/** `event_id` names one coming or going of a finding: a message that has to be repeated has it again. */
export type NewEvent = { key: string; event_id: string; finding: Finding };
export type ResolvedEvent = { key: string; event_id: string; summary: string };

/** What one message tells, and how much it leaves for the next. */
export type Plan = {
  fresh: NewEvent[];
  resolved: ResolvedEvent[];
  left_out: { new: number; resolved: number };
  /** Findings that were not found and could not have been seen, so that nothing is said of them. */
  held_back: number;
};

/** Events of one message: Slack takes 50 blocks, and a message of more is read by nobody. */
export const EVENTS_MAX = 40;

/**
 * What a target has not been told yet. A finding is new when it was never sent, or when its end was: what comes back is
 * new again. New ones go first, in the order of the report.
 */
export function planOf(findings: readonly Finding[], known: readonly Known[], sight: Sight): Plan {
  const told = new Map(known.map((one) => [one.findingId, one]));
  const standing = new Map(findings.map((finding) => [findingKey(finding.id), finding]));
  const fresh = [...standing]
    .filter(([key]) => !isOpen(told.get(key)))
    .map(([key, finding]) => ({
      key,
      event_id: eventId("new", key, told.get(key)?.resolvedSentAt ?? 0),
      finding,
    }));
  const gone = known.filter((one) => isOpen(one) && !standing.has(one.findingId));
  const resolved = gone
    .filter(({ findingId }) => inSight(findingId, sight))
    .map(({ findingId, newSentAt, summary }) => ({
      key: findingId,
      event_id: eventId("resolved", findingId, newSentAt ?? 0),
      summary,
    }));
  const sentNew = fresh.slice(0, EVENTS_MAX);
  const sentResolved = resolved.slice(0, EVENTS_MAX - sentNew.length);
  return {
    fresh: sentNew,
    resolved: sentResolved,
    left_out: { new: fresh.length - sentNew.length, resolved: resolved.length - sentResolved.length },
    held_back: gone.length - resolved.length,
  };
}

/** True when there is nothing to tell. */
export function isEmpty({ fresh, resolved }: Plan): boolean {
  return fresh.length + resolved.length === 0;
}

/** It was told that it is there, and not yet that it is gone. */
function isOpen(known: Known | undefined): boolean {
  return known !== undefined && known.newSentAt !== null && known.resolvedSentAt === null;
}

function eventId(kind: "new" | "resolved", key: string, before: number): string {
  return createHash("sha256")
    .update(JSON.stringify([kind, key, before]))
    .digest("hex")
    .slice(0, 24);
}
