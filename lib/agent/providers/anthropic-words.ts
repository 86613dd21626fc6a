import type { StopReason } from "#lib/agent/model.ts";

const STOPS: Readonly<Record<string, StopReason>> = {
  end_turn: "end",
  stop_sequence: "end",
  tool_use: "tool_calls",
  max_tokens: "length",
  model_context_window_exceeded: "length",
  refusal: "refusal",
  pause_turn: "pause",
};

/** Why the model stopped, in our words; `unknown` for a word that is new to us. */
export function stopWord(stop: string | null): StopReason {
  return stop !== null && Object.hasOwn(STOPS, stop) ? (STOPS[stop] ?? "unknown") : "unknown";
}
