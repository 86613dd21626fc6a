import { configChanges, type Marker } from "#lib/health/markers.ts";
import { PROVENANCES, type Tally, tallyRuns } from "#lib/health/tally.ts";
import type { Scan, Source } from "#lib/sources/source.ts";
import { isoUtc, stampMs } from "#lib/time.ts";
import { addCoverage, type Coverage, emptyCoverage } from "#lib/transcript/coverage.ts";
import type { Provenance, RunRow } from "#lib/transcript/run-row.ts";
import type { StoreProblem, TriggerStore } from "#lib/trigger/store.ts";
import { joinFindings, runFindings, triggerFindingsOf, type WeekFindings } from "./findings.ts";
import { type ModelReview, modelReviews } from "./models.ts";
import type { Stored } from "./stored.ts";
import { WEEKS_BEFORE, type Week } from "./week.ts";

/** Runs and sessions of one provenance, this week and in the eight before together. */
export type WeekTotal = {
  provenance: Provenance;
  runs: number;
  sessions: number;
  runs_before: number;
};

/** The one value behind the page, the printed sheets, the file and the text of a week's review. */
export type ReviewReport = {
  schema_version: 1;
  week: {
    key: string;
    zone: string;
    /** RFC 3339: local midnight of its Monday, and of the Monday after. */
    from: string;
    to: string;
    /** False: it still goes on, and everything here is as of `as_of`. */
    complete: boolean;
    /** Keys of the eight weeks it is held against, oldest first. */
    weeks_before: string[];
    previous: string;
    /** Null while that week has not begun. */
    next: string | null;
  };
  /** RFC 3339: the last instant whose runs, findings and verdicts are in here. */
  as_of: string;
  totals: WeekTotal[];
  models: ModelReview[];
  /** Changes of model and settings dated in the week, oldest first. */
  markers: Marker[];
  findings: WeekFindings;
  coverage: Coverage & {
    sources: { source: Source; provenance: Provenance; runs: number }[];
    /** Stores that could not be used. */
    problems: StoreProblem[];
    /** RFC 3339: when the newest run up to the end of the week started, in it or long before it. */
    newest_run: string | null;
  };
} & Stored;

/** What follows from the scans alone and holds for as long as they do. */
export type RunsPart = Pick<ReviewReport, "totals" | "models" | "markers"> & {
  findings: WeekFindings;
  newest_run: string | null;
};

export type ReviewInput = {
  week: Week;
  /** Scans up to the end of the week, or later. */
  scans: readonly Scan[];
  triggers: TriggerStore;
  /** Zone of schedules that name none. */
  schedule_zone: string;
  problems: readonly StoreProblem[];
  stored: Stored;
};

/** The runs' part of a review: counts, limits, changes of settings, and what the doctor says of models. */
export function runsPart(scans: readonly Scan[], week: Week): RunsPart {
  const rows = scans
    .flatMap(({ runs }) => runs)
    .filter(({ subagent, started_at }) => !subagent && stampMs(started_at) <= week.until_ms);
  const newest = rows.reduce((most, { started_at }) => Math.max(most, stampMs(started_at)), -1);
  return {
    totals: totalsOf(rows, week),
    models: modelReviews(rows, week),
    markers: configChanges(rows).filter(({ at }) => isIn(week, at)),
    findings: runFindings(scans, week),
    newest_run: newest < 0 ? null : isoUtc(newest),
  };
}

/** The review of a week. `part`: what `runsPart` gave for the same scans and week, where it is known already. */
export function reviewReport(input: ReviewInput, part = runsPart(input.scans, input.week)): ReviewReport {
  const { week, scans, triggers, problems, stored } = input;
  const coverage = emptyCoverage();
  for (const scan of scans) addCoverage(coverage, scan.coverage);
  const { newest_run, findings, ...counts } = part;
  return {
    schema_version: 1,
    week: {
      key: week.key,
      zone: week.zone,
      from: isoUtc(week.from_ms),
      to: isoUtc(week.to_ms),
      complete: week.complete,
      weeks_before: week.buckets.slice(0, WEEKS_BEFORE).map(({ key }) => key),
      previous: week.previous,
      next: week.next,
    },
    as_of: isoUtc(week.until_ms),
    ...counts,
    findings: joinFindings(findings, triggerFindingsOf(triggers, input.schedule_zone, week)),
    ...stored,
    coverage: {
      ...coverage,
      sources: scans.map(({ source, provenance, runs }) => ({
        source,
        provenance,
        runs: runs.reduce((n, row) => n + (isMain(row) && isIn(week, row.started_at) ? 1 : 0), 0),
      })),
      problems: [...problems, ...triggers.problems],
      newest_run,
    },
  };
}

function totalsOf(rows: readonly RunRow[], week: Week): WeekTotal[] {
  const first = week.buckets[0]?.from_ms ?? week.from_ms;
  return PROVENANCES.flatMap((provenance) => {
    const own = rows.filter((row) => row.provenance === provenance && stampMs(row.started_at) >= first);
    if (own.length === 0) return [];
    const now: Tally = tallyRuns(own.filter(({ started_at }) => isIn(week, started_at)));
    return [{ provenance, runs: now.runs, sessions: now.sessions, runs_before: own.length - now.runs }];
  });
}

function isIn({ from_ms, until_ms }: Week, stamp: string): boolean {
  const at = stampMs(stamp);
  return at >= from_ms && at <= until_ms;
}

function isMain({ subagent }: RunRow): boolean {
  return !subagent;
}
