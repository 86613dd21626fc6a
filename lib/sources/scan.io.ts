import path from "node:path";
import { addCoverage, type Coverage, emptyCoverage } from "#lib/transcript/coverage.ts";
import type { RunRow, SessionHead } from "#lib/transcript/run-row.ts";
import type { Adapter } from "./adapter.ts";
import { adapterOf } from "./adapters.ts";
import {
  type Assembled,
  addOthers,
  assemble,
  candidateOf,
  candidatesOf,
  configInterner,
  select,
} from "./scan-assemble.ts";
import { type CrewOptions, readFiles } from "./scan-crew.io.ts";
import type { FileRead, SessionList } from "./scan-read.ts";
import { type Listing, listFiles } from "./scan-walk.io.ts";
import { DEFAULT_LIMITS, type Limits, type Scan, type Source } from "./source.ts";

export type ScanOptions = CrewOptions;

/**
 * Reads the runs of one source inside the limits, newest session first. Never throws for what stands in the files or for
 * what cannot be read: that is counted in `coverage`. Rejects only when `options.signal` is aborted.
 */
export async function scanRuns(
  source: Source,
  limits: Partial<Limits> = {},
  options: ScanOptions = {},
): Promise<Scan> {
  const startedAt = performance.now();
  const scanned_at = new Date().toISOString();
  const bounds: Limits = { ...DEFAULT_LIMITS, ...limits };
  const adapter = adapterOf(source.kind);
  const listing = listFiles(source.place, adapter);
  const { sessions, runs, coverage } =
    bounds.sessions_max === null
      ? await scanAll(source, adapter, listing.files, bounds, options)
      : await scanNewest(source, adapter, listing.files, bounds, options);
  addListing(coverage, listing);
  const took_ms = performance.now() - startedAt;
  return { source, provenance: adapter.provenance, sessions, runs, coverage, scanned_at, took_ms };
}

/** `reachIn`: list sessions that began before the window too, where they may have runs inside it. */
export type ListOptions = ScanOptions & { reachIn?: boolean };

/** Lists the sessions of one source that began inside the limits, newest first, from their headers. */
export async function listSessions(
  source: Source,
  limits: Partial<Limits> = {},
  options: ListOptions = {},
): Promise<SessionList> {
  const bounds: Limits = { ...DEFAULT_LIMITS, ...limits };
  const adapter = adapterOf(source.kind);
  const listing = listFiles(source.place, adapter);
  const heads = await readHeads(source, listing.files, bounds, options);
  const reachIn = options.reachIn === true && adapter.stampsRuns;
  const { candidates, cutoff, capped } = select(candidatesOf(source, adapter, heads), bounds, reachIn);
  const coverage = { ...emptyCoverage(), sessions_cutoff: cutoff, sessions_capped: capped };
  coverage.sessions_read = candidates.length;
  addOthers(coverage, heads);
  addListing(coverage, listing);
  return { sessions: candidates.map(({ head }) => head), coverage };
}

/**
 * Runs by session, in the order asked for. `inside`: it began inside the window, or something of it did, a run that has
 * not finished included.
 */
export type SessionRuns = { runs: RunRow[][]; inside: boolean[]; coverage: Coverage };

/**
 * Reads the runs of these sessions of one source, as an earlier listing named them, each file by itself: a run that two
 * of them hold stands in both. The bounds on time and bytes hold; there is no cap, for the caller has chosen.
 */
export async function scanSessions(
  source: Source,
  sessions: readonly SessionHead[],
  limits: Partial<Limits> = {},
  options: ScanOptions = {},
): Promise<SessionRuns> {
  const bounds: Limits = { ...DEFAULT_LIMITS, ...limits, sessions_max: null };
  const adapter = adapterOf(source.kind);
  const files = sessions.map((session) => path.relative(source.place, session.path));
  const reads = await readRuns(source, files, bounds, options);
  const coverage = emptyCoverage();
  addOthers(coverage, reads);
  const each = reads.map((read) => {
    const candidate = candidateOf(source, adapter, read);
    if (candidate === null) return { runs: [], sessions: [] };
    const alone = assemble({ candidates: [candidate], cutoff: 0, capped: 0 }, adapter, bounds);
    addCoverage(coverage, alone.coverage);
    return alone;
  });
  return {
    runs: each.map(({ runs }) => runs),
    inside: each.map((one) => one.sessions.length > 0),
    coverage,
  };
}

/** Without a cap every file is read once, its header on the way. */
async function scanAll(
  source: Source,
  adapter: Adapter,
  files: string[],
  bounds: Limits,
  options: ScanOptions,
): Promise<Assembled> {
  const reads = await readRuns(source, files, bounds, options);
  configInterner()(reads);
  const selected = select(candidatesOf(source, adapter, reads), bounds, adapter.stampsRuns);
  const assembled = assemble(selected, adapter, bounds);
  addOthers(assembled.coverage, reads);
  return assembled;
}

/** With a cap the headers of all files come first: only they tell which sessions are the newest. */
async function scanNewest(
  source: Source,
  adapter: Adapter,
  files: string[],
  bounds: Limits,
  options: ScanOptions,
): Promise<Assembled> {
  const heads = await readHeads(source, files, bounds, options);
  const selected = select(candidatesOf(source, adapter, heads), bounds, adapter.stampsRuns);
  const chosen = selected.candidates.map(({ read }) => read.relative);
  const reads = await readRuns(source, chosen, bounds, options);
  configInterner()(reads);
  const candidates = candidatesOf(source, adapter, reads);
  const assembled = assemble({ ...selected, candidates }, adapter, bounds);
  addOthers(assembled.coverage, heads);
  addOthers(assembled.coverage, reads);
  return assembled;
}

function readHeads(
  source: Source,
  files: string[],
  bounds: Limits,
  options: ScanOptions,
): Promise<FileRead[]> {
  return readFiles({ source, files, want: { kind: "head", bounds } }, options);
}

function readRuns(
  source: Source,
  files: string[],
  bounds: Limits,
  options: ScanOptions,
): Promise<FileRead[]> {
  return readFiles({ source, files, want: { kind: "runs", bounds } }, options);
}

function addListing(coverage: Coverage, listing: Listing): void {
  coverage.files_not_sessions += listing.others;
  coverage.sessions_unreadable += listing.unreadable;
}
