import { DAY_MS, planSessions } from "./plan-sessions.ts";
import { seededRandom } from "./random.ts";
import { writeSession } from "./transcript.ts";
import { triggerFiles, triggerLedger } from "./triggers.ts";

/** A file of the store: its path below the mecha home, and what it holds. */
export type DemoFile = { path: string; text: string };

const SEED = 412;

/** The start (UTC) of the day that an instant falls in. */
export function midnightBefore(ms: number): number {
  return Math.floor(ms / DAY_MS) * DAY_MS;
}

/**
 * An invented mecha home as of the day of `nowMs`: 90 days of sessions, the triggers and their ledger. The same day
 * gives the same bytes. Its counts over 30 days hold at every hour of that day and of the next.
 */
export function demoStore(nowMs: number): DemoFile[] {
  const midnightMs = midnightBefore(nowMs);
  const random = seededRandom(SEED);
  const plans = planSessions(midnightMs, random);
  const sessions = plans.map((plan) => writeSession(plan, random));
  return [
    ...sessions.map(({ id, lines }) => ({ path: `sessions/${id}.jsonl`, text: `${lines.join("\n")}\n` })),
    ...[...triggerFiles(plans, midnightMs)].map(([name, text]) => ({ path: `triggers/${name}.toml`, text })),
    { path: "triggers/runs.jsonl", text: triggerLedger(sessions, midnightMs) },
  ];
}
