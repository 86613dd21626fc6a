import type { StopCause } from "#lib/transcript/record.ts";
import type { LoopLimits } from "./parts.ts";

/** How far a run has come. `costUsd` is null while prices are unknown: then no cost can end the run. */
export type Spent = { looping: boolean; turns: number; outputTokens: number; costUsd: number | null };

export type Ceiling = Extract<StopCause, "loop" | "max_turns" | "output_token_budget" | "cost_budget">;

/** Which ceiling the next request would break, or null; the first of them where there are several. */
export function ceilingReached(limits: LoopLimits, spent: Spent): Ceiling | null {
  if (spent.looping) return "loop";
  if (spent.turns >= limits.maxTurns) return "max_turns";
  if (limits.maxOutputTokens !== null && spent.outputTokens >= limits.maxOutputTokens)
    return "output_token_budget";
  if (limits.maxCostUsd !== null && spent.costUsd !== null && spent.costUsd >= limits.maxCostUsd)
    return "cost_budget";
  return null;
}
