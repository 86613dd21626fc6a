import { byteOrder } from "#lib/format.ts";
import type { Rate } from "#lib/rate.ts";
import { CUT_SHORT, type StopCause, type Usage } from "#lib/transcript/record.ts";
import type { Provenance, RunRow } from "#lib/transcript/run-row.ts";
import { Sessions } from "./sessions.ts";

/** The rates mecha states about runs; all are costs, so lower is better. */
export const METRICS = ["ended_on_failed_call", "tool_error_rate", "cut_short"] as const;
export type Metric = (typeof METRICS)[number];

/** Counts over a set of runs. A `number | null` is null when no run of the set could say. */
export type Tally = {
  runs: number;
  /** Sessions that hold at least one of the runs. */
  sessions: number;
  stop_causes: Partial<Record<StopCause | "unrecorded", number>>;
  cut_short: number;
  ended_on_failed_call: number;
  turns: number;
  tool_calls: number;
  tool_errors: number;
  tool_denied: number;
  tool_cancelled: number | null;
  tool_staged: number | null;
  malformed_tool_args: number | null;
  blocked_sends: number | null;
  compactions: number;
  usage: Usage;
  /** Runs whose usage is a measurement; of the rest it is a lower bound. */
  usage_complete_runs: number;
  /** Sum over the priced runs; a lower bound when `runs_priced` < `runs`. */
  cost_usd: number;
  runs_priced: number;
};

/** A tally of one model. Two provenances of one model are two slices: a rate never mixes them. */
export type ModelSlice = { provenance: Provenance; model: string; tally: Tally };

/** The pair behind a metric: runs for the first and last, calls for `tool_error_rate`. */
export function rateOf(tally: Tally, metric: Metric): Rate {
  switch (metric) {
    case "ended_on_failed_call":
      return { hits: tally.ended_on_failed_call, of: tally.runs };
    case "tool_error_rate":
      return { hits: tally.tool_errors, of: tally.tool_calls };
    case "cut_short":
      return { hits: tally.cut_short, of: tally.runs };
    default:
      return metric satisfies never;
  }
}

/** A tally of no run: every sum 0, and null where only a run could say whether there is anything to count. */
export function emptyTally(): Tally {
  return {
    runs: 0,
    sessions: 0,
    stop_causes: {},
    cut_short: 0,
    ended_on_failed_call: 0,
    turns: 0,
    tool_calls: 0,
    tool_errors: 0,
    tool_denied: 0,
    tool_cancelled: null,
    tool_staged: null,
    malformed_tool_args: null,
    blocked_sends: null,
    compactions: 0,
    usage: { input_tokens: 0, output_tokens: 0, cache_creation_input_tokens: 0, cache_read_input_tokens: 0 },
    usage_complete_runs: 0,
    cost_usd: 0,
    runs_priced: 0,
  };
}

/** Adds one run. `sessions` belongs to this tally alone and is kept by the caller. */
export function addRun(into: Tally, row: RunRow, sessions: Sessions): void {
  into.runs += 1;
  if (sessions.add(row)) into.sessions += 1;
  const cause = row.stop_cause ?? "unrecorded";
  into.stop_causes[cause] = (into.stop_causes[cause] ?? 0) + 1;
  if (row.stop_cause !== null && CUT_SHORT.has(row.stop_cause)) into.cut_short += 1;
  if (row.ended_on_failed_call) into.ended_on_failed_call += 1;
  into.turns += row.turns;
  into.tool_calls += row.tool_calls;
  into.tool_errors += row.tool_errors;
  into.tool_denied += row.tool_denied;
  into.tool_cancelled = plus(into.tool_cancelled, row.tool_cancelled);
  into.tool_staged = plus(into.tool_staged, row.tool_staged);
  into.malformed_tool_args = plus(into.malformed_tool_args, row.malformed_tool_args);
  into.blocked_sends = plus(into.blocked_sends, row.blocked_sends);
  into.compactions += row.compactions;
  addUsage(into.usage, row.usage);
  if (row.usage_complete) into.usage_complete_runs += 1;
  if (row.cost_usd === null) return;
  into.cost_usd += row.cost_usd;
  into.runs_priced += 1;
}

/** The tally of a list of rows. */
export function tallyRuns(rows: Iterable<RunRow>): Tally {
  const tally = emptyTally();
  const sessions = new Sessions();
  for (const row of rows) addRun(tally, row, sessions);
  return tally;
}

/**
 * Adds one tally to another and returns the first. `sessions` adds up too, so the two must not share a session: true
 * of two provenances, never of two models of one store.
 */
export function addTally(into: Tally, more: Tally): Tally {
  for (const key of SUMS) into[key] += more[key];
  for (const key of SUMS_IF_KNOWN) into[key] = plus(into[key], more[key]);
  for (const [cause, n] of Object.entries(more.stop_causes)) {
    const key = cause as keyof Tally["stop_causes"];
    into.stop_causes[key] = (into.stop_causes[key] ?? 0) + n;
  }
  addUsage(into.usage, more.usage);
  return into;
}

const SUMS = [
  "runs",
  "sessions",
  "cut_short",
  "ended_on_failed_call",
  "turns",
  "tool_calls",
  "tool_errors",
  "tool_denied",
  "compactions",
  "usage_complete_runs",
  "cost_usd",
  "runs_priced",
] as const;
const SUMS_IF_KNOWN = ["tool_cancelled", "tool_staged", "malformed_tool_args", "blocked_sends"] as const;

/** Rows by (provenance, model), `recorded` first, then model in byte order. */
export function tallyByModel(rows: Iterable<RunRow>): ModelSlice[] {
  const slices: Record<Provenance, Map<string, { tally: Tally; sessions: Sessions }>> = {
    recorded: new Map(),
    derived: new Map(),
  };
  for (const row of rows) {
    const models = slices[row.provenance];
    let slice = models.get(row.model);
    if (slice === undefined) {
      slice = { tally: emptyTally(), sessions: new Sessions() };
      models.set(row.model, slice);
    }
    addRun(slice.tally, row, slice.sessions);
  }
  return PROVENANCES.flatMap((provenance) =>
    [...slices[provenance]]
      .sort(([a], [b]) => byteOrder(a, b))
      .map(([model, { tally }]) => ({ provenance, model, tally })),
  );
}

/** The order in which provenances are listed everywhere. */
export const PROVENANCES = ["recorded", "derived"] as const satisfies readonly Provenance[];

/** True when the sum of costs leaves something out: runs without a price, or priced from a usage that was cut off. */
export function costIsLowerBound(tally: Tally): boolean {
  return tally.runs_priced < tally.runs || tally.usage_complete_runs < tally.runs;
}

/** Adds token counts. */
export function addUsage(into: Usage, more: Usage): void {
  into.input_tokens += more.input_tokens;
  into.output_tokens += more.output_tokens;
  into.cache_creation_input_tokens += more.cache_creation_input_tokens;
  into.cache_read_input_tokens += more.cache_read_input_tokens;
}

/** Adds two counts of which either may be unknown; unknown only when both are. */
function plus(a: number | null, b: number | null): number | null {
  if (a === null) return b;
  return b === null ? a : a + b;
}
