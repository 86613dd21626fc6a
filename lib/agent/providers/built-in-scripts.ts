import { type Config, providerEntry } from "#lib/config/config.ts";
import { parseScript } from "./parse-script.ts";
import type { Script, ScriptStep, ScriptWhen } from "./script.ts";

const ALWAYS: ScriptWhen = {
  purpose: "turn",
  prompt_is: null,
  prompt_contains: null,
  last_result_contains: null,
  last_result_is_error: null,
  last_result_has_file: null,
  results: null,
  tool_available: null,
  seen_contains: null,
  turn: null,
};

const NOTHING: ScriptStep = {
  text: null,
  thinking: null,
  calls: [],
  delay_ms: 0,
  chunk_delay_ms: 0,
  stop: null,
  usage: "estimate",
  fail: null,
  endless: false,
};

/** Lists the workspace, reads the first file and says what it saw. Each rule goes by what is there, not by counting. */
const LOOK_AROUND: Script = {
  name: "scripted",
  model: null,
  rules: [
    rule({ results: 0, tool_available: "fs_list" }, call("I look at the workspace first.", "fs_list", {})),
    rule(
      { results: 1, last_result_is_error: false, last_result_has_file: true, tool_available: "fs_read" },
      call("I read the first file.", "fs_read", { path: "{{first_file}}" }),
    ),
    rule(
      { results: 1, last_result_is_error: true },
      say("I could not list the workspace: {{last_result_line:1}}"),
    ),
    rule(
      { results: 1, last_result_has_file: false },
      say("I listed the workspace: it holds no file to read."),
    ),
    rule({ results: 1 }, say("I listed the workspace, and have no tool to read a file with.")),
    rule(
      { results: 2, last_result_is_error: true },
      say("I could not read the file: {{last_result_line:1}}"),
    ),
    rule(
      { results: 2 },
      say("I listed the workspace and read its first file. It begins with: {{last_result_line:1}}"),
    ),
    rule({ results: 0 }, say("I am a scripted model, and have no tool to look at the workspace with.")),
  ],
  otherwise: say("I am a scripted model: I play a fixed script, and this is all it says here."),
};

/** Plays a diagnostician that always bets on the same knob. It looks at nothing: it shows the way, and is no opinion. */
const PROPOSER: Script = {
  name: "proposer",
  model: null,
  rules: [],
  otherwise: say(`I am a script and no model, and I bet on the same thing whatever the counters say.

PROPOSAL
class: config
change: max_turns=60
metric: cut_short
rationale: more turns may let long tasks end by themselves`),
};

/**
 * Scripts that need no configuration, by the name under which they are a provider. Those over the shipped cases are data
 * and long, so they are loaded when they are asked for.
 */
export const builtInScripts: ReadonlyMap<string, () => Promise<Script>> = new Map([
  [LOOK_AROUND.name, async () => LOOK_AROUND],
  [PROPOSER.name, async () => PROPOSER],
  [
    "perfect",
    async () => shipped((await import("../../../eval/scripts/perfect.json")).default, "perfect.json"),
  ],
  ["flawed", async () => shipped((await import("../../../eval/scripts/flawed.json")).default, "flawed.json")],
]);

/** Does a script answer under this provider's name, and no model? An entry of the configuration comes before one built in. */
export function isScripted(config: Pick<Config, "providers">, provider: string): boolean {
  const entry = providerEntry(config, provider);
  return entry === null ? builtInScripts.has(provider) : entry.kind === "scripted";
}

function shipped(data: unknown, file: string): Script {
  const script = parseScript(JSON.stringify(data), file);
  if (!script.ok) throw new Error(script.problem);
  return script.value;
}

function rule(when: Partial<ScriptWhen>, step: ScriptStep): Script["rules"][number] {
  return { when: { ...ALWAYS, ...when }, steps: [step], repeat: true };
}

function say(text: string): ScriptStep {
  return { ...NOTHING, text };
}

function call(text: string, tool: string, input: { [key: string]: unknown }): ScriptStep {
  return { ...NOTHING, text, calls: [{ tool, input, arguments: null, id: null }] };
}
