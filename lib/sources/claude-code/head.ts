import type { Head, HeadReader, JsonObject } from "#lib/sources/adapter.ts";
import { type Facts, factsOf, objectOf, stringOf } from "./facts.ts";
import { instantOf } from "./instant.ts";
import { CONVERSATION } from "./kinds.ts";
import { kindOfText } from "./user-text.ts";
import { originText } from "./wording.ts";

/** Objects looked at before a file without a time stamp is given up. */
const OBJECTS_MAX = 400;
/** Conversation records after which the header no longer waits for a model's answer. */
const CONVERSATION_MAX = 60;
const TITLE_CHARS = 80;

type Seen = {
  objects: number;
  conversation: number;
  createdAt: string | null;
  session: string | null;
  /** Every session id among the records. */
  sessions: Set<string>;
  agent: string | null;
  workspace: string;
  model: string;
  prompt: string | null;
  title: string | null;
  customTitle: string | null;
};

/**
 * Reads the header of the file at `relative`: there is no header record, so it is put together from the first records
 * up to the first answer of a model. A file without any time stamp is no session.
 */
export function headReader(relative: string): HeadReader {
  const seen: Seen = {
    objects: 0,
    conversation: 0,
    createdAt: null,
    session: null,
    sessions: new Set(),
    agent: null,
    workspace: "",
    model: "",
    prompt: null,
    title: null,
    customTitle: null,
  };
  return {
    take(value) {
      seen.objects += 1;
      const answered = value !== null && look(seen, value);
      const enough = seen.createdAt !== null && (answered || seen.conversation >= CONVERSATION_MAX);
      if (enough || seen.objects >= OBJECTS_MAX) return headOf(seen, relative) ?? "none";
      return "more";
    },
    end: () => headOf(seen, relative),
  };
}

/** Notes what one record says; true once a model has answered. */
function look(seen: Seen, value: JsonObject): boolean {
  const facts = factsOf(value);
  seen.createdAt ??= instantOf(facts.time);
  if (facts.session !== null) seen.sessions.add(facts.session);
  if (facts.type === "custom-title") seen.customTitle = stringOf(value.customTitle) ?? seen.customTitle;
  if (facts.type === "ai-title") seen.title = stringOf(value.aiTitle) ?? seen.title;
  if (facts.type === null || !CONVERSATION.has(facts.type)) {
    seen.session ??= facts.session;
    return false;
  }
  seen.conversation += 1;
  seen.workspace ||= stringOf(value.cwd) ?? "";
  if (facts.sidechain && seen.conversation === 1) seen.agent = agentOf(facts);
  if (facts.type === "user") seen.prompt ??= promptOf(facts, value);
  // A resumed session starts with a copy of another one's records: the first answer knows better whose file it is.
  const answered = facts.type === "assistant" && !facts.apiError && facts.message?.model !== "<synthetic>";
  if (answered || seen.session === null) seen.session = facts.session ?? seen.session;
  if (answered) seen.model = facts.message?.model ?? "";
  return answered;
}

/** Whose file starts with this sub-agent's record; before 2.0 they stood between the session's, so it is nobody's. */
function agentOf({ agent, version, uuid }: Facts): string | null {
  return agent ?? (/^[01]\./.test(version ?? "0.") ? null : uuid);
}

function promptOf(facts: Facts, value: JsonObject): string | null {
  if (facts.meta || facts.compactSummary || facts.transcriptOnly || originText(facts.origin) !== null)
    return null;
  if (kindOfText(facts.message) !== "prompt") return null;
  const content = objectOf(value.message)?.content;
  const texts = Array.isArray(content) ? content.map((block) => stringOf(objectOf(block)?.text)) : [content];
  const text = texts.find((part) => typeof part === "string" && !part.trimStart().startsWith("<"));
  const line = typeof text === "string" ? (text.trim().split("\n", 1)[0] ?? "") : "";
  const chars = [...line.slice(0, 4 * TITLE_CHARS)];
  if (chars.length === 0) return null;
  // Joined anew: a slice would keep the whole prompt in memory.
  return chars.length > TITLE_CHARS ? `${chars.slice(0, TITLE_CHARS - 1).join("")}…` : chars.join("");
}

function headOf(seen: Seen, relative: string): Head | null {
  if (seen.createdAt === null) return null;
  const stem = (relative.split("/").at(-1) ?? relative).replace(/\.jsonl$/, "");
  const named = stem.startsWith("agent-");
  const subagent = named || seen.agent !== null;
  return {
    id: subagent ? (named ? stem : `agent-${seen.agent}`) : sessionId(stem, seen),
    created_at: seen.createdAt,
    provider: "anthropic",
    model: seen.model,
    workspace: seen.workspace,
    title: seen.customTitle ?? seen.title ?? seen.prompt,
    subagent,
    parent_id: subagent ? seen.session : null,
  };
}

/**
 * The file is named after its session, also when it starts with a copy of another one's records; a copy of the file
 * under another name still says inside whose it is.
 */
function sessionId(stem: string, { session, sessions }: Seen): string {
  return sessions.has(stem) ? stem : (session ?? stem);
}
