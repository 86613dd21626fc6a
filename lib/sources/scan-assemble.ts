import { type Coverage, emptyCoverage } from "#lib/transcript/coverage.ts";
import type { RunConfig, RunRow, SessionHead } from "#lib/transcript/run-row.ts";
import type { Adapter, FoldResult, Head } from "./adapter.ts";
import type { FileRead } from "./scan-read.ts";
import type { Limits, Source } from "./source.ts";

/** A session as selection sees it. */
export type Candidate = { read: FileRead; head: SessionHead; created_ms: number };

export type Selected = { candidates: Candidate[]; cutoff: number; capped: number };

/** The sessions among what was read, newest first. */
export function candidatesOf(source: Source, adapter: Adapter, reads: readonly FileRead[]): Candidate[] {
  const candidates: Candidate[] = [];
  for (const read of reads) {
    const candidate = candidateOf(source, adapter, read);
    if (candidate !== null) candidates.push(candidate);
  }
  return candidates.sort(newestFirst);
}

/** One file as a session; null when it is none. */
export function candidateOf(source: Source, adapter: Adapter, read: FileRead): Candidate | null {
  if (read.head === null) return null;
  const head = sessionHead(source, adapter, read, read.head);
  return { read, head, created_ms: Date.parse(head.created_at) };
}

/**
 * The candidates inside the bounds as far as headers tell; the cap counts only sessions that are not cut off. With
 * `mayReachIn`, a session that began before the window may hold runs inside it and is kept.
 */
export function select(candidates: readonly Candidate[], limits: Limits, mayReachIn: boolean): Selected {
  const { since_ms, as_of_ms, sessions_max } = limits;
  const inside = candidates.filter(({ created_ms }) => {
    if (as_of_ms !== null && created_ms > as_of_ms) return false;
    return mayReachIn || since_ms === null || created_ms >= since_ms;
  });
  const kept = sessions_max === null ? inside : inside.slice(0, sessions_max);
  return { candidates: kept, cutoff: candidates.length - inside.length, capped: inside.length - kept.length };
}

function sessionHead(source: Source, adapter: Adapter, read: FileRead, head: Head): SessionHead {
  return {
    source: adapter.kind,
    provenance: adapter.provenance,
    id: head.id,
    path: `${source.place}/${read.relative}`,
    created_at: head.created_at,
    provider: head.provider,
    model: head.model,
    workspace: head.workspace,
    title: head.title,
    subagent: head.subagent,
    parent_id: head.parent_id,
    bytes: read.key?.size ?? 0,
  };
}

