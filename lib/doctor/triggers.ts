import { counted, percent } from "#lib/format.ts";
import { ratio } from "#lib/rate.ts";
import { isoUtc } from "#lib/time.ts";
import type { LedgerRow } from "#lib/trigger/ledger.ts";
import { slotsAfter } from "#lib/trigger/schedule.ts";
import type { Finding, TriggerMark, TriggerStatus } from "./finding.ts";
import {
  anchorOf,
  callsOf,
  didNoWork,
  ERROR_RATE,
  failsItsCalls,
  historyAt,
  lastRunFailed,
  runWindow,
  SLOTS_MISSED,
  stuckSince,
  type TriggerHistory,
  WINDOW,
  zoneOf,
} from "./trigger-checks.ts";

/** What is wrong with one trigger as of an instant, in a fixed order. Disabled triggers are not examined. */
export function triggerFindings(history: TriggerHistory, as_of_ms: number): Finding[] {
  if (!history.trigger.enabled) return [];
  const known = historyAt(history, as_of_ms);
  const missed = missedFinding(known, as_of_ms);
  return [
    ...windowFindings(history.trigger.name, runWindow(known.rows)),
    ...(missed === null ? [] : [missed]),
  ];
}

/** What its last runs say about a trigger. */
export function windowFindings(name: string, window: readonly LedgerRow[]): Finding[] {
  return [
    lastRunFailed(window) ? failedFinding(name, window) : null,
    failsItsCalls(window) ? callsFinding(name, window) : null,
    didNoWork(window) ? noWorkFinding(name, window) : null,
  ].filter((finding) => finding !== null);
}

/** The trigger as a page lists it: its next slot and its last ledger rows, five where nothing is said, oldest first. */
export function triggerStatus(
  history: TriggerHistory,
  as_of_ms: number,
  findings: readonly Finding[],
  marks = WINDOW,
): TriggerStatus {
  const { trigger } = history;
  const [next] = nextSlots(history, as_of_ms, 1);
  return {
    name: trigger.name,
    enabled: trigger.enabled,
    schedule: trigger.schedule.pattern,
    timezone: trigger.timezone,
    description: trigger.description,
    next_at: next === undefined ? null : isoUtc(next),
    marks: lastRows(history, as_of_ms, marks).rows.map(markOf),
    finding_ids: findings.map(({ id }) => id),
  };
}

function markOf({ row, outcome }: JudgedRow): TriggerMark {
  const { started_at, tool_calls, tool_errors, session_id } = row;
  return { outcome, started_at, tool_calls, tool_errors, session_id };
}

/** The next slots of a trigger, in ms, soonest first; none when it is disabled or never fires again. */
export function nextSlots(history: TriggerHistory, as_of_ms: number, n: number): number[] {
  const { trigger } = history;
  return trigger.enabled ? slotsAfter(trigger.schedule, zoneOf(history), n, as_of_ms) : [];
}

/** A ledger row and how it went. */
export type JudgedRow = { row: LedgerRow; outcome: TriggerMark["outcome"] };

/** The last rows of a trigger's ledger, at most `max`, in its order, and how many older ones there are. */
export function lastRows(
  history: TriggerHistory,
  as_of_ms: number,
  max: number,
): { rows: JudgedRow[]; older: number } {
  const { rows } = historyAt(history, as_of_ms);
  const older = Math.max(0, rows.length - max);
  return { rows: rowOutcomes(rows).slice(older), older };
}

/** How each row of a ledger went, in its order. Whether a run did nothing depends on the runs before it. */
export function rowOutcomes(rows: readonly LedgerRow[]): JudgedRow[] {
  let window: LedgerRow[] = [];
  return rows.map((row) => {
    window = runWindow([...window, row]);
    return { row, outcome: outcomeOf(row, window) };
  });
}

function outcomeOf({ status }: LedgerRow, window: readonly LedgerRow[]): TriggerMark["outcome"] {
  switch (status) {
    case "ok":
      return didNoWork(window) ? "did_nothing" : "ok";
    case "error":
      return "error";
    case "skipped-overlap":
    case "skipped-stale":
      return "skipped";
    default:
      return status satisfies never;
  }
}

// No text of a run (its answer, its error) enters a finding: findings are read by a model later on, and must hold
// nothing but what this program counted.

/** A stamp without the fraction of its second, for a sentence; the evidence keeps it whole. */
function toSecond(stamp: string): string {
  return stamp.replace(/(:\d\d)\.\d+/, "$1");
}

function failedFinding(name: string, window: readonly LedgerRow[]): Finding {
  const newest = window.at(-1);
  const failed = window.filter(({ status }) => status === "error").length;
  return {
    ...frame(name, "last_run_failed", ["mecha", "trigger", "run", name], "run it once more and watch"),
    summary: `trigger ${name}: its most recent run failed`,
    detail: `the run of ${toSecond(newest?.started_at ?? "")} ended in an error; ${failed} of its last ${counted(window.length, "run")} did`,
    evidence: {
      trigger: name,
      started_at: newest?.started_at ?? null,
      failed_runs: failed,
      runs: window.length,
    },
  };
}

function callsFinding(name: string, window: readonly LedgerRow[]): Finding {
  const rate = callsOf(window);
  const ended = window.at(-1)?.ended_on_failed_call === true;
  return {
    ...frame(name, "tool_error_rate", ["mecha", "trigger", "show", name], "read its recent runs"),
    summary: `trigger ${name} fails its tool calls: ${percent(rate, 0)}`,
    detail: `${rate.hits} of ${rate.of} tool calls over its last ${counted(window.length, "run")} failed${ended ? ", and the most recent run ended on a failed call" : ""}`,
    evidence: {
      trigger: name,
      hits: rate.hits,
      of: rate.of,
      rate: ratio(rate),
      threshold: ERROR_RATE,
      runs: window.length,
      ended_on_failed_call: ended ? 1 : 0,
    },
  };
}

function noWorkFinding(name: string, window: readonly LedgerRow[]): Finding {
  const newest = window.at(-1);
  const earlier = callsOf(window.slice(0, -1)).of;
  return {
    ...frame(name, "did_no_work", ["mecha", "trigger", "show", name], "read its recent runs"),
    summary: `trigger ${name}: its most recent run succeeded without doing anything`,
    detail: `the run of ${toSecond(newest?.started_at ?? "")} made no tool call; the ${counted(window.length - 1, "run")} before it made ${earlier}`,
    evidence: {
      trigger: name,
      started_at: newest?.started_at ?? null,
      earlier_calls: earlier,
      earlier_runs: window.length - 1,
    },
  };
}

function missedFinding(history: TriggerHistory, as_of_ms: number): Finding | null {
  const since = stuckSince(history, as_of_ms);
  if (since === null) return null;
  const { name, schedule } = history.trigger;
  const anchor = anchorOf(history.trigger, history.rows);
  return {
    id: `triggers/missed_slots/${name}`,
    component: "triggers",
    severity: "attention",
    summary: `trigger ${name} has missed at least ${SLOTS_MISSED} slots`,
    detail: `nothing is accounted after ${anchor === null ? "" : toSecond(isoUtc(anchor))}, and its schedule is ${schedule.pattern}; is the process that fires triggers running?`,
    evidence: {
      trigger: name,
      accounted_until: anchor === null ? null : isoUtc(anchor),
      third_missed_slot: isoUtc(since),
    },
  };
}

function frame(name: string, check: string, argv: string[], description: string) {
  return {
    id: `triggers/${check}/${name}`,
    component: "triggers" as const,
    severity: "attention" as const,
    remedy: { description, argv, needs_terminal: false },
  };
}
