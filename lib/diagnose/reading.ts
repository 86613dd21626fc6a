import type { RunResult } from "#lib/agent/parts.ts";
import { commandFor } from "./command.ts";
import { parseProposal } from "./parse-proposal.ts";
import type { Reading } from "./proposal.ts";
import { refusalOf } from "./quote-guard.ts";

/** What a reply came to. `sources`: everything the diagnostician read, each by itself. */
export function readReply(reply: string, sources: readonly string[]): Reading {
  const parsed = parseProposal(reply);
  switch (parsed.kind) {
    case "none":
      return { kind: "declined", reason: "the diagnostician suggests no change" };
    case "bad":
      return { kind: "unparsable", reason: parsed.problem };
    case "proposal": {
      const { proposal } = parsed;
      const reason = refusalOf(proposal, sources);
      if (reason !== null) return { kind: "refused", proposal, reason };
      return { kind: "proposal", proposal, command: commandFor(proposal) };
    }
    default:
      return parsed satisfies never;
  }
}

/** Why a run left no reply to read; null when it left one. A reply that was broken off is no decline. */
export function failureOf(
  result: Pick<RunResult, "failure" | "refused" | "text"> & {
    outcome: Pick<RunResult["outcome"], "stop_cause">;
  },
): string | null {
  if (result.failure !== null) return result.failure;
  if (result.outcome.stop_cause === "interrupted") return "the run was interrupted";
  if (result.refused) return "the model refused to answer";
  if (result.text.trim() === "") return "the model gave no answer";
  return null;
}
