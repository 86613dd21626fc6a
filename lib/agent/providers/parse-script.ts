import type { RequestPurpose, StopReason } from "#lib/agent/model.ts";
import type { Parsed } from "#lib/errors.ts";
import { parseJsonText } from "#lib/json-text.ts";
import { USAGE_KEYS, type Usage } from "#lib/transcript/record.ts";
import type { Script, ScriptCall, ScriptFailure, ScriptRule, ScriptStep, ScriptWhen } from "./script.ts";
import { Fields, inFile } from "./script-fields.ts";

const LIST_MAX = 10_000;
const DELAY_MS_MAX = 86_400_000;
const COUNT_MAX = Number.MAX_SAFE_INTEGER;
const PURPOSES = [
  "turn",
  "final",
  "summary",
  "validate",
  "judge",
] as const satisfies readonly RequestPurpose[];
const STOPS = ["end", "length", "refusal", "pause"] as const satisfies readonly StopReason[];

/**
 * Reads a script. The problem is one line that names the file and the place in it, such as
 * `demo.json: rules[0].when: unknown key "promt_is"; did you mean "prompt_is"?`.
 */
export function parseScript(text: string, file: string): Parsed<Script> {
  const json = parseJsonText(text.replace(/^\uFEFF/, ""));
  if (!json.ok) return { ok: false, problem: `${file}: ${json.problem}` };
  return inFile(file, () => readScript(json.value));
}

function readScript(value: unknown): Script {
  const fields = new Fields(value, "", ["name", "model", "rules", "otherwise"]);
  const name = fields.text("name");
  if (name === null || name.trim() === "") throw fields.problem("name", "is missing");
  if (!fields.has("rules") && !fields.has("otherwise")) throw fields.problem("rules", "is missing");
  return {
    name,
    model: fields.text("model"),
    rules: fields.list("rules", LIST_MAX, readRule),
    otherwise: fields.has("otherwise") ? readStep(fields.raw("otherwise"), "otherwise") : null,
  };
}

function readRule(value: unknown, path: string): ScriptRule {
  const fields = new Fields(value, path, ["when", "steps", "repeat"]);
  const steps = fields.list("steps", LIST_MAX, readStep);
  if (steps.length === 0) throw fields.problem("steps", "must hold at least one step");
  const when = fields.has("when") ? fields.raw("when") : {};
  return { when: readWhen(when, fields.at("when")), steps, repeat: fields.flag("repeat") ?? false };
}

const WHEN_KEYS = [
  "purpose",
  "prompt_is",
  "prompt_contains",
  "last_result_contains",
  "last_result_is_error",
  "last_result_has_file",
  "results",
  "tool_available",
  "seen_contains",
  "turn",
];

function readWhen(value: unknown, path: string): ScriptWhen {
  const fields = new Fields(value, path, WHEN_KEYS);
  return {
    purpose: fields.oneOf("purpose", PURPOSES) ?? "turn",
    prompt_is: fields.text("prompt_is"),
    prompt_contains: fields.text("prompt_contains"),
    last_result_contains: fields.text("last_result_contains"),
    last_result_is_error: fields.flag("last_result_is_error"),
    last_result_has_file: fields.flag("last_result_has_file"),
    results: fields.count("results", COUNT_MAX),
    tool_available: fields.text("tool_available"),
    seen_contains: fields.text("seen_contains"),
    turn: fields.count("turn", COUNT_MAX),
  };
}

const STEP_KEYS = [
  "text",
  "thinking",
  "calls",
  "delay_ms",
  "chunk_delay_ms",
  "stop",
  "usage",
  "fail",
  "endless",
];

function readStep(value: unknown, path: string): ScriptStep {
  const fields = new Fields(value, path, STEP_KEYS);
  return {
    text: fields.text("text"),
    thinking: fields.text("thinking"),
    calls: fields.list("calls", LIST_MAX, readCall),
    delay_ms: fields.count("delay_ms", DELAY_MS_MAX) ?? 0,
    chunk_delay_ms: fields.count("chunk_delay_ms", DELAY_MS_MAX) ?? 0,
    stop: fields.oneOf("stop", STOPS),
    usage: readUsage(fields),
    fail: fields.has("fail") ? readFailure(fields.raw("fail"), fields.at("fail")) : null,
    endless: fields.flag("endless") ?? false,
  };
}

function readCall(value: unknown, path: string): ScriptCall {
  const fields = new Fields(value, path, ["tool", "input", "arguments", "id"]);
  const tool = fields.text("tool");
  if (tool === null) throw fields.problem("tool", "is missing");
  if (fields.has("input") && fields.has("arguments"))
    throw fields.problem("arguments", "cannot stand beside input: one of the two is sent");
  return {
    tool,
    input: fields.object("input") ?? {},
    arguments: fields.text("arguments"),
    id: fields.text("id"),
  };
}

/** Null in the file says that the provider did not tell; without the key, usage is estimated. */
function readUsage(step: Fields): Usage | "estimate" | null {
  const value = step.raw("usage");
  if (value === undefined) return "estimate";
  if (value === null) return null;
  const fields = new Fields(value, step.at("usage"), USAGE_KEYS);
  const count = (key: keyof Usage): number => {
    const tokens = fields.count(key, COUNT_MAX);
    if (tokens === null) throw fields.problem(key, "is missing: all four counts are needed");
    return tokens;
  };
  return {
    input_tokens: count("input_tokens"),
    output_tokens: count("output_tokens"),
    cache_creation_input_tokens: count("cache_creation_input_tokens"),
    cache_read_input_tokens: count("cache_read_input_tokens"),
  };
}

function readFailure(value: unknown, path: string): ScriptFailure {
  const fields = new Fields(value, path, ["problem", "transient", "overflow", "retry_after_ms", "times"]);
  const problem = fields.text("problem");
  if (problem === null) throw fields.problem("problem", "is missing");
  const times = fields.count("times", LIST_MAX) ?? 1;
  if (times === 0) throw fields.problem("times", "must be at least 1");
  return {
    problem,
    transient: fields.flag("transient") ?? false,
    overflow: fields.flag("overflow") ?? false,
    retry_after_ms: fields.count("retry_after_ms", DELAY_MS_MAX),
    times,
  };
}
