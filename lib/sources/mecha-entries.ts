import { type Draft, draft, jsonText } from "./draft.ts";

type Fields = { [key: string]: unknown };

/** The readable pieces of one record of a mecha session. */
export function mechaDrafts(value: Fields): Draft[] {
  switch (value.record) {
    case "message":
      return messageDrafts(value);
    case "meta":
      return [draft("config", metaText(value), { time: textOf(value.created_at) })];
    case "config":
      return [draft("config", configText(value))];
    case "rewrite":
      return [draft("summary", rewriteText(value))];
    case "taint":
      return [draft("summary", `taint: ${taintText(value)}`)];
    case "summary":
      return [draft("summary", `cost so far: turns ${wordOf(value.turns)}, ${usageText(value.usage)}`)];
    case "outcome":
      return [draft("outcome", outcomeText(value))];
    default:
      return [draft("notice", `a record of kind ${quoted(value.record)} is left out`)];
  }
}

function messageDrafts(message: Fields): Draft[] {
  const spoken = message.role === "assistant" ? "text" : "prompt";
  if (!Array.isArray(message.content)) return [draft("notice", "a message without content is left out")];
  return message.content.map((block) => blockDraft(fieldsOf(block), spoken));
}

function blockDraft(block: Fields, spoken: "text" | "prompt"): Draft {
  switch (block.type) {
    case "text":
      return draft(spoken, textOf(block.text) ?? "");
    case "thinking":
      return draft("thinking", textOf(block.text) ?? "");
    case "tool_use": {
      const { name, id, input } = block;
      return draft("call", jsonText(input) ?? "", { tool: textOf(name), call_id: textOf(id) });
    }
    case "tool_result":
      return resultDraft(block);
    case "image":
      return draft("image", imageText(block));
    default:
      return draft("notice", `a block of type ${quoted(block.type)} is left out`);
  }
}

const REFUSALS = ["Denied by the user:", "Blocked by policy:", "Blocked by a hook:"];

/** A refusal is told from a failure by the words the harness opens it with: the record has no other mark. */
function resultDraft(block: Fields): Draft {
  const text = textOf(block.content) ?? "";
  const denied = REFUSALS.some((opening) => text.startsWith(opening));
  const state = block.is_error !== true ? "ok" : denied ? "denied" : "failed";
  return draft("result", text, { call_id: textOf(block.tool_use_id), state });
}

function imageText({ media_type, source, data }: Fields): string {
  const parts = [
    textOf(media_type) ?? "image",
    textOf(source),
    `${textOf(data)?.length ?? 0} characters of base64`,
  ];
  return parts.filter((part) => part !== null).join(", ");
}

function metaText(meta: Fields): string {
  const lines = [
    `session ${wordOf(meta.id)}, ${wordOf(meta.provider)}/${wordOf(meta.model)}`,
    `workspace ${wordOf(meta.workspace)}`,
  ];
  return [...lines, ...(textOf(meta.title) === null ? [] : [`title ${textOf(meta.title)}`])].join("\n");
}

/** The settings in one line, then what is long: the system prompt and the tools. */
function configText(config: Fields): string {
  const { record: _, system_prompt, tools, ...settings } = config;
  const lines = [
    Object.entries(settings)
      .map(([key, value]) => `${key} ${wordOf(value)}`)
      .join(" · "),
  ];
  if (Array.isArray(tools)) lines.push(`tools: ${tools.map(wordOf).join(", ")}`);
  if (typeof system_prompt === "string") lines.push(`system prompt:\n${system_prompt}`);
  return lines.join("\n");
}

function rewriteText({ messages }: Fields): string {
  const list = Array.isArray(messages) ? messages.map(fieldsOf) : [];
  const parts = list.map((message) =>
    [`[${wordOf(message.role)}]`, ...messageDrafts(message).map((part) => part.text)].join("\n"),
  );
  return [`the conversation so far was replaced by ${list.length} message(s)`, ...parts].join("\n\n");
}

const COUNTERS = [
  ["turns", "turns"],
  ["tool calls", "tool_calls"],
  ["errors", "tool_errors"],
  ["denied", "tool_denied"],
  ["staged", "tool_staged"],
  ["malformed args", "malformed_tool_args"],
  ["blocked sends", "blocked_sends"],
  ["compactions", "compactions"],
] as const;

function outcomeText(outcome: Fields): string {
  const parts = [
    `stopped: ${wordOf(outcome.stop_cause ?? "unrecorded")}`,
    ...COUNTERS.map(([name, key]) => `${name} ${wordOf(outcome[key] ?? 0)}`),
    `${usageText(outcome.usage)}${outcome.usage_complete === true ? "" : " (a lower bound)"}`,
  ];
  if (typeof outcome.cost_usd === "number") parts.push(`cost $${outcome.cost_usd}`);
  if (outcome.ended_on_failed_call === true) parts.push("ended on a failed call");
  if (outcome.exhausted === true) parts.push("a budget was reached");
  return [...parts, `taint: ${taintText(fieldsOf(outcome.taint))}`].join(" · ");
}

function usageText(value: unknown): string {
  const usage = fieldsOf(value);
  const cached = `cache written ${wordOf(usage.cache_creation_input_tokens ?? 0)}, read ${wordOf(usage.cache_read_input_tokens ?? 0)}`;
  return `tokens in ${wordOf(usage.input_tokens ?? 0)}, out ${wordOf(usage.output_tokens ?? 0)}, ${cached}`;
}

function taintText(taint: Fields): string {
  const legs = ["private", "untrusted"].filter((leg) => taint[leg] === true);
  return legs.length === 0 ? "none" : legs.join(" and ");
}

function fieldsOf(value: unknown): Fields {
  return typeof value === "object" && value !== null ? (value as Fields) : {};
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function wordOf(value: unknown): string {
  return typeof value === "string" ? value : (jsonText(value) ?? "—");
}

function quoted(value: unknown): string {
  return (jsonText(value) ?? "none").slice(0, 80);
}
