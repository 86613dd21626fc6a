import path from "node:path";
import { fitTo } from "#lib/display-width.ts";
import { UserError } from "#lib/errors.ts";
import { visible } from "#lib/format.ts";
import { listSessions, scanSessions } from "#lib/sources/scan.io.ts";
import type { Source } from "#lib/sources/source.ts";
import { stampMs } from "#lib/time.ts";
import { addCoverage, type Coverage, emptyCoverage } from "#lib/transcript/coverage.ts";
import type { RunRow, SessionHead } from "#lib/transcript/run-row.ts";
import type { CliIo } from "./io.ts";
import { withProgress } from "./scan.ts";
import { nothingFound, type Store } from "./store.ts";

/** A session and the source it was found in. `before`: it began before the window and may have runs inside it. */
export type Listed = { source: Source; head: SessionHead; before: boolean };

/** Every session that may belong to the store's window, newest first over all sources, from headers alone. */
export async function listHeads(io: CliIo, store: Store): Promise<{ listed: Listed[]; coverage: Coverage }> {
  const coverage = emptyCoverage();
  const listed: Listed[] = [];
  await withProgress(io, async (optionsFor) => {
    for (const source of store.sources) {
      const { since_ms } = store.limits;
      const limits = { ...store.limits, sessions_max: null };
      const list = await listSessions(source, limits, { ...optionsFor(source), reachIn: true });
      addCoverage(coverage, list.coverage);
      for (const head of list.sessions) {
        const before = since_ms !== null && stampMs(head.created_at) < since_ms;
        listed.push({ source, head, before });
      }
    }
  });
  if (store.sources.length > 1) listed.sort((a, b) => startOf(b) - startOf(a));
  return { listed, coverage };
}

/** The runs that some sessions have inside the window, each session with those of its own file. */
export async function runsOf(
  io: CliIo,
  store: Store,
  wanted: readonly Listed[],
): Promise<{ runs: Map<SessionHead, RunRow[]>; inside: Set<SessionHead>; coverage: Coverage }> {
  const coverage = emptyCoverage();
  const runs = new Map<SessionHead, RunRow[]>();
  const inside = new Set<SessionHead>();
  const limits = { since_ms: store.limits.since_ms, as_of_ms: store.limits.as_of_ms };
  await withProgress(io, async (optionsFor) => {
    for (const source of store.sources) {
      const heads = wanted.filter((one) => one.source === source).map(({ head }) => head);
      if (heads.length === 0) continue;
      const scan = await scanSessions(source, heads, limits, optionsFor(source));
      addCoverage(coverage, scan.coverage);
      for (const [at, head] of heads.entries()) {
        runs.set(head, scan.runs[at] ?? []);
        if (scan.inside[at]) inside.add(head);
      }
    }
  });
  return { runs, inside, coverage };
}

/**
 * The one session whose id starts with `prefix`, or is it. Where two files hold one session, the path of one of them
 * tells them apart. Throws UserError for none and for several.
 */
export async function findSession(io: CliIo, store: Store, prefix: string): Promise<Listed> {
  const { listed } = await listHeads(io, store);
  const file = path.resolve(io.cwd, prefix);
  const exact = listed.filter(({ head }) => head.id === prefix || head.path === file);
  const matches = exact.length === 1 ? exact : listed.filter(({ head }) => head.id.startsWith(prefix));
  const [match] = matches;
  if (match === undefined) throw new UserError("not_found", notFound(store, listed.length, prefix));
  if (matches.length > 1) throw new UserError("not_found", ambiguous(matches, prefix));
  return match;
}

const CANDIDATES_MAX = 10;

function notFound(store: Store, sessions: number, prefix: string): string {
  if (store.sources.length === 0) return nothingFound(store.looked);
  return `no session has an id that starts with '${named(prefix)}' (${sessions} looked at); see: mecha sessions list`;
}

function ambiguous(matches: readonly Listed[], prefix: string): string {
  const shown = matches
    .slice(0, CANDIDATES_MAX)
    .map(({ head }) => `  ${visible(head.id)}  ${visible(head.path)}`);
  const more = matches.length - shown.length;
  return [
    `${matches.length} sessions have an id that starts with '${named(prefix)}':`,
    ...shown,
    ...(more > 0 ? [`  and ${more} more`] : []),
    // Snapshots of one session share its id.
    new Set(matches.map(({ head }) => head.id)).size === 1
      ? "They share the id: write the path of one."
      : "Write more of the id, or the path.",
  ].join("\n");
}

function named(prefix: string): string {
  return fitTo(visible(prefix), 80);
}

function startOf({ head }: Listed): number {
  return Date.parse(head.created_at);
}
