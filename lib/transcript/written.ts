import { mendedTexts } from "#lib/utf8.ts";
import type { Block, Config, Message, Meta, Outcome, TranscriptRecord } from "./record.ts";
import { parseConfig, parseMeta, parseOutcome } from "./stats.ts";

/** One record as its line in a session file, newline included; throws for one whose counts no reader would take. */
export function recordLine(record: TranscriptRecord): Buffer {
  const text = JSON.stringify(written(record), mendedTexts);
  if (!isReadable(record, text))
    throw new Error(`a record that its readers would drop: ${text.slice(0, 400)}`);
  return Buffer.from(`${text}\n`);
}

/** The counts of a run must never be lost to a NaN or a fraction without anyone noticing. */
function isReadable(record: TranscriptRecord, text: string): boolean {
  switch (record.record) {
    case "meta":
      return parseMeta(JSON.parse(text), text) !== null;
    case "config":
      return parseConfig(JSON.parse(text), text) !== null;
    case "outcome":
      return parseOutcome(JSON.parse(text), text) !== null;
    case "message":
    case "rewrite":
    case "taint":
    case "summary":
      return true;
    default:
      return record satisfies never;
  }
}

/** The record with its keys in the order in which they are written, and without those that are left out. */
function written(record: TranscriptRecord): object {
  switch (record.record) {
    case "meta":
      return writtenMeta(record);
    case "config":
      return writtenConfig(record);
    case "message":
      return { record: "message", ...writtenMessage(record) };
    case "rewrite":
      return { record: "rewrite", messages: record.messages.map(writtenMessage) };
    case "taint":
      return { record: "taint", private: record.private, untrusted: record.untrusted };
    case "summary":
      return { record: "summary", usage: writtenUsage(record.usage), turns: record.turns };
    case "outcome":
      return writtenOutcome(record);
    default:
      return record satisfies never;
  }
}

function writtenMeta({ id, created_at, provider, model, workspace, title }: Meta): object {
  const meta = { record: "meta", id, created_at, provider, model, workspace };
  return title === null ? meta : { ...meta, title };
}

/** Unlike elsewhere, an option that is not set is written, as `null`. */
function writtenConfig(config: Config): object {
  return {
    record: "config",
    mecha_version: config.mecha_version,
    provider: config.provider,
    model: config.model,
    workspace: config.workspace,
    system_prompt: config.system_prompt,
    tools: config.tools.toSorted(),
    effort: config.effort,
    temperature: config.temperature,
    seed: config.seed,
    thinking: config.thinking,
    cache_prompt: config.cache_prompt,
    max_tokens: config.max_tokens,
    max_turns: config.max_turns,
    max_output_tokens: config.max_output_tokens,
    max_cost_usd: config.max_cost_usd,
    compact_at_tokens: config.compact_at_tokens,
    compact_keep_recent: config.compact_keep_recent,
    permission_mode: config.permission_mode,
    trifecta: config.trifecta,
    sandbox: config.sandbox,
    sandbox_network: config.sandbox_network,
  };
}

function writtenMessage({ role, content }: Message): object {
  return { role, content: content.map(writtenBlock) };
}

function writtenBlock(block: Block): object {
  switch (block.type) {
    case "text":
      return { type: "text", text: block.text };
    case "thinking":
      return withKey({ type: "thinking", text: block.text }, "signature", block.signature);
    case "tool_use":
      return { type: "tool_use", id: block.id, name: block.name, input: block.input ?? null };
    case "tool_result":
      return {
        type: "tool_result",
        tool_use_id: block.tool_use_id,
        content: block.content,
        is_error: block.is_error,
      };
    case "image": {
      const { media_type, data, source } = block;
      return withKey({ type: "image", media_type, data }, "source", source);
    }
    default:
      return block satisfies never;
  }
}

function withKey(object: object, key: string, value: string | null | undefined): object {
  return value === null || value === undefined ? object : { ...object, [key]: value };
}

function writtenUsage(usage: Outcome["usage"]): object {
  return {
    input_tokens: usage.input_tokens,
    output_tokens: usage.output_tokens,
    cache_creation_input_tokens: usage.cache_creation_input_tokens,
    cache_read_input_tokens: usage.cache_read_input_tokens,
  };
}

function writtenOutcome(outcome: Outcome): object {
  const { cost_usd, stop_cause, taint } = outcome;
  return {
    record: "outcome",
    turns: outcome.turns,
    usage: writtenUsage(outcome.usage),
    ...(cost_usd === null ? {} : { cost_usd }),
    usage_complete: outcome.usage_complete,
    ...(stop_cause === null ? {} : { stop_cause }),
    exhausted: outcome.exhausted,
    ended_on_failed_call: outcome.ended_on_failed_call,
    tool_calls: outcome.tool_calls,
    tool_errors: outcome.tool_errors,
    tool_denied: outcome.tool_denied,
    tool_staged: outcome.tool_staged,
    malformed_tool_args: outcome.malformed_tool_args,
    blocked_sends: outcome.blocked_sends,
    compactions: outcome.compactions,
    taint: { private: taint.private, untrusted: taint.untrusted },
  };
}
