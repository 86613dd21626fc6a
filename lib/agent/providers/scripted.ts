import type { AskWatch, Model, ModelAnswer, ModelSettings, Prices } from "#lib/agent/model.ts";
import { NO_USAGE } from "#lib/agent/usage.ts";
import type { Block } from "#lib/transcript/record.ts";
import { blocksOf, type DraftBlock } from "./answer-blocks.ts";
import { ANSWER_BYTES_MAX, endlessAnswer } from "./answer-limits.ts";
import { failure } from "./failure.ts";
import type { Script } from "./script.ts";
import { playScript, type ScriptedAnswer } from "./script-player.ts";
import type { Sleep } from "./sleep.ts";

export type ScriptedOptions = {
  /** Its name in the configuration. */
  provider: string;
  model: string;
  script: Script;
  sleep: Sleep;
  prices: Prices | null;
  contextWindow: number | null;
};

/** A script follows no setting at all. */
const DROPS: readonly (keyof ModelSettings)[] = [
  "maxTokens",
  "effort",
  "temperature",
  "seed",
  "thinking",
  "cachePrompt",
];

/** A model that plays a script: offline, and the same conversation gets the same answers. One conversation each. */
export function scriptedModel({ script, sleep, ...rest }: ScriptedOptions): Model {
  const player = playScript(script);
  const { provider, model, prices, contextWindow } = rest;
  return {
    provider,
    model,
    prices,
    contextWindow,
    drops: DROPS,
    async ask(request, watch) {
      if (watch.signal.aborted) return aborted([]);
      const answer = player.next(request);
      if (!answer.ok) return failure(answer.problem);
      return await play(answer.value, watch, sleep, { provider, model });
    },
  };
}

async function play(
  answer: ScriptedAnswer,
  watch: AskWatch,
  sleep: Sleep,
  answeredBy: { provider: string; model: string },
): Promise<ModelAnswer> {
  const { signal } = watch;
  if (answer.delayMs > 0) await sleep(answer.delayMs, signal);
  if (signal.aborted) return aborted([]);
  const before: DraftBlock[] = [{ type: "thinking", text: answer.thinking, signature: null }];
  const words: DraftBlock[] = [...before, { type: "text", text: await stream(answer, watch, sleep) }];
  if (signal.aborted) return aborted(blocksOf(words).content);
  if (answer.endless) return endlessAnswer();
  if (answer.fail !== null) {
    const { problem, overflow, transient, retry_after_ms } = answer.fail;
    const usage = overflow ? NO_USAGE : null;
    return failure(problem, { overflow, transient, retryAfterMs: retry_after_ms, usage });
  }
  const calls = answer.calls.map((call): DraftBlock => ({ type: "call", ...call }));
  const { stop, usage } = answer;
  return { kind: "reply", ...blocksOf([...words, ...calls]), stop, usage, answeredBy };
}

/** Tells the text word by word; gives what was told before an abort. */
async function stream(answer: ScriptedAnswer, watch: AskWatch, sleep: Sleep): Promise<string> {
  const words = wordsOf(answer.endless && answer.text === "" ? ". " : answer.text);
  // Without a pause an endless answer would never let its reader stop it.
  const pauseMs = answer.endless ? Math.max(1, answer.chunkDelayMs) : answer.chunkDelayMs;
  const said: string[] = [];
  let bytes = 0;
  do {
    for (const word of words) {
      if (pauseMs > 0) await sleep(pauseMs, watch.signal);
      if (watch.signal.aborted) return said.join("");
      said.push(word);
      bytes += Buffer.byteLength(word);
      watch.onText(word);
    }
  } while (answer.endless && bytes < ANSWER_BYTES_MAX);
  return said.join("");
}

/** Each word with the space after it. */
export function wordsOf(text: string): string[] {
  return text.match(/\s*\S+\s*|\s+/g) ?? [];
}

function aborted(content: Block[]): ModelAnswer {
  return { kind: "aborted", content, usage: null };
}
