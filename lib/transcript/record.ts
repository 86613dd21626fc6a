/** Why a run stopped, in the order in which ties are printed. */
export const STOP_CAUSES = [
  "completed",
  "max_turns",
  "output_token_budget",
  "cost_budget",
  "interrupted",
  "loop",
  "no_output",
] as const;
export type StopCause = (typeof STOP_CAUSES)[number];

/** The harness ended the run. A person pressing Ctrl-C is the system working, so `interrupted` is not among them. */
export const CUT_SHORT: ReadonlySet<StopCause> = new Set<StopCause>([
  "max_turns",
  "output_token_budget",
  "cost_budget",
  "loop",
  "no_output",
]);

/** Token counts. `input_tokens` excludes cache reads and writes. */
export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number;
  cache_read_input_tokens: number;
};

/** What had entered the conversation. */
export type Taint = { private: boolean; untrusted: boolean };
