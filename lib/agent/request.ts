import type { Usage } from "#lib/transcript/record.ts";
import type { ModelAnswer, ModelRequest, RequestPurpose } from "./model.ts";
import type { Run } from "./run-state.ts";
import { addUsage, inputTokens, usableUsage } from "./usage.ts";

/** Requests that stand beside the conversation bring their own words. */
export type Aside = Pick<ModelRequest, "system" | "messages">;

/**
 * One request, counted whatever comes of it. Only a turn is told of tools and counts as a turn; only what the person
 * gets to read is streamed.
 */
export async function ask(
  run: Run,
  purpose: RequestPurpose,
  aside: Aside | null = null,
): Promise<ModelAnswer> {
  const { model, settings, signal, observe, system } = run.parts;
  const inTurn = purpose === "turn";
  if (inTurn) run.turns += 1;
  const answer = await model.ask(
    {
      purpose,
      ...(aside ?? { system, messages: run.messages }),
      tools: inTurn ? run.parts.tools.map((tool) => tool.spec) : [],
      settings,
    },
    {
      signal,
      onText: (delta) => {
        if (aside === null) observe({ type: "text", delta });
      },
      onNote: (text) => observe({ type: "note", text }),
    },
  );
  const usage = spend(run, answer.usage);
  if (answer.kind === "reply") {
    if (inTurn) run.inputTokens = usage === null ? null : inputTokens(usage);
    if (aside === null) run.lastStop = answer.stop;
    noteAnswerer(run, answer.answeredBy);
  }
  return answer;
}

/** Usage that nobody told is unknown: the sum is then only the least it can have been. */
function spend(run: Run, told: Usage | null): Usage | null {
  const usage = usableUsage(told);
  if (usage === null) run.usageComplete = false;
  else run.usage = addUsage(run.usage, usage);
  return usage;
}

function noteAnswerer(run: Run, answerer: Run["answerer"]): void {
  const { provider, model } = run.answerer;
  if (provider === answerer.provider && model === answerer.model) return;
  run.answerer = answerer;
  run.parts.observe({ type: "answerer", answerer });
}
