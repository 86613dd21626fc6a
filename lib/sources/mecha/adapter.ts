import { createHash } from "node:crypto";
import type { Adapter, Head, HeadReader, JsonObject } from "#lib/sources/adapter.ts";
import type { Config, Meta, Outcome } from "#lib/transcript/record.ts";
import type { RunConfig, RunRow } from "#lib/transcript/run-row.ts";
import { hasOneTag, parseConfig, parseMeta, parseOutcome } from "#lib/transcript/stats.ts";
import { outcomeFromBytes } from "./outcome-bytes.ts";
import { endsAsMessage, startsUnread } from "./unread.ts";

/** What is in force at a place of the file, and the rows so far. */
export type State = {
  sessionId: string;
  startedAt: string;
  provider: string;
  model: string;
  config: RunConfig | null;
  runs: RunRow[];
};

/** mecha's own sessions: `<id>.jsonl` in one folder, the outcome of each run written by the harness itself. */
export const mecha: Adapter<State> = {
  kind: "mecha",
  provenance: "recorded",
  depth: 0,
  stampsRuns: false,
  accepts: (relative) => relative.endsWith(".jsonl") && relative !== ".jsonl",
  head: headReader,
  start: (head) => ({
    sessionId: head.id,
    startedAt: head.created_at,
    // Not the header's: it is a record like the others, and takes effect where it stands.
    provider: "",
    model: "",
    config: null,
    runs: [],
  }),
  wants: (buf, start, end) => !startsUnread(buf, start, end),
  alone: endsAsMessage,
  record: add,
  recordBytes: addBytes,
  finish: (state) => ({ runs: state.runs.slice(), unfinished: [], provider_errors: [] }),
};

/** Only the first record of a file can be its header. */
function headReader(): HeadReader {
  return {
    take: (value, text) => (value === null ? null : headOf(value, text)) ?? "none",
    end: () => null,
  };
}

function headOf(value: JsonObject, text: string): Head | null {
  const meta = value.record === "meta" ? metaOf(value, text) : null;
  return meta && { ...meta, subagent: false, parent_id: null };
}

let lastMeta: { text: string; meta: Meta | null } = { text: "", meta: null };

/** The header is looked at twice: for itself, and as the first record. */
function metaOf(value: JsonObject, text: string): Meta | null {
  if (text !== lastMeta.text) lastMeta = { text, meta: parseMeta(value, text) };
  return lastMeta.meta;
}

/** A run is attributed to the provider and model in force where its outcome stands; a broken record changes nothing. */
function add(state: State, value: JsonObject, text: string): boolean {
  switch (value.record) {
    case "outcome":
      return addOutcome(state, value, text);
    case "config":
      return addConfig(state, value, text);
    case "meta":
      return addMeta(state, value, text);
    case "message":
    case "rewrite":
    case "taint":
    case "summary":
      // Its tag stands behind other keys, or it would not have been decoded; what else it holds is not looked at.
      return hasOneTag(value, text);
    default:
      return false;
  }
}

function addBytes(state: State, buf: Uint8Array, start: number, end: number): boolean {
  const outcome = outcomeFromBytes(buf, start, end);
  if (outcome !== null) addRun(state, outcome);
  return outcome !== null;
}

function addOutcome(state: State, value: JsonObject, text: string): boolean {
  const outcome = parseOutcome(value, text);
  if (outcome !== null) addRun(state, outcome);
  return outcome !== null;
}

function addRun(state: State, outcome: Outcome): void {
  state.runs.push({
    source: "mecha",
    provenance: "recorded",
    session_id: state.sessionId,
    run: state.runs.length + 1,
    started_at: state.startedAt,
    provider: state.provider,
    model: state.model,
    subagent: false,
    turns: outcome.turns,
    usage: outcome.usage,
    usage_complete: outcome.usage_complete,
    cost_usd: outcome.cost_usd,
    stop_cause: outcome.stop_cause,
    exhausted: outcome.exhausted,
    ended_on_failed_call: outcome.ended_on_failed_call,
    tool_calls: outcome.tool_calls,
    tool_errors: outcome.tool_errors,
    tool_denied: outcome.tool_denied,
    tool_cancelled: null,
    tool_staged: outcome.tool_staged,
    malformed_tool_args: outcome.malformed_tool_args,
    blocked_sends: outcome.blocked_sends,
    compactions: outcome.compactions,
    taint: outcome.taint,
    config: state.config,
  });
}

function addMeta(state: State, value: JsonObject, text: string): boolean {
  const meta = metaOf(value, text);
  if (meta === null) return false;
  state.provider = meta.provider;
  state.model = meta.model;
  return true;
}

function addConfig(state: State, value: JsonObject, text: string): boolean {
  const config = parseConfig(value, text);
  if (config === null) return false;
  state.provider = config.provider ?? "";
  state.model = config.model ?? "";
  state.config = settingsOf(config);
  return true;
}

const promptPrint = fingerprinter();
const toolsPrint = fingerprinter();

/** The settings worth a marker; what the record does not give stays absent. */
function settingsOf(config: Partial<Config>): RunConfig {
  const settings: RunConfig = {};
  if (config.mecha_version !== undefined) settings.harness_version = config.mecha_version;
  if (config.effort !== undefined) settings.effort = config.effort;
  if (config.max_turns !== undefined) settings.max_turns = config.max_turns;
  if (config.max_output_tokens !== undefined) settings.max_output_tokens = config.max_output_tokens;
  if (config.max_cost_usd !== undefined) settings.max_cost_usd = config.max_cost_usd;
  if (config.compact_at_tokens !== undefined) settings.compact_at_tokens = config.compact_at_tokens;
  if (config.permission_mode !== undefined) settings.permission_mode = config.permission_mode;
  if (config.trifecta !== undefined) settings.trifecta = config.trifecta;
  if (config.sandbox !== undefined) settings.sandbox = config.sandbox;
  if (config.temperature !== undefined) settings.temperature = config.temperature;
  if (config.thinking !== undefined) settings.thinking = config.thinking;
  const prompt = config.system_prompt;
  if (prompt !== undefined) settings.system_prompt_sha = prompt === null ? null : promptPrint(prompt);
  if (config.tools !== undefined) settings.tools_sha = toolsPrint(config.tools.join("\n"));
  return settings;
}

/**
 * A function that gives the first 12 hex digits of a text's SHA-256. Session after session has the same prompt, so it
 * remembers the last answer.
 */
function fingerprinter(): (text: string) => string {
  let last = { text: "", print: hash("") };
  return (text) => {
    if (text !== last.text) last = { text, print: hash(text) };
    return last.print;
  };
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 12);
}
