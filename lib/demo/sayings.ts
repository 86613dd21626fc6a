import type { StopCause } from "#lib/transcript/record.ts";
import type { SessionPlan } from "./plan-sessions.ts";
import type { Random } from "./random.ts";
import { TRIGGER_TOOLS, TRIGGER_WORDS } from "./trigger-tools.ts";
import { WORKSPACES } from "./world.ts";

export const SYSTEM_PROMPT =
  "You help a small cooperative that delivers boxes of fruit. Look before you change anything, and say what you did not check.";

const BUILT_IN = ["fs_edit", "fs_list", "fs_read", "fs_write", "http_fetch", "mail__send", "shell", "todo"];

/** Every tool on offer, by name; the same for people and triggers. */
export const TOOLS = [
  ...new Set([
    ...BUILT_IN,
    ...Object.values(TRIGGER_TOOLS).flatMap((tools) => tools.map(({ name }) => name)),
  ]),
].sort();

/** What the model says between calls. */
export const SAYINGS = {
  text: [
    "I look at the file first.",
    "Now the place that calls it.",
    "Checking that nothing else relies on it.",
    "One more look before I change anything.",
    "Running the checks.",
    "That is not where I expected it.",
    "Trying the other spelling.",
  ],
  thinking: [
    "The name suggests one thing and the code does another. Read before editing.",
    "Two places could be meant. The second is the one the question describes.",
    "The output is shorter than it should be; look at the input again.",
  ],
} as const;

/** Last words of runs that did not simply finish. An interrupted run has none. */
export const ANSWERS: Record<
  Exclude<StopCause, "completed"> | "completed" | "failed_call",
  readonly [string, ...string[]]
> = {
  completed: ["Done."],
  failed_call: [
    "The last command still fails, so I stop here: I cannot tell whether the change is right.",
    "I could not read the last file. What I have so far is above.",
    "The edit did not apply. Please have a look at the file yourself.",
  ],
  max_turns: [
    "I ran out of turns. Two of the places are looked at; the third is open.",
    "No turns left. The change is made, the checks have not run.",
  ],
  loop: ["I was repeating the same call without learning anything new, so I stop here."],
  interrupted: [""],
  output_token_budget: [""],
  cost_budget: [""],
  no_output: [""],
};

type Words = { title: string; prompts: string[]; answers: string[] };

/** What is asked and answered in a session, one entry per run. */
export function wordsFor({ workspace, trigger, runs }: SessionPlan, random: Random): Words {
  if (trigger !== null) {
    const { prompt, answer } = TRIGGER_WORDS[trigger];
    const nothing = runs[0]?.plan.calls.length === 0;
    return {
      title: `trigger: ${trigger}`,
      prompts: [prompt],
      answers: [nothing ? "Nothing to report." : answer],
    };
  }
  const task = random.pick(WORKSPACES[workspace].tasks);
  const follow = runs.slice(1).map((_, i) => task.followUps[i] ?? random.pick(FURTHER));
  return {
    title: task.prompt.split(/[.?:,]/)[0] ?? task.prompt,
    prompts: [task.prompt, ...follow],
    answers: [task.done, ...follow.map(() => random.pick(SHORT_ANSWERS))],
  };
}

const FURTHER = [
  "Look once more whether anything else depends on it.",
  "Go on with the next one.",
  "Explain the last step.",
  "Undo that and try the simpler way.",
  "Check it again from the start.",
] as const;

const SHORT_ANSWERS = [
  "Done, and the checks pass.",
  "Yes. The place is the one named above; nothing else uses it.",
  "No, that part is not affected.",
  "Two lines changed. I looked at the result once more and it reads as intended.",
  "It is in now. I left everything else as it was.",
] as const;
