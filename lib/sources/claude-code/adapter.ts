import { isCompanion } from "#lib/companion-file.ts";
import type { Adapter, Head, JsonObject } from "#lib/sources/adapter.ts";
import { type Facts, factsOf, stringOf } from "./facts.ts";
import { fold } from "./fold.ts";
import { headReader } from "./head.ts";
import { instantOf } from "./instant.ts";
import { BOOK_KEEPING, CONVERSATION } from "./kinds.ts";
import { rowsOf } from "./rows.ts";
import { newThread, type State } from "./state.ts";
import { wants } from "./wants.ts";

/**
 * Claude Code's own session files, versions 1.0.51 to 2.1.218: `<project>/<session>.jsonl`, sub-agents as
 * `agent-<id>.jsonl` beside them or under `<session>/subagents/`.
 */
export const claudeCode: Adapter<State> = {
  kind: "claude-code",
  provenance: "derived",
  depth: 5,
  stampsRuns: true,
  accepts,
  head: headReader,
  sparse: false,
  tears: true,
  start: startState,
  wants,
  record: (state, value) => add(state, factsOf(value)),
  timeOf,
  finish: rowsOf,
};

/** Deeper than a project folder only sub-agents' files are transcripts: tool output and journals stand there too. */
function accepts(relative: string): boolean {
  const parts = relative.split("/");
  const name = parts.at(-1) ?? "";
  if (!name.endsWith(".jsonl") || isCompanion(name)) return false;
  return parts.length <= 2 || name.startsWith("agent-");
}

function startState(head: Head): State {
  return {
    id: head.id,
    subagent: head.subagent,
    createdAt: head.created_at,
    main: newThread(null),
    sides: new Map(),
    sideOf: new Map(),
    lastSide: null,
    seen: new Set(),
    configs: new Map(),
    nameless: 0,
  };
}

/** False for a type that no version seen so far writes. */
function add(state: State, facts: Facts): boolean {
  if (facts.type === null) return false;
  if (CONVERSATION.has(facts.type)) fold(state, facts);
  else if (!BOOK_KEEPING.has(facts.type)) return false;
  return true;
}

function timeOf(value: JsonObject): number | null {
  const time = instantOf(stringOf(value.timestamp));
  return time === null ? null : Date.parse(time);
}
