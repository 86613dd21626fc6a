import type { WorkspaceName } from "./world.ts";

/** Invented models: a demo should say nothing about a real one. */
export type ModelName = "heron-70b" | "wren-14b";

export type TriggerName =
  | "morning-briefing"
  | "dependency-watch"
  | "inbox-digest"
  | "restore-drill"
  | "feed-check"
  | "status-page";

/** How one tool call goes. */
export type CallPlan =
  | "ok"
  | "failed"
  | "malformed"
  | "denied_by_user"
  | "denied_by_policy"
  | "blocked_send"
  | "staged";

/** What a set of runs adds up to, exactly. What is absent does not occur. */
export type Totals = {
  runs: number;
  calls: number;
  /** How runs end that do not simply complete; `failed_call`: complete, with the last call failed. */
  ends: Partial<Record<"failed_call" | "max_turns" | "loop" | "interrupted", number>>;
  /** How calls go that do not go well. Errors are `failed` and `malformed`. */
  states: Partial<Record<Exclude<CallPlan, "ok">, number>>;
  compactions: number;
};

/** Runs of one model in a stretch of days. Days count from the day the store is made: -1 is yesterday. */
export type Cell = Totals & {
  model: ModelName;
  days: readonly [first: number, last: number];
  sessions: number;
  /** Most runs of one session. */
  longest: number;
  /** So many of its runs begin in a session of the next cell, before the model is switched there. */
  lent: number;
  workspaces: readonly [WorkspaceName, ...WorkspaceName[]];
};

/** One run a day. `tail` are its last runs, which the doctor looks at, one by one. */
export type TriggerCell = Totals & {
  trigger: TriggerName;
  model: ModelName;
  days: readonly [first: number, last: number];
  tail: readonly Totals[];
};

/** The day from which wren-14b, until then used for small questions, is the model everybody starts with. */
export const SWITCH_DAY = -7;

const HERON = {
  model: "heron-70b",
  longest: 9,
  lent: 0,
  workspaces: ["api", "api", "ledger", "handbook"],
} as const;
const WREN = { model: "wren-14b", longest: 3, lent: 0, workspaces: ["handbook"], compactions: 0 } as const;

/**
 * The last 28 days hold 188 sessions and 412 runs: completed 380, max_turns 21, loop 6, interrupted 5; 17 ended on a
 * failed call; 3162 calls, 233 errors, 41 denied, 12 staged; 9 malformed, 2 blocked sends, 61 compactions.
 * heron-70b fails under 3 % of its calls throughout. wren-14b fails 4 % until the switch and more than a third after it.
 * Three empty days lie between them and the 60 days of history, so that at no hour a session crosses the 30-day edge.
 */
export const CELLS: readonly Cell[] = [
  {
    ...HERON,
    days: [-91, -47],
    sessions: 97,
    runs: 300,
    calls: 2450,
    compactions: 48,
    ends: { failed_call: 7, max_turns: 24, loop: 5, interrupted: 4 },
    states: { failed: 47, malformed: 3, denied_by_user: 29, blocked_send: 2, staged: 7 },
  },
  {
    ...WREN,
    days: [-91, -47],
    sessions: 62,
    runs: 130,
    calls: 300,
    ends: { failed_call: 2, max_turns: 1, interrupted: 1 },
    states: { failed: 12, malformed: 1, denied_by_user: 4 },
  },
  {
    ...HERON,
    days: [-46, -32],
    sessions: 33,
    runs: 100,
    calls: 880,
    compactions: 18,
    ends: { failed_call: 2, max_turns: 5, loop: 2, interrupted: 2 },
    states: { failed: 16, malformed: 1, denied_by_user: 10, blocked_send: 1, staged: 3 },
  },
  {
    ...WREN,
    days: [-46, -32],
    sessions: 21,
    runs: 44,
    calls: 100,
    ends: { failed_call: 1 },
    states: { failed: 4, denied_by_user: 2 },
  },
  {
    ...HERON,
    days: [-28, SWITCH_DAY - 1],
    sessions: 64,
    runs: 194,
    calls: 2075,
    compactions: 46,
    ends: { failed_call: 5, max_turns: 11, loop: 3, interrupted: 3 },
    states: { failed: 33, malformed: 2, denied_by_user: 18, blocked_send: 1, staged: 4 },
  },
  {
    ...WREN,
    days: [-28, SWITCH_DAY - 1],
    sessions: 20,
    runs: 54,
    calls: 104,
    ends: { failed_call: 1, max_turns: 1 },
    states: { failed: 5, denied_by_user: 3 },
  },
  {
    ...HERON,
    days: [SWITCH_DAY + 2, -1],
    sessions: 7,
    runs: 18,
    calls: 190,
    compactions: 4,
    lent: 3,
    workspaces: ["ledger"],
    ends: { max_turns: 1, loop: 1, interrupted: 1 },
    states: { failed: 3, denied_by_user: 2, staged: 1 },
  },
  {
    ...WREN,
    days: [SWITCH_DAY, -1],
    sessions: 13,
    longest: 9,
    runs: 62,
    calls: 406,
    compactions: 11,
    workspaces: ["api", "api", "ledger"],
    ends: { failed_call: 9, max_turns: 8, loop: 2, interrupted: 1 },
    states: { failed: 151, malformed: 7, denied_by_user: 8, blocked_send: 1 },
  },
];

