import type { Finding } from "#lib/doctor/finding.ts";
import { doctorReport } from "#lib/doctor/report.ts";
import { findingHistory } from "#lib/doctor/since.ts";
import type { Scan } from "#lib/sources/source.ts";
import { DAY_MS } from "#lib/time.ts";
import { emptyLedger } from "#lib/trigger/ledger.ts";
import type { TriggerStore } from "#lib/trigger/store.ts";
import type { Week } from "./week.ts";

/** A finding of the week. `since`: RFC 3339; null where nothing tells. */
export type WeekFinding = Pick<Finding, "id" | "component" | "severity" | "summary" | "detail"> & {
  since: string | null;
  /** It stood already at the start of the nine weeks. */
  or_earlier: boolean;
};
export type WeekResolved = WeekFinding & {
  /** RFC 3339; null where only the two ends of the week tell. */
  resolved_at: string | null;
};

/**
 * The doctor at the end of a week (or now, while it lasts) against the doctor just before it began: nothing is
 * remembered, so the same transcripts give the same three lists again. `resolved` holds what came and went within the
 * week too.
 */
export type WeekFindings = { new: WeekFinding[]; standing: WeekFinding[]; resolved: WeekResolved[] };

/** What the runs say; it holds for as long as the scans do. Days end in the zone of the week. */
export function runFindings(scans: readonly Scan[], week: Week): WeekFindings {
  return compare({ scans, triggers: NO_TRIGGERS, zone: week.zone }, week);
}

/** What the triggers say. `zone`: of schedules that name none, which is the machine's and not the reader's. */
export function triggerFindingsOf(triggers: TriggerStore, zone: string, week: Week): WeekFindings {
  return compare({ scans: [], triggers: { ...triggers, problems: [] }, zone }, week);
}

/** Both, what is broken first. */
export function joinFindings(a: WeekFindings, b: WeekFindings): WeekFindings {
  return {
    new: worstFirst([...a.new, ...b.new]),
    standing: worstFirst([...a.standing, ...b.standing]),
    resolved: worstFirst([...a.resolved, ...b.resolved]),
  };
}

function worstFirst<F extends WeekFinding>(findings: F[]): F[] {
  const rank = { broken: 0, attention: 1 };
  return findings.sort((a, b) => rank[a.severity] - rank[b.severity]);
}

type Looked = { scans: readonly Scan[]; triggers: TriggerStore; zone: string };

function compare(looked: Looked, week: Week): WeekFindings {
  const at = (as_of_ms: number) => doctorReport({ ...looked, as_of_ms }).findings.filter(isOfTime);
  const [start, end] = [at(week.from_ms - 1), at(week.until_ms)];
  const first = week.buckets[0]?.from_ms ?? week.from_ms;
  const days = Math.ceil((week.until_ms - first) / DAY_MS);
  const history = findingHistory({ ...looked, as_of_ms: week.until_ms }, end, days);
  const stood = new Set(start.map(({ id }) => id));
  const stands = new Set(end.map(({ id }) => id));
  const standing = history.standing.map(({ finding, since, or_earlier }) => ({
    ...told(finding),
    since,
    or_earlier,
  }));
  const gone = history.resolved
    .filter(({ resolved_at }) => Date.parse(resolved_at) >= week.from_ms)
    .map(({ finding, ...when }) => ({ ...told(finding), ...when }));
  const known = new Set(gone.map(({ id }) => id));
  const unseen = start
    .filter(({ id }) => !stands.has(id) && !known.has(id))
    .map((finding) => ({ ...told(finding), since: null, or_earlier: false, resolved_at: null }));
  return {
    new: standing.filter(({ id }) => !stood.has(id)),
    standing: standing.filter(({ id }) => stood.has(id)),
    resolved: [...gone, ...unseen],
  };
}

/** That a store cannot be read today says nothing of a week. */
function isOfTime({ component }: Finding): boolean {
  return component !== "store";
}

function told({ id, component, severity, summary, detail }: Finding) {
  return { id, component, severity, summary, detail };
}

const NO_TRIGGERS: TriggerStore = { place: "", triggers: [], problems: [], ledger: emptyLedger() };