/** By the header's time, descending; ties by id, so that two scans agree. */
export function newestFirst(a: Candidate, b: Candidate): number {
  if (a.created_ms !== b.created_ms) return b.created_ms - a.created_ms;
  // Within a millisecond the digits behind it decide: the shorter text is the earlier time.
  const byTime = compare(b.head.created_at.slice(0, -1), a.head.created_at.slice(0, -1));
  return byTime || compare(b.head.id, a.head.id) || compare(a.read.relative, b.read.relative);
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

export type Assembled = { sessions: SessionHead[]; runs: RunRow[]; coverage: Coverage };

/** Puts together what a scan gives from the sessions that were selected and read. */
export function assemble(selected: Selected, adapter: Adapter, limits: Limits): Assembled {
  const coverage = emptyCoverage();
  coverage.sessions_cutoff = selected.cutoff;
  coverage.sessions_capped = selected.capped;
  const parts: Part[] = [];
  for (const candidate of selected.candidates) {
    const fold = candidate.read.fold && insideWindow(candidate.read.fold, adapter, limits);
    // Begun before the window, and nothing of it inside.
    const before = limits.since_ms !== null && candidate.created_ms < limits.since_ms;
    if (fold === null || (before && sizeOf(fold) === 0)) coverage.sessions_cutoff++;
    else parts.push({ candidate, fold });
  }
  coverage.runs_duplicate = dropDuplicates(parts, adapter);
  const runs: RunRow[] = [];
  for (const { candidate, fold } of parts) {
    addRead(coverage, candidate.read);
    coverage.runs_unfinished += fold.unfinished.length;
    coverage.runs_provider_error += fold.provider_errors.length;
    for (const run of fold.runs) runs.push(run);
  }
  return { sessions: parts.map(({ candidate }) => candidate.head), runs, coverage };
}

/** Adds the files that are no sessions, or could not be read. */
export function addOthers(coverage: Coverage, reads: readonly FileRead[]): void {
  for (const read of reads) {
    if (read.found === "none") coverage.files_not_sessions++;
    if (read.found !== "unreadable") continue;
    coverage.sessions_unreadable++;
    addCounts(coverage, read);
  }
}

type Part = { candidate: Candidate; fold: FoldResult };

function addRead(coverage: Coverage, read: FileRead): void {
  coverage.sessions_read++;
  if (read.cut_short) coverage.sessions_unreadable++;
  addCounts(coverage, read);
}

function addCounts(coverage: Coverage, { counts }: FileRead): void {
  coverage.lines_oversize += counts.lines_oversize;
  coverage.lines_torn += counts.lines_torn;
  coverage.lines_unknown += counts.lines_unknown;
  coverage.lines_not_utf8 += counts.lines_not_utf8;
}

function sizeOf(fold: FoldResult): number {
  return fold.runs.length + fold.unfinished.length + fold.provider_errors.length;
}

function insideWindow(fold: FoldResult, adapter: Adapter, limits: Limits): FoldResult {
  const { since_ms, as_of_ms } = limits;
  // Where rows have the time of their session, selection has dealt with it.
  if (!adapter.stampsRuns || (since_ms === null && as_of_ms === null)) return fold;
  const inside = (time: string) => {
    const ms = Date.parse(time);
    return (since_ms === null || ms >= since_ms) && (as_of_ms === null || ms <= as_of_ms);
  };
  return KINDS.reduce((kept, kind) => keepOf(kept, kind, (one) => inside(timeOf(one))), fold);
}

/** What a fold holds, the most telling first: of two copies of a run the one that ended is the run. */
const KINDS = ["runs", "provider_errors", "unfinished"] as const;
type Kind = (typeof KINDS)[number];

const timeOf = (one: RunRow | string) => (typeof one === "string" ? one : one.started_at);

/** The fold with only those of a kind that pass, each with its mark. */
function keepOf(
  fold: FoldResult,
  kind: Kind,
  passes: (one: RunRow | string, mark: string | null) => boolean,
): FoldResult {
  const { marks } = fold;
  const all: readonly (RunRow | string)[] = fold[kind];
  const passed = all.map((one, at) => passes(one, marks?.[kind][at] ?? null));
  if (!passed.includes(false)) return fold;
  const kept = { ...fold, [kind]: all.filter((_, at) => passed[at]) };
  if (marks === undefined) return kept;
  return { ...kept, marks: { ...marks, [kind]: marks[kind].filter((_, at) => passed[at]) } };
}

/**
 * Takes runs that stand in a larger file too out of the smaller one, and gives how many there were. One that ended
 * goes before one that did not, whichever file is larger. A run with a time of its own is known by its start, and by its
 * session or its mark: a resumed or forked session starts with a copy of another's records, mostly under its own id. A
 * sub-agent's file may hold its parent's, which are the parent's. A run without a time is the same only when everything
 * about it is, in two files of one session id: a copy that went on by itself keeps its later runs.
 */
function dropDuplicates(parts: Part[], adapter: Adapter): number {
  let dropped = 0;
  for (const group of adapter.stampsRuns ? [parts] : sameIds(parts)) {
    const claimed = new Map<string, Part>();
    const sorted = group.toSorted(byClaim);
    for (const kind of KINDS) {
      for (const part of sorted) {
        const before = part.fold[kind].length;
        claim(part, kind, adapter, claimed);
        dropped += before - part.fold[kind].length;
      }
    }
  }
  return dropped;
}

/**
 * Leaves a part only what no part before it has claimed, and claims that. What it claimed itself is no reason: some
 * versions gave many records one time, after a sleep of the machine.
 */
function claim(part: Part, kind: Kind, adapter: Adapter, claimed: Map<string, Part>): void {
  const own: string[] = [];
  const isNew = (key: string) => {
    own.push(key);
    return (claimed.get(key) ?? part) === part;
  };
  const { id } = part.candidate.head;
  part.fold = keepOf(part.fold, kind, (one, mark) => {
    const isOwn = isNew(typeof one === "string" ? `${id} ${one}` : runKey(one, adapter));
    return (mark === null || isNew(`${mark} ${timeOf(one)}`)) && isOwn;
  });
  for (const key of own) if (!claimed.has(key)) claimed.set(key, part);
}

/** Sessions before sub-agents, then the larger file first. */
function byClaim({ candidate: { head: a } }: Part, { candidate: { head: b } }: Part): number {
  return Number(a.subagent) - Number(b.subagent) || b.bytes - a.bytes;
}

function runKey(run: RunRow, adapter: Adapter): string {
  return adapter.stampsRuns ? `${run.session_id} ${run.started_at}` : JSON.stringify(run);
}

/** The groups of parts that share a session id; there are hardly ever any. */
function sameIds(parts: Part[]): Part[][] {
  const groups = new Map<string, Part[]>();
  const ids = new Set<string>();
  for (const part of parts) {
    const { id } = part.candidate.head;
    if (ids.has(id)) groups.set(id, []);
    ids.add(id);
  }
  if (groups.size === 0) return [];
  for (const part of parts) groups.get(part.candidate.head.id)?.push(part);
  return [...groups.values()];
}

/** Makes equal settings one object, over all reads given to one interner: a change is then a change of reference. */
export function configInterner(): (reads: readonly FileRead[]) => void {
  const byText = new Map<string, RunConfig>();
  return (reads) => {
    // Runs in a row mostly share their settings, so that few are turned to text.
    let last: RunConfig | null = null;
    let lastOne: RunConfig | null = null;
    for (const run of reads.flatMap(({ fold }) => fold?.runs ?? [])) {
      if (run.config === null) continue;
      if (run.config !== last || lastOne === null) {
        last = run.config;
        const text = JSON.stringify(last);
        lastOne = byText.get(text) ?? last;
        byText.set(text, lastOne);
      }
      run.config = lastOne;
    }
  };
}