const QUIET = { ends: {}, compactions: 0, tail: [] } as const;

/** One run of a tail. */
function aRun(calls: number, failed: number, ends: Totals["ends"] = {}): Totals {
  return { runs: 1, calls, ends, states: { failed }, compactions: 0 };
}

export const TRIGGER_CELLS: readonly TriggerCell[] = [
  {
    ...QUIET,
    trigger: "status-page",
    model: "heron-70b",
    days: [-91, -52],
    runs: 40,
    calls: 120,
    states: { failed: 5 },
  },
  {
    ...QUIET,
    trigger: "morning-briefing",
    model: "wren-14b",
    days: [-91, -32],
    runs: 60,
    calls: 240,
    states: { failed: 10 },
  },
  {
    ...QUIET,
    trigger: "morning-briefing",
    model: "wren-14b",
    days: [-28, SWITCH_DAY - 1],
    runs: 21,
    calls: 84,
    states: { failed: 3 },
  },
  {
    ...QUIET,
    trigger: "morning-briefing",
    model: "wren-14b",
    days: [SWITCH_DAY, -1],
    runs: 7,
    calls: 30,
    states: { failed: 1 },
  },
  {
    ...QUIET,
    trigger: "dependency-watch",
    model: "heron-70b",
    days: [-15, SWITCH_DAY - 1],
    runs: 8,
    calls: 48,
    states: { failed: 2, denied_by_policy: 1 },
  },
  {
    ...QUIET,
    trigger: "dependency-watch",
    model: "wren-14b",
    days: [SWITCH_DAY, -1],
    runs: 7,
    calls: 44,
    ends: { failed_call: 1 },
    states: { failed: 19, denied_by_policy: 1 },
    tail: [aRun(6, 3), aRun(5, 2), aRun(7, 3), aRun(6, 2), aRun(6, 3, { failed_call: 1 })],
  },
  {
    ...QUIET,
    trigger: "inbox-digest",
    model: "heron-70b",
    days: [-20, -1],
    runs: 20,
    calls: 76,
    states: { failed: 3, denied_by_policy: 3, staged: 7 },
    tail: [aRun(4, 0), aRun(4, 1), aRun(5, 0), aRun(4, 0), aRun(0, 0)],
  },
  {
    ...QUIET,
    trigger: "restore-drill",
    model: "heron-70b",
    days: [-11, -2],
    runs: 10,
    calls: 50,
    states: { failed: 2, denied_by_policy: 3 },
  },
  {
    ...QUIET,
    trigger: "feed-check",
    model: "heron-70b",
    days: [-17, -7],
    runs: 11,
    calls: 55,
    ends: { failed_call: 1 },
    states: { failed: 2 },
  },
];

/** The ceiling on turns that was configured on a day. */
export function maxTurnsOn(day: number): number {
  return day < -46 ? 12 : 16;
}

export function effortOn(day: number, model: ModelName): "high" | "medium" {
  return model === "heron-70b" && day < -22 ? "high" : "medium";
}

export function harnessOn(day: number): string {
  if (day < -60) return "0.1.7";
  return day < -16 ? "0.1.8" : "0.1.9";
}
