import type { Agent, LaunchRequest } from "#lib/agent/launch-request.ts";
import type { LoopEvent, RunResult } from "#lib/agent/parts.ts";
import { UserError } from "#lib/errors.ts";
import { isoUtc } from "#lib/time.ts";
import { appendRow } from "#lib/trigger/append.io.ts";
import type { NewRow } from "#lib/trigger/ledger-line.ts";
import { durationText, type Trigger } from "#lib/trigger/trigger.ts";
import { failedRow, finishedRow } from "./row.ts";
import { clearRunning, type Running, writeRunning } from "./running.io.ts";

export type Launch = (request: LaunchRequest) => Promise<Agent>;

/** What runs of triggers are made with. */
export type Unattended = {
  triggersDir: string;
  launch: Launch;
  /** What a trigger is launched with; a UserError is a run that failed. */
  request(trigger: Trigger): Promise<LaunchRequest>;
  /** Ends the runs under way; they are written down as interrupted. */
  signal: AbortSignal;
  /** What a reader of the run should see as it goes on. */
  watch(trigger: string): RunWatch;
  /** How long a run that was told to stop may take to do so. Default 30 s. */
  stopMs?: number;
};

export type RunWatch = {
  onEvent(event: LoopEvent): void;
  /** One line each: what the run goes without. */
  onNotice(line: string): void;
  onAnswer(result: RunResult): void;
};

const STOP_MS = 30_000;
const TIMER_MAX = 2 ** 31 - 1;

/**
 * One run of a trigger, by whoever holds its lock, to its row in the ledger. Whatever a run does is a row; a mistake of
 * our own is one too, and is thrown on after it was written.
 */
export async function runAttempt(
  trigger: Trigger,
  { slot_ms, attempt }: { slot_ms: number | null; attempt: number },
  parts: Unattended,
): Promise<NewRow> {
  const started_at = isoUtc(Date.now());
  const running: Running = {
    ...{ trigger: trigger.name, slot_ms, started_at, session_id: null },
    ...{ pid: process.pid, attempt },
  };
  writeRunning(parts.triggersDir, running);
  let agent: Agent | null = null;
  let row: NewRow;
  let bug: unknown = null;
  try {
    agent = await parts.launch(await parts.request(trigger));
    running.session_id = agent.session?.id ?? null;
    writeRunning(parts.triggersDir, running);
    const watch = parts.watch(trigger.name);
    for (const line of [...agent.notices, ...unusedLines(trigger)]) watch.onNotice(line);
    const result = await sendWithin(trigger, agent, parts, watch);
    watch.onAnswer(result);
    row = finishedRow(trigger, running, result, isoUtc(Date.now()));
  } catch (error) {
    if (!(error instanceof UserError)) bug = error;
    const problem = error instanceof Error ? error.message : String(error);
    row = failedRow(trigger, running, problem, isoUtc(Date.now()));
  }
  try {
    appendRow(parts.triggersDir, row);
    clearRunning(parts.triggersDir, trigger.name);
  } finally {
    await agent?.close();
  }
  if (bug !== null) throw bug;
  return row;
}

function unusedLines({ skills }: Trigger): string[] {
  return skills.length === 0 ? [] : [`it lists skills (${skills.join(", ")}), which mecha has no use for`];
}

/** The run, ended at the trigger's timeout and when this process is told to end. */
async function sendWithin(
  trigger: Trigger,
  agent: Agent,
  { signal: stop, stopMs = STOP_MS }: Unattended,
  watch: RunWatch,
): Promise<RunResult> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error("timeout")), Math.min(trigger.timeout_ms, TIMER_MAX));
  const signal = AbortSignal.any([late.signal, stop]);
  let giveUp: NodeJS.Timeout | null = null;
  const stuck = new Promise<never>((_, reject) => {
    const wait = () => {
      const told = `it was told to stop (its timeout is ${durationText(trigger.timeout_ms)}) and went on for ${stopMs / 1000} s more`;
      giveUp = setTimeout(() => reject(new UserError("bad_input", told)), stopMs);
    };
    if (signal.aborted) wait();
    else signal.addEventListener("abort", wait, { once: true });
  });
  try {
    const onEvent = (event: LoopEvent) => watch.onEvent(event);
    return await Promise.race([agent.send(trigger.prompt, { signal, onEvent }), stuck]);
  } finally {
    clearTimeout(timer);
    if (giveUp !== null) clearTimeout(giveUp);
  }
}
