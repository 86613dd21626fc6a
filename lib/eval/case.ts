import type { StopCause } from "#lib/transcript/record.ts";

/** One argument that some call of a tool has to have passed. Neither condition: that it was passed is enough. */
export type ArgsExpectation = { tool: string; key: string; equals: string | null; contains: string | null };

/** What a run of a case is checked for. An empty list or a null asserts nothing. */
export type Expect = {
  tools: string[];
  tools_in_order: string[];
  forbid_tools: string[];
  no_tools: boolean;
  contains: string[];
  not_contains: string[];
  contains_any: string[];
  args: ArgsExpectation[];
  /** Most turns over all prompts of the case: an assertion, not the budget. */
  max_turns: number | null;
  stop_cause: StopCause | null;
  taint: { private: boolean | null; untrusted: boolean | null };
  blocked_sends: number | null;
  min_compactions: number | null;
  ended_on_failed_call: boolean | null;
  /** A rubric for a second model. */
  judge: string | null;
  /** A command that has to exit 0 in the case's own workspace. */
  verify: string | null;
};

/** One case, as its line in a case file says it. */
export type Case = {
  id: string;
  /** One or more prompts of one conversation. */
  prompts: string[];
  tags: string[];
  expect: Expect;
  /** Runs in a copy of the fixture that it may write to. */
  sandbox: boolean;
  /** Turn budget of each prompt. */
  max_turns: number | null;
  compact_at_tokens: number | null;
};
