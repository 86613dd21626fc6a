import { byteOrder } from "#lib/format.ts";
import type { Scan } from "#lib/sources/source.ts";
import { isoUtc } from "#lib/time.ts";
import type { StoreProblem, TriggerStore } from "#lib/trigger/store.ts";
import type { DoctorReport, Finding } from "./finding.ts";
import { ledgerNotices, type Retention, retentionNotices, unreadableNotices } from "./notices.ts";
import { populationFindings, populationOf, slicesAt } from "./population.ts";
import type { TriggerHistory } from "./trigger-checks.ts";
import { triggerFindings, triggerStatus } from "./triggers.ts";

/** What the doctor looks at. Scans may be larger than it needs. */
export type DoctorInput = {
  scans: readonly Scan[];
  triggers: TriggerStore;
  as_of_ms: number;
  /** Zone of triggers that name none. */
  zone: string;
  /** Stores that could not be opened at all. */
  problems?: readonly StoreProblem[];
  /** How far back its reader looks at the same data; null = all of it. Default 30, the window of its own remedies. */
  window_days?: number | null;
  /** What the sources' own settings say about deleting old transcripts. */
  retentions?: readonly Retention[];
};

/**
 * One pass, no network, no model, no memory of an earlier pass: everything stands in the transcripts, the trigger files
 * and the ledger. One store that cannot be read is a finding and stops none of the other checks.
 */
export function doctorReport(input: DoctorInput): DoctorReport {
  const { scans, triggers, as_of_ms, zone } = input;
  const histories = triggerHistories(triggers, zone);
  const ofTriggers = histories.map((history) => ({ history, findings: triggerFindings(history, as_of_ms) }));
  const findings = [
    ...populationFindings(slicesAt(populationOf(scans), as_of_ms)),
    ...ofTriggers.flatMap((one) => one.findings),
    ...storeFindings([...(input.problems ?? []), ...unreadableStores(scans), ...triggers.problems]),
  ];
  const sources = scans.map(({ source }) => source);
  return {
    as_of: isoUtc(as_of_ms),
    findings: sortFindings(findings),
    notices: [
      ...retentionNotices(
        sources,
        input.retentions ?? [],
        input.window_days === undefined ? 30 : input.window_days,
      ),
      ...unreadableNotices(scans),
      ...ledgerNotices(triggers.place, triggers.ledger.coverage),
    ],
    triggers: ofTriggers.map(({ history, findings: own }) => triggerStatus(history, as_of_ms, own)),
  };
}

/** Each trigger that has a file, with its rows. Rows of triggers that are gone belong to nobody. */
export function triggerHistories({ triggers, ledger }: TriggerStore, zone: string): TriggerHistory[] {
  const rows = new Map(triggers.map(({ name }) => [name, [] as TriggerHistory["rows"][number][]]));
  for (const row of ledger.rows) rows.get(row.trigger)?.push(row);
  return triggers.map((trigger) => ({ trigger, rows: rows.get(trigger.name) ?? [], zone }));
}

/** A store of which nothing could be read; of one that was read in part a notice speaks. */
function unreadableStores(scans: readonly Scan[]): StoreProblem[] {
  return scans
    .filter(({ coverage }) => coverage.sessions_read === 0 && coverage.sessions_unreadable > 0)
    .map(({ source, coverage }) => ({
      place: source.place,
      problem: `none of its ${coverage.sessions_unreadable} session(s) or folder(s) could be opened`,
    }));
}

function storeFindings(problems: readonly StoreProblem[]): Finding[] {
  return problems.map(({ place, problem }) => ({
    id: `store/unreadable/${place}`,
    component: "store",
    severity: "attention",
    summary: `store unreadable: ${place}`,
    detail: problem,
    evidence: { place },
  }));
}

/** `broken` first, then component in byte order, then the order in which they were found. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const rank = { broken: 0, attention: 1 };
  return [...findings].sort(
    (a, b) => rank[a.severity] - rank[b.severity] || byteOrder(a.component, b.component),
  );
}
