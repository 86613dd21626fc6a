import { shortenResults } from "./compact-passes.ts";
import {
  cutIndex,
  installSummary,
  omissionsOf,
  recordText,
  summaryRequest,
  validateRequest,
} from "./compact-summary.ts";
import { armGuard } from "./loop-guard.ts";
import { SUMMARY_CUT } from "./loop-words.ts";
import { readReply } from "./reply.ts";
import { type Aside, ask } from "./request.ts";
import { type Run, rewrite } from "./run-state.ts";

/**
 * Shortens the conversation when the last request had grown to the limit. True: something may have changed, tokens or
 * time may be spent, so every limit has to be looked at again before the next request.
 */
export async function compactWhenFull(run: Run): Promise<boolean> {
  const { compactAtTokens, compactKeepRecent } = run.parts.limits;
  if (compactAtTokens === null || run.inputTokens === null || run.inputTokens < compactAtTokens) return false;
  // The next request says anew how large the conversation is.
  run.inputTokens = null;
  shorten(run, run.messages.length - 2 * Math.max(1, compactKeepRecent));
  await summarise(run);
  return true;
}

/**
 * For a request that was too large: every result is thinned, and when that changes nothing a summary is tried. False:
 * the conversation is what it was.
 */
export async function makeRoom(run: Run): Promise<boolean> {
  return shorten(run, run.messages.length) || (await summarise(run));
}

function shorten(run: Run, wholeFrom: number): boolean {
  const isRead = (name: string) => run.tools.get(name)?.readOnly ?? false;
  const shorter = shortenResults(run.messages, { isRead, wholeFrom });
  if (shorter === run.messages) return false;
  rewrite(run, shorter);
  return true;
}

async function summarise(run: Run): Promise<boolean> {
  const { limits, carry, observe } = run.parts;
  const cut = run.summariesOff ? null : cutIndex(run.messages, limits.compactKeepRecent);
  if (cut === null) return false;
  const summary = await checkedSummary(run, recordText(run.messages.slice(0, cut)));
  if (summary === null) {
    run.summariesOff = true;
    return false;
  }
  const messagesBefore = run.messages.length;
  rewrite(run, installSummary(run.messages, { cut, summary, prompt: run.prompt, carried: carry() }));
  run.compactions += 1;
  run.guard = armGuard(run.guard);
  observe({ type: "compacted", messagesBefore, messagesAfter: run.messages.length });
  return true;
}

/** A summary, written once more when a second look finds that something is missing; null when there is none to be had. */
async function checkedSummary(run: Run, record: string): Promise<string | null> {
  const first = await written(run, "summary", summaryRequest(record, null));
  if (first === null || !run.parts.limits.compactValidate) return first;
  const verdict = await written(run, "validate", validateRequest(record, first));
  const omissions = verdict === null ? null : omissionsOf(verdict);
  if (omissions === null) return first;
  return (await written(run, "summary", summaryRequest(record, omissions))) ?? first;
}

async function written(run: Run, purpose: "summary" | "validate", aside: Aside): Promise<string | null> {
  if (run.parts.signal.aborted) return null;
  const answer = await ask(run, purpose, aside);
  if (answer.kind === "aborted") return null;
  const text = answer.kind === "reply" ? readReply(answer.content, [], run.callIds).text.trim() : "";
  if (text !== "" && answer.kind === "reply" && answer.stop !== "refusal")
    return purpose === "summary" && answer.stop === "length" ? cutOff(run, text) : text;
  const why = answer.kind === "failure" ? answer.problem : "it gave no text";
  const what =
    purpose === "summary" ? "the conversation could not be summarised" : "the summary could not be checked";
  run.parts.observe({ type: "note", text: `${what}: ${why}` });
  return null;
}

/** Better than none, but whoever works from it has to know that its end is missing: what is open, and the next step. */
function cutOff(run: Run, summary: string): string {
  run.parts.observe({
    type: "note",
    text: "the summary of the conversation was cut off at the limit of one answer",
  });
  return `${summary}\n${SUMMARY_CUT}`;
}
