import type { Scan } from "#lib/sources/source.ts";
import { emptyCoverage } from "#lib/transcript/coverage.ts";
import type { RunRow, SessionHead } from "#lib/transcript/run-row.ts";

/** A scan of these runs; their sessions are made up from them unless given. */
export function aScan(runs: RunRow[], what: Partial<Scan> = {}): Scan {
  const kind = what.source?.kind ?? runs[0]?.source ?? "mecha";
  const sessions = what.sessions ?? sessionsOf(runs);
  return {
    source: { kind, place: kind === "mecha" ? "/home/ada/.mecha/sessions" : "/home/ada/.claude/projects" },
    provenance: kind === "mecha" ? "recorded" : "derived",
    sessions,
    runs,
    coverage: { ...emptyCoverage(), sessions_read: sessions.length },
    scanned_at: "2026-11-30T10:00:00Z",
    took_ms: 1,
    ...what,
  };
}

function sessionsOf(runs: readonly RunRow[]): SessionHead[] {
  const heads = new Map<string, SessionHead>();
  for (const run of runs) {
    if (heads.has(run.session_id)) continue;
    heads.set(run.session_id, aSession({ ...run, id: run.session_id, created_at: run.started_at }));
  }
  return [...heads.values()].sort((a, b) => Date.parse(b.created_at) - Date.parse(a.created_at));
}

type HeadParts = Pick<
  SessionHead,
  "source" | "provenance" | "id" | "created_at" | "provider" | "model" | "subagent"
>;

/** A session head with what the test cares about. */
export function aSession(what: HeadParts): SessionHead {
  const { source, provenance, id, created_at, provider, model, subagent } = what;
  const place = `/transcripts/${id}.jsonl`;
  const rest = { path: place, workspace: "/w", title: null, parent_id: null, bytes: 1 };
  return { source, provenance, id, created_at, provider, model, subagent, ...rest };
}
