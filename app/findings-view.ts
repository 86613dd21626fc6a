import { hrefTo } from "#app/_ui/href.ts";
import type { DoctorReport, Finding } from "#lib/doctor/finding.ts";
import { CHECKS, populationFindings, populationOf, SESSIONS_MAX, slicesAt } from "#lib/doctor/population.ts";
import { type DoctorInput, doctorReport } from "#lib/doctor/report.ts";
import { type FindingHistory, findingHistory, type Resolved, type Standing } from "#lib/doctor/since.ts";
import { RUNS_FLOOR } from "#lib/rate.ts";
import { shellLine } from "#lib/shell-quote.ts";
import type { Scan } from "#lib/sources/source.ts";
import { emptyLedger } from "#lib/trigger/ledger.ts";

/** A finding as the page shows it. */
export type FindingView = Standing & {
  /** Its remedy as a line to be pasted; null without one. */
  command: string | null;
  /** The sessions or the trigger behind it; null where there is nothing to open. */
  rowsHref: string | null;
};

/** What the checks had to look at: with nothing to look at, no finding means nothing. */
export type Looked = { models: number; modelsTooFew: number; triggers: number };

export type FindingsView = {
  asOf: string;
  broken: FindingView[];
  attention: FindingView[];
  notices: DoctorReport["notices"];
  triggers: DoctorReport["triggers"];
  resolved: Resolved[];
  looked: Looked;
};

/** What doctor says of the runs; it holds until a run is added, so it is kept apart from what a clock can change. */
export type RunsPart = { findings: FindingHistory; looked: Omit<Looked, "triggers"> };

/** The run checks of a population of any size. */
export function runsPart(input: Pick<DoctorInput, "scans" | "as_of_ms" | "zone">): RunsPart {
  const whole = { ...input, triggers: NO_TRIGGERS };
  const slices = slicesAt(populationOf(input.scans), input.as_of_ms);
  const enough = slices.filter(({ tally }) => tally.runs >= RUNS_FLOOR).length;
  return {
    findings: findingHistory(whole, populationFindings(slices)),
    looked: { models: enough, modelsTooFew: slices.length - enough },
  };
}

const NO_TRIGGERS: DoctorInput["triggers"] = {
  place: "",
  triggers: [],
  problems: [],
  ledger: emptyLedger(),
};

/** Doctor's report with, for each finding, since when it stands and what is behind it. */
export function findingsView(runs: RunsPart, input: DoctorInput): FindingsView {
  const report = doctorReport({ ...input, scans: input.scans.map(withoutRuns) });
  const others = findingHistory({ ...input, scans: [] }, report.findings);
  const views = [...runs.findings.standing, ...others.standing].map((one) => ({
    ...one,
    command: one.finding.remedy ? shellLine(one.finding.remedy.argv) : null,
    rowsHref: rowsHref(one.finding),
  }));
  return {
    asOf: report.as_of,
    broken: views.filter(({ finding }) => finding.severity === "broken"),
    attention: views.filter(({ finding }) => finding.severity === "attention"),
    notices: report.notices,
    triggers: report.triggers,
    resolved: [...runs.findings.resolved, ...others.resolved].sort(
      (a, b) => Date.parse(b.resolved_at) - Date.parse(a.resolved_at),
    ),
    looked: { ...runs.looked, triggers: report.triggers.filter(({ enabled }) => enabled).length },
  };
}

/** Store findings and notices rest on the coverage alone. */
function withoutRuns(scan: Scan): Scan {
  return { ...scan, runs: [], sessions: [] };
}

const ROW_FILTER: Record<(typeof CHECKS)[number]["metric"], Record<string, string>> = {
  ended_on_failed_call: { ended_on_failed_call: "1" },
  tool_error_rate: { errors: "1" },
  cut_short: { stop_cause: "cut_short" },
};

function rowsHref({ component, id, evidence }: Finding): string | null {
  if (component === "triggers" && typeof evidence.trigger === "string") return `#trigger-${evidence.trigger}`;
  const check = CHECKS.find(({ metric }) => id.startsWith(`runs/${metric}/`));
  if (check === undefined || typeof evidence.model !== "string") return null;
  return hrefTo("/sessions", { model: evidence.model, subagents: "without", ...ROW_FILTER[check.metric] });
}

/** What the run checks look at, in words. */
export const RUN_CHECKS_SCOPE = `the newest ${SESSIONS_MAX} sessions of each source, models with at least ${RUNS_FLOOR} runs`;
