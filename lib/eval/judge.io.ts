import type { Model, ModelRequest } from "#lib/agent/model.ts";
import { buildModel } from "#lib/agent/providers/build.io.ts";
import { costOf } from "#lib/agent/usage.ts";
import type { Block } from "#lib/transcript/record.ts";
import { clipped } from "#lib/utf8.ts";
import type { JudgeCost } from "./journal.ts";
import { JUDGE_SYSTEM, judgeMessage, parseJudgment } from "./judge.ts";
import { UNGRADED } from "./mark.ts";
import type { Check } from "./scorecard.ts";
import type { EvalSetup, JudgeChoice } from "./setup.ts";

const OUTPUT_TOKENS_MAX = 4096;
const TIMEOUT_MS = 300_000;
/** One sentence was asked for, and it stands in every report and journal. */
const REASON_MAX = 4_000;

/** A judgment and what it took. */
export type Judged = { check: Check; took: JudgeCost };
export type Judge = {
  grade(task: JudgeTask, signal: AbortSignal): Promise<Judged>;
  readonly model: Model;
};
export type JudgeTask = { prompts: readonly string[]; rubric: string; answer: string };

/**
 * Makes sure that there is a judge before anything is spent on the model under test. Throws a UserError when its provider
 * cannot be used.
 */
export async function prepareJudge(
  choice: JudgeChoice,
  setup: Pick<EvalSetup, "config" | "env" | "scripts">,
  timeoutMs: number = TIMEOUT_MS,
): Promise<Judge> {
  const build = () =>
    buildModel({ ...choice, config: setup.config, fallbacks: false, env: setup.env, scripts: setup.scripts });
  return {
    model: await build(),
    // A model serves one conversation, and every judgment is one.
    grade: async (task, signal) => gradeWith(await build(), task, signal, timeoutMs),
  };
}

/** A judge that cannot be reached, or that gives no judgment, fails the case and says why: it never skips in silence. */
async function gradeWith(
  model: Model,
  task: JudgeTask,
  signal: AbortSignal,
  timeoutMs: number,
): Promise<Judged> {
  const text = judgeMessage(task.prompts, task.rubric, task.answer);
  const answer = await model.ask(judgeRequest(text), {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
    onText: () => undefined,
    onNote: () => undefined,
  });
  const { usage } = answer;
  const took = { usage, cost_usd: usage === null ? null : costOf(usage, model.prices) };
  switch (answer.kind) {
    case "failure":
      return { check: ungraded(answer.problem), took };
    case "aborted":
      return {
        check: ungraded(signal.aborted ? "interrupted" : `no answer within ${timeoutMs / 1000} s`),
        took,
      };
    case "reply":
      return { check: checkOf(answer.content), took };
    default:
      return answer satisfies never;
  }
}

function judgeRequest(text: string): ModelRequest {
  return {
    purpose: "judge",
    system: JUDGE_SYSTEM,
    messages: [{ role: "user", content: [{ type: "text", text }] }],
    tools: [],
    settings: {
      maxTokens: OUTPUT_TOKENS_MAX,
      effort: null,
      temperature: null,
      seed: null,
      thinking: false,
      cachePrompt: false,
    },
  };
}

function checkOf(content: readonly Block[]): Check {
  const said = content.map((block) => (block.type === "text" ? block.text : "")).join("");
  const judgment = parseJudgment(said);
  if (!judgment.ok) return ungraded(judgment.problem);
  const { pass, reason } = judgment.value;
  return { name: "judge", passed: pass, detail: clipped(reason, REASON_MAX) };
}

function ungraded(problem: string): Check {
  return { name: "judge", passed: false, detail: `${UNGRADED}: ${problem}` };
}
