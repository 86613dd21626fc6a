import type { TextStart } from "./facts.ts";

/** How a tool result went, as the counters tell it. `denied_unknown`: refused, and the file does not say by whom. */
export type ResultKind =
  | "ok"
  | "error"
  | "schema_error"
  | "denied_user"
  | "denied_policy"
  | "denied_unknown"
  | "cancelled";

/**
 * The harness's own fixed openings of an `is_error` result, with the versions they were seen in. Only the very start
 * of a result is compared, because tool output quotes such sentences. The list is closed: anything else is an error
 * of the tool.
 */
const OPENINGS: readonly { start: string; kind: ResultKind; seen: string }[] = [
  {
    start: "The user doesn't want to proceed with this tool use",
    kind: "denied_user",
    seen: "1.0.51 - 2.1.218",
  },
  {
    start: "The user doesn't want to take this action right now",
    kind: "denied_user",
    seen: "1.0.51 - 2.1.218",
  },
  { start: "Permission prompt was aborted", kind: "denied_user", seen: "1.0.51" },
  {
    start: "Permission for this action was denied by the Claude Code auto mode classifier",
    kind: "denied_policy",
    seen: "2.1.78 - 2.1.218",
  },
  { start: "This command requires approval", kind: "denied_policy", seen: "1.0.51 - 2.1.218" },
  {
    start: "This Bash command contains multiple operations. The following part",
    kind: "denied_policy",
    seen: "2.1.220",
  },
  { start: "Claude requested permissions to", kind: "denied_policy", seen: "1.0.51 - 2.1.218" },
  { start: "Permission to use", kind: "denied_policy", seen: "1.0.51 - 2.1.218" },
  {
    start: "Commands that change directories and perform write operations require explicit approval",
    kind: "denied_policy",
    seen: "1.0 - 2.0",
  },
  { start: "Permission for this tool use was denied", kind: "denied_policy", seen: "2.1.2xx" },
  { start: "Permission for this action has been denied", kind: "denied_policy", seen: "2.1.8x" },
  { start: "File is in a directory that is denied by", kind: "denied_policy", seen: "1.0 - 2.1.251" },
  {
    start: "Auto mode could not evaluate this action and is blocking it",
    kind: "denied_policy",
    seen: "2.1.19x",
  },
  {
    start: "The server-side auto mode classifier gave no verdict",
    kind: "denied_policy",
    seen: "2.1.29x",
  },
  { start: "Sibling tool call errored", kind: "cancelled", seen: "up to 2.1.39" },
  { start: "Cancelled: parallel tool call", kind: "cancelled", seen: "after 2.1.39" },
  { start: "[Request interrupted by user for tool use]", kind: "cancelled", seen: "1.0.51 - 2.1.218" },
  { start: "InputValidationError", kind: "schema_error", seen: "1.0.51 - 2.1.218" },
];

/**
 * Openings that name the tool, the agent or the model first. A hook that merely fails lets its call run, so that an
 * objection in place of a result is always a refusal, although the harness calls it an error.
 */
const NAMED_OPENINGS: readonly { pattern: RegExp; kind: ResultKind; seen: string }[] = [
  { pattern: /^PreToolUse:\S+ hook error/, kind: "denied_policy", seen: "2.0 - 2.1.234" },
  { pattern: /^Hook PreToolUse:\S+ denied this tool/, kind: "denied_policy", seen: "2.1.143" },
  { pattern: /^(?:[A-Z]|mcp__)\S* operation blocked by hook\b/, kind: "denied_policy", seen: "1.0.4x - 2.0" },
  {
    pattern: /^Agent type '[^']{1,80}' has been denied by permission rule/,
    kind: "denied_policy",
    seen: "2.1",
  },
  { pattern: /^Dangerous rm(?:dir)? operation (?:detected|on)\b/, kind: "denied_policy", seen: "2.1.193" },
  {
    pattern: /^[^\n']{1,40} '[^\n]*' was blocked(?:\. For security, Claude Code may only| by a deny rule)/,
    kind: "denied_policy",
    seen: "2.1.150 - 2.1.206",
  },
  {
    pattern: /^\S+ is temporarily unavailable, so auto mode cannot determine the safety/,
    kind: "denied_policy",
    seen: "2.1.78 - 2.1.218",
  },
];

/**
 * The values of `toolDenialKind` (from about 2.1.204), which says what stopped a call. Interrupted and cancelled are
 * no refusals. A value this table does not know is still a refusal: the key stands on nothing else.
 */
const DENIAL_KINDS: ReadonlyMap<string, ResultKind> = new Map<string, ResultKind>([
  ["user-rejected", "denied_user"],
  ["permission-rule", "denied_policy"],
  ["automode-blocked", "denied_policy"],
  ["automode-unavailable", "denied_policy"],
  ["interrupted", "cancelled"],
  ["cancelled", "cancelled"],
]);

/** What a tool result counts as; `denial` is the record's own word for it, where its version writes one. */
export function resultKind(result: { error: boolean; text: TextStart }, denial: string | null): ResultKind {
  if (!result.error) return "ok";
  if (denial !== null) return DENIAL_KINDS.get(denial) ?? "denied_unknown";
  const text = withoutWrapping(result.text.start);
  const opening =
    OPENINGS.find(({ start }) => text.startsWith(start)) ??
    NAMED_OPENINGS.find(({ pattern }) => pattern.test(text));
  return opening?.kind ?? "error";
}

function withoutWrapping(start: string): string {
  return start
    .trimStart()
    .replace(/^<tool_use_error>\s*/, "")
    .replace(/^Error: /, "");
}

/**
 * What a user record that holds no tool result is. `machine`: a notice of the harness, such as that a task in the
 * background has ended. `peer`: what another agent says.
 */
export type UserText = "prompt" | "command" | "machine" | "peer" | "interruption" | "nothing";

/** Who a record says it comes from, where that is no person. What comes through a channel may be a person's words. */
const ORIGINS: ReadonlyMap<string, UserText> = new Map<string, UserText>([
  ["task-notification", "machine"],
  ["auto-continuation", "machine"],
  ["peer", "peer"],
  ["coordinator", "peer"],
]);

/** What a record is by the word of its `origin`; null where that decides nothing. */
export function originText(origin: string | null): UserText | null {
  return origin === null ? null : (ORIGINS.get(origin) ?? null);
}

const NEVER_A_PROMPT = [
  "<local-command-",
  "<bash-input",
  "<bash-stdout",
  "<bash-stderr",
  "<system-reminder>",
  "Caveat: The messages below",
  "Operation stopped by hook",
  "Stop hook feedback:",
];

/** The last two are of 2.0. */
const NOTICE = /^<(?:task|bash|agent)-notification>/;

/** A lead's words to an agent of its team are a task: they are this agent's prompts. */
const PEER =
  /^(?:<teammate-message\b(?![^>]*\bteammate_id="team-lead")|(?:Another Claude session sent a message:\s*)?<(?:cross-session|agent)-message\b|The coordinator sent a message while you were working:)/;

/** What the text of a user record is, from its first characters. */
export function userText({ start }: TextStart): UserText {
  const text = start.trimStart();
  if (text.startsWith("[Request interrupted by user")) return "interruption";
  if (NOTICE.test(text)) return "machine";
  if (PEER.test(text)) return "peer";
  if (NEVER_A_PROMPT.some((opening) => text.startsWith(opening))) return "nothing";
  if (text.startsWith("<command-name>") || text.startsWith("<command-message>")) return "command";
  return "prompt";
}
