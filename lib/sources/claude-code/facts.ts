import type { JsonObject } from "#lib/sources/adapter.ts";

/** How much of a text the counting rules may look at: the harness's own markers are shorter. */
const START_CHARS = 160;

/** The first characters of a text up to the first one that is not ASCII, and whether the whole text is blank. */
export type TextStart = { start: string; blank: boolean };

/** One content block, reduced to what is counted. */
export type BlockFacts =
  | { kind: "text"; text: TextStart }
  | { kind: "call"; id: string | null }
  | { kind: "result"; call: string | null; error: boolean; text: TextStart }
  | { kind: "other" };

/** Token counts as they stand in a message; -1 for one that is missing or no count. Missing cache counts are 0. */
export type UsageFacts = {
  input: number;
  output: number;
  cacheCreation: number;
  cacheRead: number;
  /** The request also used tokens that are not in these counts. */
  more: boolean;
};

export type MessageFacts = {
  id: string | null;
  model: string | null;
  stopReason: string | null;
  usage: UsageFacts | null;
  /** The content where it is a plain string. */
  text: TextStart | null;
  /** The content where it is a list. */
  blocks: BlockFacts[];
};

/**
 * What counting needs of one record: no text of a prompt, an answer or a tool result beyond its first characters.
 * `null` where the key is missing or of another type than the format gives it.
 */
export type Facts = {
  type: string | null;
  subtype: string | null;
  uuid: string | null;
  request: string | null;
  parent: string | null;
  session: string | null;
  /** The session a forked session copied this record from. */
  forkedFrom: string | null;
  agent: string | null;
  time: string | null;
  version: string | null;
  permissionMode: string | null;
  effort: string | null;
  origin: string | null;
  denial: string | null;
  sidechain: boolean;
  meta: boolean;
  compactSummary: boolean;
  /** Shown to a person reading the transcript, never sent as a prompt. */
  transcriptOnly: boolean;
  apiError: boolean;
  message: MessageFacts | null;
};

/** The facts of a decoded record, whatever the types of its values are. */
export function factsOf(value: JsonObject): Facts {
  return {
    type: stringOf(value.type),
    subtype: stringOf(value.subtype),
    uuid: stringOf(value.uuid),
    request: stringOf(value.requestId),
    parent: stringOf(value.parentUuid),
    session: idOf(value.sessionId),
    forkedFrom: idOf(objectOf(value.forkedFrom)?.sessionId),
    agent: idOf(value.agentId),
    time: stringOf(value.timestamp),
    version: stringOf(value.version),
    permissionMode: stringOf(value.permissionMode),
    effort: stringOf(value.effort),
    origin: stringOf(objectOf(value.origin)?.kind),
    denial: stringOf(value.toolDenialKind),
    sidechain: value.isSidechain === true,
    meta: value.isMeta === true,
    compactSummary: value.isCompactSummary === true,
    transcriptOnly: value.isVisibleInTranscriptOnly === true,
    apiError: value.isApiErrorMessage === true,
    message: messageOf(value.message),
  };
}

function messageOf(value: unknown): MessageFacts | null {
  const message = objectOf(value);
  if (message === null) return null;
  const content = message.content;
  return {
    // Some gateways in front of other models leave it empty.
    id: stringOf(message.id) || null,
    model: stringOf(message.model),
    stopReason: stringOf(message.stop_reason),
    usage: usageOf(message.usage),
    text: typeof content === "string" ? textStart(content) : null,
    blocks: Array.isArray(content) ? content.map(blockOf) : [],
  };
}

function blockOf(value: unknown): BlockFacts {
  const block = objectOf(value);
  switch (block?.type) {
    case "text":
      return { kind: "text", text: textStart(stringOf(block.text) ?? "") };
    case "tool_use":
      return { kind: "call", id: stringOf(block.id) };
    case "tool_result":
      return {
        kind: "result",
        call: stringOf(block.tool_use_id),
        error: block.is_error === true,
        text: textStart(resultText(block.content)),
      };
    default:
      return { kind: "other" };
  }
}

/** A result's text is a string, or the first text block of a list. */
function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  for (const part of content) {
    const block = objectOf(part);
    if (block?.type === "text") return stringOf(block.text) ?? "";
  }
  return "";
}

function usageOf(value: unknown): UsageFacts | null {
  const usage = objectOf(value);
  if (usage === null) return null;
  return {
    input: countOf(usage.input_tokens),
    output: countOf(usage.output_tokens),
    cacheCreation: countOf(usage.cache_creation_input_tokens ?? cacheCreationOf(usage.cache_creation)),
    cacheRead: countOf(usage.cache_read_input_tokens ?? 0),
    more: hasMore(usage.iterations),
  };
}

/**
 * A message may have been several requests. The counts of the message are those of its own model's; what a second model
 * that advised it used, and a summary of the conversation made on the way, stand only in the list of requests.
 */
function hasMore(iterations: unknown): boolean {
  if (!Array.isArray(iterations)) return false;
  return iterations.some((one) => {
    const type = objectOf(one)?.type;
    return type === "advisor_message" || type === "compaction";
  });
}

/** Cache writes by their lifetime, where only the parts are given. Where the sum is given too, the parts add nothing. */
function cacheCreationOf(value: unknown): number {
  const parts = objectOf(value);
  if (parts === null) return 0;
  const short = countOf(parts.ephemeral_5m_input_tokens ?? 0);
  const long = countOf(parts.ephemeral_1h_input_tokens ?? 0);
  return short < 0 || long < 0 ? -1 : short + long;
}

/** More tokens than any message has: beyond it a number is damage, not a measurement. */
const COUNT_MAX = 1e12;

function countOf(value: unknown): number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= COUNT_MAX
    ? value + 0
    : -1;
}

/** The start of `text` as the counting rules see it. */
export function textStart(text: string): TextStart {
  let end = 0;
  while (end < text.length && end < START_CHARS && text.charCodeAt(end) < 0x80) end += 1;
  return { start: text.slice(0, end), blank: text.trim() === "" };
}

const ID_CHARS = 128;

/** A session's or an agent's id; it names rows and pages, so it has a sane length or is none. */
function idOf(value: unknown): string | null {
  return typeof value === "string" && value !== "" && value.length <= ID_CHARS ? value : null;
}

export function stringOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

/** `value` where it is an object and no list; its keys are read by name, so a `__proto__` key is only a key. */
export function objectOf(value: unknown): JsonObject | null {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : null;
}
