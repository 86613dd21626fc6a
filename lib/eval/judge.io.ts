import type { Model } from "#lib/agent/model.ts";
import { buildModel } from "#lib/agent/providers/build.io.ts";
import type { Usage } from "#lib/transcript/record.ts";
import { JUDGE_SYSTEM, judgeMessage, parseJudgment } from "./judge.ts";
import type { Check } from "./scorecard.ts";
import type { EvalSetup, JudgeChoice } from "./setup.ts";

const OUTPUT_TOKENS_MAX = 4096;
const TIMEOUT_MS = 300_000;

/** What one judgment took; usage null when the provider did not say. */
export type Judged = { check: Check; usage: Usage | null };
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
  setup: Pick<EvalSetup, "config" | "env">,
): Promise<Judge> {
  const build = () => buildModel({ ...choice, config: setup.config, fallbacks: false, env: setup.env });
  return {
    model: await build(),
    // A model serves one conversation, and every judgment is one.
    grade: async (task, signal) => gradeWith(await build(), task, signal),
  };
}

/** A judge that cannot be reached, or that gives no judgment, fails the case and says why: it never skips in silence. */
async function gradeWith(model: Model, task: JudgeTask, signal: AbortSignal): Promise<Judged> {
  const text = judgeMessage(task.prompts, task.rubric, task.answer);
  const answer = await model.ask(
    {
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
    },
    {
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
      onText: () => undefined,
      onNote: () => undefined,
    },
  );
  switch (answer.kind) {
    case "failure":
      return { check: ungraded(answer.problem), usage: answer.usage };
    case "aborted":
      return {
        check: ungraded(signal.aborted ? "interrupted" : `no answer within ${TIMEOUT_MS / 1000} s`),
        usage: answer.usage,
      };
    case "reply": {
      const said = answer.content.map((block) => (block.type === "text" ? block.text : "")).join("");
      const judgment = parseJudgment(said);
      const check = judgment.ok
        ? { name: "judge", passed: judgment.value.pass, detail: judgment.value.reason }
        : ungraded(judgment.problem);
      return { check, usage: answer.usage };
    }
    default:
      return answer satisfies never;
  }
}

/** The words by which a report's readers know that nobody graded the answer. */
export const UNGRADED = "could not be graded: ";

function ungraded(problem: string): Check {
  return { name: "judge", passed: false, detail: `${UNGRADED}${problem}` };
}
