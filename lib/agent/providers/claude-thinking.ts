import type { ModelSettings } from "#lib/agent/model.ts";
import type { Effort } from "#lib/config/effort.ts";

/** How a model of Anthropic's is told to think. */
export type ClaudeThinking =
  /** It decides for itself; effort says how hard it should try. */
  | "adaptive"
  /** It gets a budget of tokens. */
  | "budget"
  | "none";

/** Goes by the model's name, as nothing else tells. Names of later models are taken to stand for what the latest do. */
export function thinkingOf(model: string): ClaudeThinking {
  const name = dashed(model);
  if (!name.includes("claude")) return "none";
  if (/claude-(instant|v?2|3-(?!7))/.test(name)) return "none";
  return /claude-(3-7|(opus|sonnet|haiku)-4(?!-[6-9](?!\d)|-[1-9]\d(?!\d)|\d))/.test(name)
    ? "budget"
    : "adaptive";
}

/** Gateways write a version with a dot. */
function dashed(model: string): string {
  return model.toLowerCase().replace(/(\d)\.(?=\d)/g, "$1-");
}

/** Only Opus 4.5 and what came after takes an effort. */
export function takesEffort(model: string): boolean {
  return thinkingOf(model) === "adaptive" || dashed(model).includes("claude-opus-4-5");
}

const LEAST_BUDGET = 1024;
const BUDGETS: Readonly<Record<Effort, number>> = {
  low: 4_000,
  medium: 10_000,
  high: 20_000,
  xhigh: 32_000,
  max: 48_000,
};

/** Tokens to think with, at most half of what an answer may have; null where that is too little to be taken. */
export function thinkingBudget({ maxTokens, effort }: ModelSettings): number | null {
  const budget = Math.min(BUDGETS[effort ?? "high"], Math.floor(maxTokens / 2));
  return budget < LEAST_BUDGET ? null : budget;
}
