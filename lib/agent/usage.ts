import type { Usage } from "#lib/transcript/record.ts";
import type { Prices } from "./model.ts";

export const NO_USAGE: Usage = {
  input_tokens: 0,
  output_tokens: 0,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
};

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input_tokens: a.input_tokens + b.input_tokens,
    output_tokens: a.output_tokens + b.output_tokens,
    cache_creation_input_tokens: a.cache_creation_input_tokens + b.cache_creation_input_tokens,
    cache_read_input_tokens: a.cache_read_input_tokens + b.cache_read_input_tokens,
  };
}

/** No answer reads or writes as much; the sums of a run stay exact below it. */
const COUNT_MAX = 1_000_000_000_000;

/** Counts as whole numbers from zero that can be true, or null: one that is none would cost the run its whole row. */
export function usableUsage(usage: Usage | null): Usage | null {
  if (usage === null) return null;
  const counts = [
    usage.input_tokens,
    usage.output_tokens,
    usage.cache_creation_input_tokens,
    usage.cache_read_input_tokens,
  ];
  return counts.every((count) => Number.isSafeInteger(count) && count >= 0 && count <= COUNT_MAX)
    ? usage
    : null;
}

/** Everything the model had to read, wherever it came from. */
export function inputTokens(usage: Usage): number {
  return usage.input_tokens + usage.cache_creation_input_tokens + usage.cache_read_input_tokens;
}

/** US dollars: writing to the cache costs a quarter more than plain input, reading from it a tenth. Null: no prices. */
export function costOf(usage: Usage, prices: Prices | null): number | null {
  if (prices === null) return null;
  const plainInput =
    usage.input_tokens + usage.cache_creation_input_tokens * 1.25 + usage.cache_read_input_tokens * 0.1;
  return (plainInput * prices.inputPerMtok + usage.output_tokens * prices.outputPerMtok) / 1_000_000;
}
