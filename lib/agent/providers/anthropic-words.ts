import type { StopReason } from "#lib/agent/model.ts";
import { isObject } from "#lib/json-text.ts";
import { type Failure, failure, isOverflow, messageIn } from "./failure.ts";

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

const LASTING = ["invalid_request_error", "authentication_error", "permission_error", "not_found_error"];

/** An error in the middle of a stream. */
export function errorOf(error: unknown): Failure {
  const message = messageIn(error) ?? "an error without words";
  const overflow = isOverflow(message);
  const lasting = isObject(error) && LASTING.some((type) => type === error.type);
  return failure(`the server broke off with an error: ${message}`, {
    overflow,
    transient: !overflow && !lasting,
  });
}
