import type { StopCause } from "#lib/transcript/record.ts";
import type { CallPlan, Totals } from "./cells.ts";
import { type Random, share } from "./random.ts";

export type RunPlan = { stop: StopCause; endedFailed: boolean; calls: CallPlan[]; compactions: number };

/** Runs whose counters add up to `totals` exactly. Throws when they cannot. */
export function planRuns(totals: Totals, maxTurns: number, random: Random): RunPlan[] {
  const ends = random.shuffle(endsOf(totals));
  const usual = totals.calls >= totals.runs ? 1 : 0;
  const least = ends.map((end) => Math.max(usual, leastCalls(end, maxTurns)));
  const weights = ends.map(() => 0.15 + random.next() ** 2);
  const counts = share(totals.calls, weights, least, maxTurns * 2);
  const runs = ends.map(({ stop, endedFailed }, i): RunPlan => {
    const calls = new Array<CallPlan>(counts[i] ?? 0).fill("ok");
    if (endedFailed) calls[calls.length - 1] = "failed";
    return { stop, endedFailed, calls, compactions: 0 };
  });
  placeCompactions(runs, totals.compactions, random);
  const { blocked_send = 0, failed = 0, ...states } = totals.states;
  placeBlockedSends(runs, blocked_send);
  placeStates(runs, { ...states, failed: failed - (totals.ends.failed_call ?? 0) }, random);
  return runs;
}

type End = { stop: StopCause; endedFailed: boolean };

function endsOf({ runs, ends }: Totals): End[] {
  const { failed_call = 0, max_turns = 0, loop = 0, interrupted = 0 } = ends;
  const well = runs - failed_call - max_turns - loop - interrupted;
  const many = (n: number, stop: StopCause, endedFailed = false) =>
    Array.from({ length: n }, (): End => ({ stop, endedFailed }));
  return [
    ...many(well, "completed"),
    ...many(failed_call, "completed", true),
    ...many(max_turns, "max_turns"),
    ...many(loop, "loop"),
    ...many(interrupted, "interrupted"),
  ];
}

/** A ceiling is reached with a call in every turn; the loop guard needs a summary and a repetition after it. */
function leastCalls({ stop, endedFailed }: End, maxTurns: number): number {
  if (stop === "max_turns") return maxTurns;
  if (stop === "loop") return CALLS_TO_COMPACT;
  return stop === "interrupted" || endedFailed ? 2 : 0;
}

/** Fewer calls than this leave nothing to summarise. */
const CALLS_TO_COMPACT = 9;

function placeCompactions(runs: RunPlan[], total: number, random: Random): void {
  const looped = runs.filter((run) => run.stop === "loop");
  for (const run of looped) run.compactions = 1;
  const rest = runs.filter((run) => run.stop !== "loop" && run.calls.length >= CALLS_TO_COMPACT);
  const weights = rest.map((run) => run.calls.length * (0.1 + random.next()));
  const parts = share(total - looped.length, weights, [], 2);
  for (const [i, run] of rest.entries()) run.compactions = parts[i] ?? 0;
}

/** Such a run begins with a call that brings something private in and one that brings something from outside in. */
function placeBlockedSends(runs: RunPlan[], total: number): void {
  const able = runs.filter((run) => run.stop === "completed" && !run.endedFailed && run.calls.length > 4);
  if (able.length < total) throw new Error("no run is long enough for a blocked send");
  for (const run of able.slice(0, total)) run.calls[2] = "blocked_send";
}

/** Puts each state on a free call, at random; the calls that decide how a run ended stay as they are. */
function placeStates(runs: RunPlan[], counts: Partial<Record<CallPlan, number>>, random: Random): void {
  const states = Object.entries(counts).flatMap(([state, n]) =>
    new Array<CallPlan>(n).fill(state as CallPlan),
  );
  const free = random.shuffle(runs.flatMap((run) => freeCalls(run).map((at) => ({ run, at }))));
  if (free.length < states.length) throw new Error(`${states.length} states for ${free.length} free calls`);
  for (const [i, { run, at }] of free.slice(0, states.length).entries()) run.calls[at] = states[i] ?? "ok";
}

function freeCalls({ stop, calls }: RunPlan): number[] {
  const first = calls.includes("blocked_send") ? 3 : 0;
  const kept = stop === "loop" ? 2 : stop === "completed" ? 1 : 0;
  return calls.flatMap((state, at) =>
    state === "ok" && at >= first && at < calls.length - kept ? [at] : [],
  );
}
