import { createHash } from "node:crypto";
import type { Config } from "#lib/transcript/record.ts";
import type { RunConfig } from "#lib/transcript/run-row.ts";
import type { ConfigText } from "./as-written.ts";

const promptPrint = fingerprinter();
const toolsPrint = fingerprinter();

/** The settings worth a marker; what the record does not give stays absent. */
export function settingsOf(config: Partial<Config>): RunConfig {
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

const PROMPTS_MAX = 8;
const SETTINGS_MAX = 1000;

/**
 * Settings by the text they were written as: session after session starts with the same ones, and a prompt is long. The
 * few last prompts are known by their place, so that looking up settings compares a prompt once and hashes none.
 */
export class SettingsByText {
  #prompts: string[] = [];
  #settings = new Map<string, RunConfig>();

  /** The settings that were written like this before; else those that `read` gives. */
  get(text: ConfigText, read: () => RunConfig | null): RunConfig | null {
    const key = `${this.#place(text.prompt)}\n${text.others}`;
    const known = this.#settings.get(key);
    if (known !== undefined) return known;
    const settings = read();
    if (settings !== null) this.#settings.set(key, settings);
    return settings;
  }

  #place(prompt: string): number {
    const place = this.#prompts.indexOf(prompt);
    if (place >= 0 && this.#settings.size < SETTINGS_MAX) return place;
    if (this.#prompts.length === PROMPTS_MAX || this.#settings.size >= SETTINGS_MAX) {
      this.#prompts = [];
      this.#settings.clear();
    }
    return this.#prompts.push(prompt) - 1;
  }
}
