import { modelName, percent } from "#lib/format.ts";
import { type Metric, type ModelSlice, rateOf, tallyByModel } from "#lib/health/tally.ts";
import { type Rate, RUNS_FLOOR, ratio } from "#lib/rate.ts";
import type { Scan } from "#lib/sources/source.ts";
import { stampMs } from "#lib/time.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import type { Finding } from "./finding.ts";

/** Sessions of each source that are looked at, newest first and however old they are. */
export const SESSIONS_MAX = 200;
const CALLS_FLOOR = 20;

/**
 * The checks, in the order in which they are reported. The thresholds are high on purpose: an alarm that goes off for
 * nothing stops being read.
 */
export const CHECKS = [
  {
    metric: "ended_on_failed_call",
    threshold: 0.2,
    floor: 0,
    counted: "runs",
    does: "ends runs on a failed tool call",
  },
  {
    metric: "tool_error_rate",
    threshold: 0.25,
    floor: CALLS_FLOOR,
    counted: "tool calls",
    does: "fails its tool calls",
  },
  {
    metric: "cut_short",
    threshold: 0.25,
    floor: 0,
    counted: "runs",
    does: "has its runs cut short by the harness",
  },
] as const satisfies readonly {
  metric: Metric;
  threshold: number;
  floor: number;
  counted: string;
  does: string;
}[];

/** Sessions and runs of the sources, made ready to be looked at as of many instants. Sub-agents are not in it. */
export type Population = {
  sources: { sessions: { id: string; ms: number }[]; runs: Map<string, TimedRun[]> }[];
};
type TimedRun = { row: RunRow; ms: number };

/** Scans may hold more than the newest sessions: the choice is made here, from the session times. */
export function populationOf(scans: readonly Scan[]): Population {
  return {
    sources: scans.map((scan) => {
      const runs = new Map<string, TimedRun[]>();
      for (const row of scan.runs) {
        if (row.subagent) continue;
        const timed = { row, ms: stampMs(row.started_at) };
        const known = runs.get(row.session_id);
        if (known === undefined) runs.set(row.session_id, [timed]);
        else known.push(timed);
      }
      return { sessions: sessionsOf(scan), runs };
    }),
  };
}

/** Newest first; one entry a session, for the same one may stand in several files. */
function sessionsOf(scan: Scan): { id: string; ms: number }[] {
  const oldest = new Map<string, number>();
  for (const { id, created_at, subagent } of scan.sessions) {
    const ms = stampMs(created_at);
    if (!subagent) oldest.set(id, Math.min(ms, oldest.get(id) ?? ms));
  }
  // A header without a time cannot be placed; taken for the oldest, it takes no place from those that can.
  return [...oldest].map(([id, ms]) => ({ id, ms: ms || 0 })).sort((a, b) => b.ms - a.ms);
}

/** The runs of the newest 200 sessions of each source as it stood at an instant, by (provenance, model). */
export function slicesAt(population: Population, as_of_ms: number): ModelSlice[] {
  const rows = population.sources.flatMap(({ sessions, runs }) =>
    newestAt(sessions, as_of_ms).flatMap(({ id }) =>
      (runs.get(id) ?? []).filter(({ ms }) => ms <= as_of_ms).map(({ row }) => row),
    ),
  );
  return tallyByModel(rows);
}

function newestAt<T extends { ms: number }>(newestFirst: readonly T[], as_of_ms: number): T[] {
  let low = 0;
  let high = newestFirst.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((newestFirst[middle]?.ms ?? 0) <= as_of_ms) high = middle;
    else low = middle + 1;
  }
  return newestFirst.slice(low, low + SESSIONS_MAX);
}

/**
 * What is wrong with the runs of each model: three checks over a floor of 20 runs. A missing stop cause is not cut short,
 * a person's interruption neither, and a rate over no calls is no rate.
 */
export function populationFindings(slices: readonly ModelSlice[]): Finding[] {
  return slices
    .filter(({ tally }) => tally.runs >= RUNS_FLOOR)
    .flatMap((slice) =>
      CHECKS.flatMap((check) => {
        const rate = rateOf(slice.tally, check.metric);
        const share = ratio(rate);
        if (share === null || rate.of < check.floor || share < check.threshold) return [];
        return [findingOf(slice, check, rate)];
      }),
    );
}

function findingOf(
  { provenance, model, tally }: ModelSlice,
  check: (typeof CHECKS)[number],
  rate: Rate,
): Finding {
  const whose = provenance === "derived" ? `${modelName(model)} (derived)` : modelName(model);
  return {
    id: `runs/${check.metric}/${provenance}/${model}`,
    component: "runs",
    severity: "attention",
    summary: `${whose} ${check.does}: ${percent(rate, 0)}`,
    detail: `${rate.hits} of ${rate.of} ${check.counted}, over ${tally.runs} runs in ${tally.sessions} of the newest ${SESSIONS_MAX} sessions; reported from ${check.threshold * 100}% up`,
    remedy: {
      description: "read how the runs of the last 30 days went",
      argv: ["mecha", "sessions", "health", "--days", "30"],
      needs_terminal: false,
    },
    evidence: {
      provenance,
      model,
      hits: rate.hits,
      of: rate.of,
      rate: ratio(rate),
      threshold: check.threshold,
      runs: tally.runs,
      sessions: tally.sessions,
    },
  };
}
