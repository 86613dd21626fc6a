import { type Draft, draft, jsonText } from "#lib/sources/draft.ts";
import type { ResultState } from "#lib/sources/entry.ts";
import { type Facts, factsOf, objectOf, stringOf, textStart } from "./facts.ts";
import { instantOf } from "./instant.ts";
import { BOOK_KEEPING } from "./kinds.ts";
import { originText, type ResultKind, resultKind, userText } from "./wording.ts";

type Fields = { [key: string]: unknown };

/**
 * The readable pieces of one record of a Claude Code session. Book-keeping (progress, snapshots, titles, hook results)
 * gives none: it is most of the records and nothing of the conversation.
 */
export function claudeDrafts(value: Fields): Draft[] {
  const facts = factsOf(value);
  const time = instantOf(facts.time);
  return draftsOf(value, facts).map((one) => ({ ...one, time }));
}

function draftsOf(value: Fields, facts: Facts): Draft[] {
  switch (facts.type) {
    case "user":
      return userDrafts(value, facts);
    case "assistant":
      return assistantDrafts(value, facts);
    case "system":
      return systemDrafts(value, facts);
    case "attachment":
      return attachmentDrafts(objectOf(value.attachment) ?? {});
    default:
      if (facts.type !== null && BOOK_KEEPING.has(facts.type)) return [];
      return [draft("notice", `a record of kind ${quoted(value.type)} is left out`)];
  }
}

function userDrafts(value: Fields, facts: Facts): Draft[] {
  const content = objectOf(value.message)?.content;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
  return blocks.map((block) => userDraft(objectOf(block) ?? {}, facts));
}

function userDraft(block: Fields, facts: Facts): Draft {
  switch (block.type) {
    case "text": {
      const text = stringOf(block.text) ?? "";
      return draft(isPrompt(text, facts) ? "prompt" : "summary", text);
    }
    case "tool_result":
      return resultDraft(block, facts);
    case "image":
    case "document":
      return draft("image", sourceText(block));
    default:
      return draft("notice", `a block of type ${quoted(block.type)} is left out`);
  }
}

/** What a person wrote, as against what the harness put into the conversation. */
function isPrompt(text: string, facts: Facts): boolean {
  if (facts.meta || facts.compactSummary || facts.transcriptOnly || originText(facts.origin) !== null)
    return false;
  const kind = userText(textStart(text));
  return kind === "prompt" || kind === "command";
}

/** The same rule as the counters: what counts as an error there is marked as failed here. */
function resultDraft(block: Fields, facts: Facts): Draft {
  const text = resultText(block.content);
  const first = typeof block.content === "string" ? text : firstText(block.content);
  const kind = resultKind({ error: block.is_error === true, text: textStart(first) }, facts.denial);
  return draft("result", text, { call_id: stringOf(block.tool_use_id), state: stateOf(kind) });
}

function stateOf(kind: ResultKind): ResultState {
  switch (kind) {
    case "ok":
    case "cancelled":
      return kind;
    case "error":
    case "schema_error":
      return "failed";
    case "denied_user":
    case "denied_policy":
    case "denied_unknown":
      return "denied";
    default:
      return kind satisfies never;
  }
}

function firstText(content: unknown): string {
  const block = listOf(content).find((part) => objectOf(part)?.type === "text");
  return stringOf(objectOf(block)?.text) ?? "";
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  return listOf(content)
    .map((part) => {
      const block = objectOf(part) ?? {};
      return block.type === "text" ? (stringOf(block.text) ?? "") : `[${sourceText(block)}]`;
    })
    .join("\n");
}

/** Names an image, a document or a reference without showing its bytes. */
function sourceText(block: Fields): string {
  const source = objectOf(block.source);
  const size = stringOf(source?.data)?.length;
  const parts = [
    stringOf(block.type) ?? "block",
    stringOf(source?.media_type),
    stringOf(block.title) ?? stringOf(block.tool_name),
    size === undefined ? null : `${size} characters of base64`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

function assistantDrafts(value: Fields, facts: Facts): Draft[] {
  const content = objectOf(value.message)?.content;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : listOf(content);
  // The harness speaks in the model's place when the provider failed, or after a resume.
  const synthetic = facts.apiError || facts.message?.model === "<synthetic>";
  return blocks.flatMap((block) => assistantDraft(objectOf(block) ?? {}, synthetic));
}

function assistantDraft(block: Fields, synthetic: boolean): Draft[] {
  switch (block.type) {
    case "text":
      return [draft(synthetic ? "summary" : "text", stringOf(block.text) ?? "")];
    case "thinking": {
      // Later versions keep only a signature of what was thought.
      const text = stringOf(block.thinking) ?? "";
      return text === "" ? [] : [draft("thinking", text)];
    }
    case "redacted_thinking":
      return [draft("thinking", "(redacted)")];
    case "tool_use":
    case "server_tool_use":
    case "mcp_tool_use": {
      const call = { tool: stringOf(block.name), call_id: stringOf(block.id) };
      return [draft("call", jsonText(block.input) ?? "", call)];
    }
    case "fallback": {
      const [from, to] = [objectOf(block.from)?.model, objectOf(block.to)?.model];
      return [draft("config", `another model answers: ${quoted(from)} gave way to ${quoted(to)}`)];
    }
    default:
      return [draft("notice", `a block of type ${quoted(block.type)} is left out`)];
  }
}

/** Timings and hook summaries say nothing that was said. */
const QUIET = new Set(["turn_duration", "stop_hook_summary"]);

function systemDrafts(value: Fields, facts: Facts): Draft[] {
  const { subtype } = facts;
  if (subtype === "compact_boundary") {
    const data = objectOf(value.compactMetadata) ?? {};
    return [
      draft(
        "summary",
        `conversation compacted: ${quoted(data.trigger)}, ${quoted(data.preTokens)} tokens before`,
      ),
    ];
  }
  if (subtype === "api_error") {
    const tried = `${quoted(value.retryAttempt)} of ${quoted(value.maxRetries)}`;
    return [draft("summary", `provider error, retry ${tried}`)];
  }
  if (subtype !== null && QUIET.has(subtype)) return [];
  return [draft("summary", [subtype, stringOf(value.content)].filter((part) => part !== null).join(": "))];
}

/** Of some thirty kinds only text delivered into a running run, and a hook's objection, belong to the conversation. */
function attachmentDrafts(attachment: Fields): Draft[] {
  if (attachment.type === "queued_command") {
    const { prompt } = attachment;
    const text = typeof prompt === "string" ? prompt : resultText(prompt);
    return [draft(attachment.commandMode === "task-notification" ? "summary" : "prompt", text)];
  }
  if (attachment.type === "hook_blocking_error") {
    return [
      draft("summary", stringOf(objectOf(attachment.blockingError)?.blockingError) ?? "a hook objected"),
    ];
  }
  return [];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function quoted(value: unknown): string {
  return (jsonText(value) ?? "none").slice(0, 80);
}
