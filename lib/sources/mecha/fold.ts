import { isUtf8 } from "node:buffer";
import type { JsonObject } from "#lib/sources/adapter.ts";
import type { Meta, Outcome } from "#lib/transcript/record.ts";
import type { RunConfig, RunRow } from "#lib/transcript/run-row.ts";
import { hasOneTag, parseConfig, parseMeta, parseOutcome } from "#lib/transcript/stats.ts";
import { configAsWritten, metaAsWritten, outcomeAsWritten } from "./as-written.ts";
import { SettingsByText, settingsOf } from "./settings.ts";

/** What is in force at a place of the file, and the rows so far. */
export type State = {
  sessionId: string;
  startedAt: string;
  provider: string;
  model: string;
  config: RunConfig | null;
  runs: RunRow[];
};

/**
 * Adds one decoded record; false when it is none. A run is attributed to the provider and model in force where its
 * outcome stands; a broken record changes nothing.
 */
export function addRecord(state: State, value: JsonObject, text: string): boolean {
  switch (value.record) {
    case "outcome":
      return takeOutcome(state, parseOutcome(value, text));
    case "config": {
      const config = parseConfig(value, text);
      return config !== null && takeConfig(state, config.provider, config.model, settingsOf(config));
    }
    case "meta":
      return takeMeta(state, parseMeta(value, text));
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

/** Where the tag's value starts in a record that starts `{"record":"`, and the first letters of the kinds. */
const KIND_AT = 11;
const OUTCOME = 0x6f;
const CONFIG = 0x63;
const META = 0x6d;

/** Adds one line as mecha writes it; false, and nothing done, for any other. */
export function addText(state: State, text: string, start: number, end: number): boolean {
  switch (text.charCodeAt(start + KIND_AT)) {
    case OUTCOME:
      return takeOutcome(state, outcomeAsWritten(text, start, end));
    case CONFIG:
      return takeConfigText(state, text, start, end);
    case META:
      return takeMeta(state, readMeta(text.slice(start, end)));
    default:
      return false;
  }
}

const settingsByText = new SettingsByText();

function takeConfigText(state: State, text: string, start: number, end: number): boolean {
  const written = configAsWritten(text, start, end);
  if (written === null) return false;
  const settings = settingsByText.get(written, () => readSettings(text.slice(start, end)));
  return settings !== null && takeConfig(state, nameOf(written.provider), nameOf(written.model), settings);
}

const names = new Map<string, string>();
const NAMES_MAX = 1_000;

/** One string for equal names: a piece cut out of a text keeps all of that text in memory for as long as a row lives. */
function nameOf(name: string): string {
  const known = names.get(name);
  if (known !== undefined) return known;
  if (names.size >= NAMES_MAX) names.clear();
  names.set(name, name);
  return name;
}

/** The settings of a line that was not seen before, from its bytes as text. */
function readSettings(line: string): RunConfig | null {
  const bytes = Buffer.from(line, "latin1");
  if (!isUtf8(bytes)) return null;
  const text = bytes.toString("utf8");
  const config = parseConfig(JSON.parse(text), text);
  return config && settingsOf(config);
}

let lastMeta: { text: string; meta: Meta | null } = { text: "", meta: null };

/** A header as mecha writes it, or null. It is looked at twice: for itself, and as the first record of its file. */
export function readMeta(text: string): Meta | null {
  if (text !== lastMeta.text) lastMeta = { text, meta: metaAsWritten(text) };
  return lastMeta.meta;
}

function takeMeta(state: State, meta: Meta | null): boolean {
  if (meta === null) return false;
  state.provider = meta.provider;
  state.model = meta.model;
  return true;
}

/** An absent provider or model is in force as the empty text. */
function takeConfig(state: State, provider = "", model = "", settings: RunConfig): boolean {
  state.provider = provider;
  state.model = model;
  state.config = settings;
  return true;
}

function takeOutcome(state: State, outcome: Outcome | null): boolean {
  if (outcome === null) return false;
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
  return true;
}
