import type { CauseFilter, SessionSort, SessionsAsk } from "#app/search.ts";
import { byteOrder } from "#lib/format.ts";
import { CUT_SHORT, type StopCause } from "#lib/transcript/record.ts";
import type { Provenance, RunRow, SessionHead, SourceKind } from "#lib/transcript/run-row.ts";
import { clipped } from "#lib/utf8.ts";

/** One session as the list shows it. */
export type SessionLine = {
  id: string;
  source: SourceKind;
  provenance: Provenance;
  title: string | null;
  created_at: string;
  /** Models of its runs, in order of first use; the header's where it has none. */
  models: string[];
  subagent: boolean;
  runs: number;
  calls: number;
  errors: number;
  denied: number;
  /** Of the last run; null without a run. */
  stop_cause: StopCause | "unrecorded" | null;
  /** Runs that ended on a failed call. */
  failed_ends: number;
};

/** A session with what filters look at but no list shows. */
export type IndexedSession = { line: SessionLine; createdMs: number; runs: RunRow[]; text: string };

/** Heads and their rows put together, in the order of the heads (newest first). */
export function indexSessions(heads: readonly SessionHead[], runs: readonly RunRow[]): IndexedSession[] {
  const bySession = new Map<string, RunRow[]>();
  for (const run of runs) {
    const key = keyOf(run.source, run.session_id);
    const list = bySession.get(key);
    if (list === undefined) bySession.set(key, [run]);
    else list.push(run);
  }
  return largestFiles(heads).map((head) => indexed(head, bySession.get(keyOf(head.source, head.id)) ?? []));
}

/** One head for each session: an earlier snapshot of the same one stands in a smaller file. */
export function largestFiles(heads: readonly SessionHead[]): SessionHead[] {
  const largest = new Map<string, SessionHead>();
  for (const head of heads) {
    const key = keyOf(head.source, head.id);
    const known = largest.get(key);
    if (known === undefined || head.bytes > known.bytes) largest.set(key, head);
  }
  return heads.filter((head) => largest.get(keyOf(head.source, head.id)) === head);
}

function keyOf(source: SourceKind, id: string): string {
  return `${source} ${id}`;
}

/** A list shows no more of a title; the session's own page has the whole. */
const TITLE_MAX = 300;

function indexed(head: SessionHead, runs: RunRow[]): IndexedSession {
  const models = [...new Set(runs.map(({ model }) => model))];
  const last = runs.at(-1);
  const line: SessionLine = {
    id: head.id,
    source: head.source,
    provenance: head.provenance,
    title: head.title === null ? null : clipped(head.title, TITLE_MAX),
    created_at: head.created_at,
    models: models.length > 0 ? models : [head.model],
    subagent: head.subagent,
    runs: runs.length,
    calls: sum(runs, "tool_calls"),
    errors: sum(runs, "tool_errors"),
    denied: sum(runs, "tool_denied"),
    stop_cause: last === undefined ? null : (last.stop_cause ?? "unrecorded"),
    failed_ends: runs.filter(({ ended_on_failed_call }) => ended_on_failed_call).length,
  };
  const text = [head.title ?? "", head.id, head.workspace, ...line.models].join("\n").toLowerCase();
  return { line, createdMs: Date.parse(head.created_at), runs, text };
}

function sum(runs: readonly RunRow[], key: "tool_calls" | "tool_errors" | "tool_denied"): number {
  return runs.reduce((total, run) => total + run[key], 0);
}

/**
 * The sessions that an address asks for. Filters on runs (model, stop cause, errors, failed end) must all hold of
 * one and the same run. A session is inside a window when it, or one of its runs, started there; `now` is the end
 * of the window where the address names no instant.
 */
export function filterSessions(
  sessions: readonly IndexedSession[],
  ask: SessionsAsk,
  now: number,
): IndexedSession[] {
  const until = ask.asOfMs ?? now;
  const since = ask.days === null ? Number.NEGATIVE_INFINITY : until - ask.days * 86_400_000;
  const words = ask.q.toLowerCase().split(/\s+/).filter(Boolean);
  return sessions.filter(
    ({ line, createdMs, runs, text }) =>
      createdMs <= until &&
      (createdMs >= since || runs.some((run) => Date.parse(run.started_at) >= since)) &&
      (ask.source === null || line.source === ask.source) &&
      (ask.subagents === "with" || line.subagent === (ask.subagents === "only")) &&
      words.every((word) => text.includes(word)) &&
      holdsRun(line, runs, ask),
  );
}

function holdsRun(line: SessionLine, runs: readonly RunRow[], ask: SessionsAsk): boolean {
  const ofRun = ask.stopCause !== null || ask.errors || ask.failedEnd;
  if (!ofRun) return ask.model === null || line.models.includes(ask.model);
  return runs.some(
    (run) =>
      (ask.model === null || run.model === ask.model) &&
      (ask.stopCause === null || hasCause(run, ask.stopCause)) &&
      (!ask.errors || run.tool_errors > 0) &&
      (!ask.failedEnd || run.ended_on_failed_call),
  );
}

function hasCause({ stop_cause }: RunRow, wanted: CauseFilter): boolean {
  if (wanted === "unrecorded") return stop_cause === null;
  if (wanted === "cut_short") return stop_cause !== null && CUT_SHORT.has(stop_cause);
  return stop_cause === wanted;
}

/** A sorted copy; ties stand newest first. Heads come newest first, so that order costs nothing. */
export function sortSessions(sessions: IndexedSession[], { by, descending }: SessionSort): IndexedSession[] {
  if (by === "created") return descending ? sessions : [...sessions].reverse();
  return [...sessions].sort(({ line: a }, { line: b }) => (descending ? b[by] - a[by] : a[by] - b[by]));
}

/** Every model that a session of the list names, in byte order. */
export function modelsOf(sessions: readonly IndexedSession[]): string[] {
  return [...new Set(sessions.flatMap(({ line }) => line.models))]
    .filter((model) => model !== "")
    .sort(byteOrder);
}
