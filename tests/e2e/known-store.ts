import type { FakeCall, FakeRun, FakeSession } from "./store.ts";

/** The end of the window that the known store is looked at in: Sunday of week 48. */
export const AS_OF = "2026-11-29";

const WEEKS = [
  { key: "2026-W44", monday: "2026-10-26" },
  { key: "2026-W45", monday: "2026-11-02" },
  { key: "2026-W46", monday: "2026-11-09" },
  { key: "2026-W47", monday: "2026-11-16" },
  { key: "2026-W48", monday: "2026-11-23" },
] as const;

/**
 * Five weeks of two models whose numbers can be counted by hand. `alpha` has 24 runs a week of 5 calls, one of which
 * fails in every second run; in week 48 three of five fail, and `max_turns` goes from 40 to 20. `beta` has 3 runs in each
 * week but the 46th, so its line has a gap and is never well founded.
 */
export function knownSessions(): FakeSession[] {
  return WEEKS.flatMap(({ monday }, week) => [
    ...["a", "b"].map((half, index) => alphaSession(monday, week, half, index)),
    ...(week === 2 ? [] : [betaSession(monday, week)]),
  ]);
}

/** What the numbers of the known store are, counted by hand. */
export const KNOWN = {
  runs: 5 * 24 + 4 * 3,
  sessions: 5 * 2 + 4,
  // 24 runs in each of four weeks, half of them with one failed call of five, and 24 runs with three of five.
  alphaErrors: 4 * 12 + 24 * 3,
  alphaCalls: 5 * 24 * 5,
  betaErrors: 4 * 1,
  betaCalls: 4 * 3 * 2,
  // In week 48 the last call of every second run of alpha fails; nowhere else does a run end on one.
  alphaFailedEnds: 12,
  maxTurns: 4,
  denied: 5,
} as const;

function alphaSession(monday: string, week: number, half: string, index: number): FakeSession {
  const bad = week === 4;
  const runs = Array.from({ length: 12 }, (_, run): FakeRun => {
    const calls: FakeCall[] = bad ? badCalls(run) : goodCalls(run);
    // One denied call a week, beside the five that are counted against the rate.
    const denied = index === 0 && run === 0 ? 1 : 0;
    return {
      prompt: `Question ${run + 1} of week ${week + 44}`,
      calls,
      ...(run === 0 ? { config: { mecha_version: "0.4.1", max_turns: bad ? 20 : 40 } } : {}),
      outcome: {
        tool_denied: denied,
        stop_cause: bad && index === 0 && run < 4 ? "max_turns" : "completed",
        cost_usd: 0.01,
      },
    };
  });
  return {
    id: `${monday.replaceAll("-", "")}T0${index + 8}0000-0000000${index}`,
    created_at: `${monday}T0${index + 8}:00:00Z`,
    model: "alpha",
    title: `Alpha, week ${week + 44}, part ${half}`,
    runs,
  };
}

function goodCalls(run: number): FakeCall[] {
  return ["ok", run % 2 === 0 ? "failed" : "ok", "ok", "ok", "ok"].map(toCall);
}

function badCalls(run: number): FakeCall[] {
  const calls =
    run % 2 === 0 ? ["ok", "failed", "failed", "ok", "failed"] : ["failed", "failed", "failed", "ok", "ok"];
  return calls.map(toCall);
}

function toCall(result: string): FakeCall {
  return {
    tool: "fs_read",
    result: result as "ok" | "failed",
    text: result === "ok" ? "# Notes" : "no such file",
  };
}

function betaSession(monday: string, week: number): FakeSession {
  const calls = (run: number): FakeCall[] => [
    { result: run === 0 ? "failed" : "ok", text: "x" },
    { result: "ok" },
  ];
  return {
    id: `${monday.replaceAll("-", "")}T120000-0000000b`,
    created_at: `${monday}T12:00:00Z`,
    model: "beta",
    title: `Beta, week ${week + 44}`,
    runs: Array.from({ length: 3 }, (_, run) => ({ calls: calls(run) })),
  };
}
