import type { Scan, Source } from "#lib/sources/source.ts";
import type { LedgerCoverage } from "#lib/trigger/ledger.ts";
import type { Notice } from "./finding.ts";

/** Days after which Claude Code deletes a transcript unless `cleanupPeriodDays` says otherwise (its settings page). */
export const CLEANUP_DAYS = 30;

/** What a source's own settings say about deleting; null = they say nothing. */
export type Retention = { place: string; cleanup_days: number | null };

/**
 * A source that deletes what is older than the window: its older days look idle, or partly so, because their
 * transcripts are gone. Nothing is wrong with that, but a rate or a trend read across the edge is.
 */
export function retentionNotices(
  sources: readonly Source[],
  retentions: readonly Retention[],
  window_days: number | null,
): Notice[] {
  return sources.flatMap(({ kind, place }) => {
    if (kind !== "claude-code") return [];
    const set = retentions.find((one) => one.place === place)?.cleanup_days ?? null;
    const days = set ?? CLEANUP_DAYS;
    if (window_days !== null && window_days < days) return [];
    const window = window_days === null ? "all time" : `${window_days} days`;
    return [
      {
        id: `sources/retention/${kind}/${place}`,
        summary: `Claude Code deletes its transcripts after ${days} days, and the window is ${window}`,
        detail: `${place}: days near and beyond that edge look idle because their transcripts are gone. cleanupPeriodDays in Claude Code's settings.json sets it${set === null ? "; it is not set there" : ""}.`,
      },
    ];
  });
}

/** Sessions that could not be read although their store could. */
export function unreadableNotices(scans: readonly Scan[]): Notice[] {
  return scans
    .filter(({ coverage }) => coverage.sessions_unreadable > 0 && coverage.sessions_read > 0)
    .map(({ source, coverage }) => ({
      id: `sources/unreadable/${source.kind}/${source.place}`,
      summary: `${coverage.sessions_unreadable} session(s) or folder(s) could not be read`,
      detail: `${source.place}: what follows was worked out from the ${coverage.sessions_read} that could.`,
    }));
}

/** Ledger lines that say nothing, so that a trigger's history may have holes. */
export function ledgerNotices(place: string, coverage: LedgerCoverage): Notice[] {
  const bad = coverage.lines_bad + coverage.lines_not_utf8;
  if (bad === 0) return [];
  return [
    {
      id: "triggers/ledger_lines",
      summary: `${bad} line(s) of the trigger ledger are no row`,
      detail: `${place}: ${coverage.rows} row(s) were read beside them.`,
    },
  ];
}
