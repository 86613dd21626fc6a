import { type ReviewInput, type ReviewReport, reviewReport } from "#lib/review/report.ts";
import { NOTHING_STORED, type WeekProposal, type WeekVerdict } from "#lib/review/stored.ts";
import { readWeek, type Week } from "#lib/review/week.ts";
import type { RunRow } from "#lib/transcript/run-row.ts";
import { aRun } from "#tests/support/a-run.ts";
import { aScan } from "#tests/support/a-scan.ts";
import { aTriggerStore } from "#tests/support/a-trigger.ts";

/** A week as of the morning after it, or as of another moment. */
export function aWeek(key = "2026-W48", zone = "UTC", at = "2026-11-30T10:00:00Z"): Week {
  const read = readWeek(key, zone, Date.parse(at));
  if (!read.ok) throw new Error(read.problem);
  return read.week;
}

/** Runs of one session on one day, all alike but for what `each` says. */
export function runsOn(
  day: string,
  n: number,
  what: Partial<RunRow>,
  each: (i: number) => Partial<RunRow> = () => ({}),
): RunRow[] {
  return Array.from({ length: n }, (_, i) =>
    aRun({
      session_id: `${what.model ?? "m"}-${day}`,
      run: i + 1,
      started_at: `${day}T12:00:00Z`,
      ...what,
      ...each(i),
    }),
  );
}

const MONDAYS = ["2026-10-26", "2026-11-02", "2026-11-09", "2026-11-16"];

/**
 * Four weeks of `alpha`: 24 runs of 5 calls, every second of which has one failed call, so 12 of 120. In week 48 each of
 * its 24 runs has three, 72 of 120, and `max_turns` goes from 40 to 20. `beta` has 3 runs in each week but the 46th.
 */
export function knownRuns(): RunRow[] {
  const config = { max_turns: 40 };
  const alpha = { model: "alpha", tool_calls: 5, cost_usd: 0.01, usage_complete: true };
  return [
    ...MONDAYS.flatMap((day) =>
      runsOn(day, 24, { ...alpha, config }, (i) => ({ tool_errors: i % 2 === 0 ? 1 : 0 })),
    ),
    ...runsOn("2026-11-23", 24, { ...alpha, config: { max_turns: 20 }, tool_errors: 3 }, (i) => ({
      ended_on_failed_call: i < 12,
      stop_cause: i < 4 ? "max_turns" : "completed",
    })),
    ...[MONDAYS[0], MONDAYS[1], MONDAYS[3], "2026-11-24"].flatMap((day) =>
      runsOn(day ?? "", 3, { model: "beta", tool_calls: 2 }, (i) => ({ tool_errors: i === 0 ? 1 : 0 })),
    ),
  ];
}

/** The review of these runs, or of the known ones. */
export function aReview(what: Partial<ReviewInput> = {}, runs = knownRuns()): ReviewReport {
  return reviewReport({
    week: aWeek(),
    scans: [aScan(runs)],
    triggers: aTriggerStore(),
    schedule_zone: "UTC",
    problems: [],
    stored: NOTHING_STORED,
    ...what,
  });
}

export const aVerdict = (what: Partial<WeekVerdict> = {}): WeekVerdict => ({
  id: "ab".repeat(32),
  created_at: "2026-11-25T12:00:00Z",
  outcome: "accept",
  reason: "better on the selection slice",
  currency: "case_passes",
  change_class: "config",
  change: "max_turns=40",
  baseline: "as configured",
  candidate: "max_turns=40",
  predicted_metric: "cut_short",
  prediction: "kept",
  ...what,
});
export const aProposal = (what: Partial<WeekProposal> = {}): WeekProposal => ({
  id: "p1",
  created_at: "2026-11-24T12:00:00Z",
  kind: "proposal",
  subject: "alpha",
  provider: "local",
  model: "doctor-model",
  scripted: false,
  change_class: "config",
  change: "max_turns=40",
  metric: "cut_short",
  reason: null,
  fate: { kind: "not_measured" },
  ...what,
});
