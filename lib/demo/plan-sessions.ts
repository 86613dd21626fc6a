import {
  CELLS,
  type Cell,
  type ModelName,
  maxTurnsOn,
  SWITCH_DAY,
  type Totals,
  TRIGGER_CELLS,
  type TriggerCell,
  type TriggerName,
} from "./cells.ts";
import { planRuns, type RunPlan } from "./plan-runs.ts";
import { type Random, share } from "./random.ts";
import type { WorkspaceName } from "./world.ts";

export type SessionPlan = {
  day: number;
  createdMs: number;
  workspace: WorkspaceName;
  /** Null: a person started it. */
  trigger: TriggerName | null;
  /** The model changes within a session where a person switched it. */
  runs: { model: ModelName; plan: RunPlan }[];
};

export const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

/** Hour and minute (UTC) at which a trigger fires, and where it works. */
export const TRIGGER_SLOTS: Record<TriggerName, { hour: number; minute: number; workspace: WorkspaceName }> =
  {
    "morning-briefing": { hour: 6, minute: 30, workspace: "handbook" },
    "dependency-watch": { hour: 5, minute: 0, workspace: "api" },
    "inbox-digest": { hour: 16, minute: 0, workspace: "ledger" },
    "restore-drill": { hour: 3, minute: 0, workspace: "ledger" },
    "feed-check": { hour: 4, minute: 15, workspace: "api" },
    "status-page": { hour: 2, minute: 45, workspace: "api" },
  };

/** The instant at which a trigger's slot of a day falls. */
export function slotMs(trigger: TriggerName, day: number, midnightMs: number): number {
  const { hour, minute } = TRIGGER_SLOTS[trigger];
  return midnightMs + day * DAY_MS + hour * HOUR_MS + minute * 60_000;
}

/** Every session of the store, oldest first. `midnightMs` is the start of the day (UTC) on which it is made. */
export function planSessions(midnightMs: number, random: Random): SessionPlan[] {
  const sessions = TRIGGER_CELLS.flatMap((cell) => triggerSessions(cell, midnightMs, random));
  let lent: SessionPlan["runs"] = [];
  for (const cell of CELLS) {
    const plans = planRuns(cell, maxTurnsOn(cell.days[0]), random);
    const runs = plans.map((plan) => ({ model: cell.model, plan }));
    const planned = cellSessions(cell, runs.slice(cell.lent), midnightMs, random);
    for (const [i, run] of lent.entries()) planned[i]?.runs.unshift(run);
    sessions.push(...planned);
    lent = runs.slice(0, cell.lent);
  }
  return sessions.sort((a, b) => a.createdMs - b.createdMs);
}

/** Sessions of one cell in the order in which they start. */
function cellSessions(
  cell: Cell,
  runs: SessionPlan["runs"],
  midnightMs: number,
  random: Random,
): SessionPlan[] {
  const [first, last] = cell.days;
  const days = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const weights = days.map((day) => dayWeight(day, midnightMs) * (0.7 + random.next()));
  const perDay = share(cell.sessions, weights, []);
  const starts = days.flatMap((day, i) => new Array<number>(perDay[i] ?? 0).fill(day));
  const sizes = share(
    runs.length,
    starts.map(() => 0.2 + random.next() ** 2),
    starts.map(() => 1),
    cell.longest,
  );
  let used = 0;
  const planned = starts.map((day, i): SessionPlan => {
    const own = runs.slice(used, used + (sizes[i] ?? 0));
    used += own.length;
    const createdMs = midnightMs + day * DAY_MS + 7 * HOUR_MS + random.between(0, 12 * HOUR_MS - 1);
    return { day, createdMs, workspace: random.pick(cell.workspaces), trigger: null, runs: own };
  });
  return planned.sort((a, b) => a.createdMs - b.createdMs);
}

/** People work less on a weekend. On the eve of the switch they do not, so that the change of model shows as one. */
function dayWeight(day: number, midnightMs: number): number {
  if (day === SWITCH_DAY - 1) return 1;
  const weekday = new Date(midnightMs + day * DAY_MS).getUTCDay();
  return weekday === 0 || weekday === 6 ? 0.2 : 1;
}

function triggerSessions(cell: TriggerCell, midnightMs: number, random: Random): SessionPlan[] {
  const { trigger, model } = cell;
  return triggerRuns(cell, random).map((plan, i): SessionPlan => {
    const day = cell.days[0] + i;
    const createdMs = slotMs(trigger, day, midnightMs) + random.between(900, 4_000);
    return { day, createdMs, workspace: TRIGGER_SLOTS[trigger].workspace, trigger, runs: [{ model, plan }] };
  });
}

/** The runs of the tail have their counts given; the ones before them share what is left. */
function triggerRuns(cell: TriggerCell, random: Random): RunPlan[] {
  const maxTurns = maxTurnsOn(cell.days[0]);
  const rest = cell.tail.reduce(without, cell);
  return [rest, ...cell.tail].flatMap((totals) => planRuns(totals, maxTurns, random));
}

function without(all: Totals, part: Totals): Totals {
  return {
    runs: all.runs - part.runs,
    calls: all.calls - part.calls,
    ends: { ...all.ends, failed_call: (all.ends.failed_call ?? 0) - (part.ends.failed_call ?? 0) },
    states: { ...all.states, failed: (all.states.failed ?? 0) - (part.states.failed ?? 0) },
    compactions: all.compactions,
  };
}
