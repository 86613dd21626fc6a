import type { ModelRequest, StopReason } from "#lib/agent/model.ts";
import type { Parsed } from "#lib/errors.ts";
import type { Usage } from "#lib/transcript/record.ts";
import { clipped } from "#lib/utf8.ts";
import type { Script, ScriptFailure, ScriptRule, ScriptStep } from "./script.ts";
import { fillText, fillValue, fits, type ScriptView, textsOf, viewOf } from "./script-view.ts";

/** One answer of a script, its placeholders filled in. */
export type ScriptedAnswer = {
  text: string;
  thinking: string;
  /** `arguments` is text, JSON or not, as a provider would send it. */
  calls: { id: string; name: string; arguments: string }[];
  stop: StopReason;
  usage: Usage | null;
  delayMs: number;
  chunkDelayMs: number;
  fail: ScriptFailure | null;
  endless: boolean;
};

export type ScriptPlayer = {
  /** The next answer. That the script has none for this request is the problem. */
  next(request: ModelRequest): Parsed<ScriptedAnswer>;
};

/** Plays a script for one conversation. The same requests get the same answers, ids and counts. */
export function playScript(script: Script): ScriptPlayer {
  const cursors = script.rules.map(() => ({ step: 0, failed: 0 }));
  let turns = 0;
  let calls = 0;

  function take(view: ScriptView): ScriptStep | null {
    for (const [i, rule] of script.rules.entries()) {
      const cursor = cursors[i];
      if (cursor === undefined || !fits(rule.when, view)) continue;
      const step = rule.steps[cursor.step];
      if (step === undefined) continue;
      advance(cursor, rule, step);
      return step;
    }
    return script.otherwise;
  }

  return {
    next(request) {
      if (request.purpose === "turn") turns += 1;
      const view = viewOf(request, turns);
      const step = take(view);
      if (step === null) return { ok: false, problem: nothingLeft(script.name, view) };
      const value = answerOf(step, view, request, () => {
        calls += 1;
        return `call_${calls}`;
      });
      return { ok: true, value };
    },
  };
}

function advance(cursor: { step: number; failed: number }, rule: ScriptRule, step: ScriptStep): void {
  cursor.failed += 1;
  if (cursor.failed < (step.fail?.times ?? 1)) return;
  cursor.failed = 0;
  cursor.step += 1;
  if (rule.repeat && cursor.step === rule.steps.length) cursor.step = 0;
}

function answerOf(
  step: ScriptStep,
  view: ScriptView,
  request: ModelRequest,
  nextId: () => string,
): ScriptedAnswer {
  const text = fillText(step.text ?? "", view);
  const thinking = fillText(step.thinking ?? "", view);
  const calls = step.calls.map((call) => ({
    id: call.id ?? nextId(),
    name: call.tool,
    arguments: call.arguments ?? JSON.stringify(fillValue(call.input, view)),
  }));
  const written = [text, thinking, ...calls.map((call) => call.name + call.arguments)];
  return {
    text,
    thinking,
    calls,
    stop: step.stop ?? (calls.length > 0 ? "tool_calls" : "end"),
    usage: step.usage === "estimate" ? estimate(sentTexts(request), written) : step.usage,
    delayMs: step.delay_ms,
    chunkDelayMs: step.chunk_delay_ms,
    fail: step.fail,
    endless: step.endless,
  };
}

function nothingLeft(script: string, { purpose, turn, prompt, lastResult }: ScriptView): string {
  const asked = purpose === "turn" ? `turn ${turn}` : `a request for the purpose "${purpose}"`;
  const result = lastResult === null ? "" : `, last result ${shown(lastResult.content)}`;
  return `the script "${script}" has no answer left for ${asked} (prompt ${shown(prompt)}${result})`;
}

function shown(text: string): string {
  return JSON.stringify(clipped(text, 80));
}

/** What a provider would count: tools are read on every turn too. */
function sentTexts(request: ModelRequest): string[] {
  return [...textsOf(request), ...request.tools.map((tool) => JSON.stringify(tool))];
}

const BYTES_PER_TOKEN = 4;

/** A guess that grows with the conversation, so that budgets and compaction have something to count. */
function estimate(read: readonly string[], written: readonly string[]): Usage {
  const tokens = (texts: readonly string[]) =>
    Math.ceil(texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0) / BYTES_PER_TOKEN);
  return {
    input_tokens: tokens(read),
    output_tokens: tokens(written),
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
  };
}
