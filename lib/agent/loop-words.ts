import type { Ceiling } from "./ceiling.ts";

// Everything the loop itself says to the model, in one place. What it adds to a message of the person's starts with
// BY_MECHA, so that it is never taken for the person's own words.

const BY_MECHA = "[mecha:";

/** Did the loop write this text of a user message? */
export function isLoopText(text: string): boolean {
  return text.startsWith(BY_MECHA);
}

export const EMPTY_RETRIES = 3;

/** For a turn in which nothing came back; it differs from try to try, or a model without chance answers the same. */
export function nudge(attempt: number): string {
  return `${BY_MECHA} your last turn was empty (${attempt} of ${EMPTY_RETRIES}). Write an answer or call a tool.]`;
}

const REACHED: Record<Ceiling, string> = {
  loop: "the same call has given the same result again, so the work is going in circles",
  max_turns: "the limit on turns is reached",
  output_token_budget: "the limit on written tokens is reached",
  cost_budget: "the limit on cost is reached",
};

export function lastAnswerRequest(ceiling: Ceiling): string {
  return `${BY_MECHA} ${REACHED[ceiling]}. No tool can be used for this answer. Answer now with what you have found out, and say what is still open.]`;
}

/** Over a prompt that a summary would otherwise have taken away. */
export function keptRequest(prompt: string): string {
  return `${BY_MECHA} the latest request, word for word]\n${prompt}`;
}

export function keptSummary(summary: string): string {
  return `${BY_MECHA} what has happened so far, in short; the messages themselves are gone]\n${summary}`;
}

export const SUMMARY_CUT = `${BY_MECHA} the notes were cut off here, so more had happened and was open than they say]`;

export function keptState(state: string): string {
  return `${BY_MECHA} kept beside the messages]\n${state}`;
}

const DENIED_BY = {
  user: "Denied by the user:",
  policy: "Blocked by policy:",
  hook: "Blocked by a hook:",
} as const;

/** The beginning is how readers of a transcript tell a denial from an error. */
export function denial(by: keyof typeof DENIED_BY, why: string): string {
  return `${DENIED_BY[by]} ${why}`;
}

/** Does a result say that its call was refused? */
export function isDenial(result: string): boolean {
  return Object.values(DENIED_BY).some((beginning) => result.startsWith(beginning));
}

export const READ_ONLY_RUN = "this run may only read, and the tool can change something.";
export const SEND_REFUSED =
  "the conversation holds private data and may hold a stranger's words, so this call could carry data out. Nothing was sent.";

export function unknownTool(name: string, names: readonly string[]): string {
  const known = names.length === 0 ? "There are no tools." : `The tools are: ${names.join(", ")}.`;
  return `No tool is called ${JSON.stringify(name)}. ${known}`;
}

export const INPUT_NO_OBJECT = "The arguments have to be a JSON object; the call was not made.";

export const INTERRUPTED = "Interrupted:";
export const NOT_MADE = `${INTERRUPTED} the run was stopped before this call was made.`;
export const CUT_OFF = `${INTERRUPTED} the run was stopped while this call was being made; what it has done is not known.`;
