import type { UsageFacts } from "./facts.ts";

/** What tells one answer from another under the same id. */
export type Answer = {
  /** The id of the request it came back from; gateways in front of other models give none. */
  request: string | null;
  usage: UsageFacts | null;
  /** How many records of the user's side stood before it. */
  heard: number;
};

/**
 * Is a line the next one of the message that had its id last? Not of another request. Some gateways give all their
 * answers one id and name no request: a line behind something that the model was told since, whose prompt has another
 * size, is another answer than one that was whole. The lines of one message all tell the same size, also where results
 * of its first calls stand between them.
 */
export function isSameMessage(known: Answer & { stopReason: string | null }, line: Answer): boolean {
  if (known.request !== null && line.request !== null) return known.request === line.request;
  if (known.stopReason === null || known.heard === line.heard) return true;
  const [before, now] = [promptSize(known.usage), promptSize(line.usage)];
  return before === null || now === null || before === now;
}

/** The tokens a request was made of; null where nobody counted them. */
export function promptSize(usage: UsageFacts | null): number | null {
  if (usage === null) return null;
  const { input, cacheCreation, cacheRead } = usage;
  const sum = input + cacheCreation + cacheRead;
  return Math.min(input, cacheCreation, cacheRead) < 0 || sum === 0 ? null : sum;
}
