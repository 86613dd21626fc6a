import type { StopCause } from "#lib/transcript/record.ts";
import type { SessionPlan } from "./plan-sessions.ts";
import type { Random } from "./random.ts";
import { TRIGGER_TOOLS, TRIGGER_WORDS } from "./trigger-tools.ts";
import { type Exchange, WORKSPACES } from "./world.ts";

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

/** What the model says between calls, for a change and for a question. */
export const SAYINGS = {
  edits: [
    "I look at the file first.",
    "Now the place that calls it.",
    "Checking that nothing else relies on it.",
    "One more look before I change anything.",
    "Running the checks.",
  ],
  questions: [
    "That is not where I expected it.",
    "The first source does not say; trying the next.",
    "Comparing this with the other one.",
    "One more source, so that it does not rest on a single one.",
  ],
  thinking: [
    "The name suggests one thing and the content another. Read before answering.",
    "Two places could be meant. The second is the one the question describes.",
    "The output is shorter than it should be; look at the input again.",
  ],
} as const;

/** Last words of a run that something else ended. An interrupted run has none. */
const CUT_OFF: Partial<Record<StopCause, readonly [string, ...string[]]>> = {
  max_turns: [
    "I ran out of turns. Two of the places are looked at; the third is open.",
    "No turns left. What I found so far is above; the checks have not run.",
  ],
  loop: ["I was repeating the same call without learning anything new, so I stop here."],
};

/** Last words after a call that failed, by its tool. */
const GAVE_UP: Record<string, string> = {
  fs_read: "I could not read the last file. What I have so far is above.",
  fs_edit: "The edit did not apply. Please have a look at the file yourself.",
  shell: "The last command still fails, so I stop here: I cannot tell whether this is right.",
};

/** What a run says at its end; `done` where it went well. */
export function lastWords(stop: StopCause, lastFailed: string | null, done: string, random: Random): string {
  const cutOff = CUT_OFF[stop];
  if (cutOff !== undefined) return random.pick(cutOff);
  if (lastFailed === null) return done;
  return GAVE_UP[lastFailed] ?? "The last look-up failed, so part of the answer is missing.";
}

type Words = { title: string; edits: boolean; exchanges: Exchange[] };

/** What is asked and answered in a session, one exchange per run. */
export function wordsFor({ workspace, trigger, runs }: SessionPlan, random: Random): Words {
  if (trigger !== null) {
    const { prompt, answer } = TRIGGER_WORDS[trigger];
    const idle = runs[0]?.plan.calls.length === 0;
    return {
      title: `trigger: ${trigger}`,
      edits: false,
      exchanges: [[prompt, idle ? "Nothing to report." : answer]],
    };
  }
  const { prompt, edits, done, further } = random.pick(WORKSPACES[workspace].tasks);
  const more = runs.slice(1).map((_, i) => further[i] ?? ENDLESS[i % ENDLESS.length] ?? ENDLESS[0]);
  return { title: prompt.split(/[.?:,]/)[0] ?? prompt, edits, exchanges: [[prompt, done], ...more] };
}

const ENDLESS: readonly [Exchange, ...Exchange[]] = [
  ["Look once more whether anything else depends on it.", "Nothing else does; I searched the whole folder."],
  ["Check it again from the start.", "Same result as before."],
  [
    "Explain the last step.",
    "I read the file again because the output before it was shorter than expected. It was complete.",
  ],
  ["Is there a simpler way?", "Not one that keeps the numbers as they are."],
  ["Anything you did not check?", "The folders outside this one."],
];
