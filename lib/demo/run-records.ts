import type { Config, Outcome, Taint } from "#lib/transcript/record.ts";
import { effortOn, harnessOn, type ModelName, maxTurnsOn } from "./cells.ts";
import { type Meter, PROVIDERS } from "./meter.ts";
import type { RunPlan } from "./plan-runs.ts";
import { SYSTEM_PROMPT, TOOLS } from "./sayings.ts";

/** The outcome of a run that went as planned in `callTurns` turns with calls. */
export function outcomeOf(
  { stop, endedFailed, calls, compactions }: RunPlan,
  callTurns: number,
  meter: Meter,
  taint: Taint,
): Outcome {
  const count = (...states: string[]) => calls.filter((state) => states.includes(state)).length;
  const { usage, cost } = meter.total();
  return {
    turns: stop === "completed" ? callTurns + 1 : callTurns,
    usage,
    cost_usd: cost,
    usage_complete: stop !== "interrupted",
    stop_cause: stop,
    exhausted: stop === "max_turns",
    ended_on_failed_call: endedFailed,
    tool_calls: calls.length,
    tool_errors: count("failed", "malformed"),
    tool_denied: count("denied_by_user", "denied_by_policy", "blocked_send"),
    tool_staged: count("staged"),
    malformed_tool_args: count("malformed"),
    blocked_sends: count("blocked_send"),
    compactions,
    taint,
  };
}

/** What a run was launched with on a day. */
export function configOn(day: number, model: ModelName, workspace: string): Config {
  return {
    mecha_version: harnessOn(day),
    provider: PROVIDERS[model].name,
    model,
    workspace,
    system_prompt: SYSTEM_PROMPT,
    tools: TOOLS,
    effort: effortOn(day, model),
    temperature: null,
    seed: null,
    thinking: true,
    cache_prompt: true,
    max_tokens: 16_000,
    max_turns: maxTurnsOn(day),
    max_output_tokens: null,
    max_cost_usd: null,
    compact_at_tokens: 9_000,
    compact_keep_recent: 6,
    permission_mode: "ask",
    trifecta: "block",
    sandbox: "bwrap",
    sandbox_network: false,
  };
}
